//! Random sequences of every operation of a graph, in each container that batches can change,
//! replayed beside an
//! ordered map and compared after each step; a failure shrinks to a shortest
//! sequence.
//!
//! `MEERKAT_MODEL_SEQUENCES=10000` replays that many for each kind of weight; the
//! sequences are the same every time.

mod model;
mod replay;
mod sequence;

use crate::support::{devices, say};
use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::{BlockEdges, CompactEdges};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use replay::{Sample, Sampled, replay, replay_refusals};
use std::cell::Cell;

fn sequences(usual: u32) -> u32 {
    let asked = std::env::var("MEERKAT_MODEL_SEQUENCES").ok();
    asked.map_or(usual, |count| count.parse().expect("a number of sequences"))
}

#[track_caller]
fn run<L: Sampled>(device: &Device, usual: u32) {
    let cases = sequences(usual);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let layouts = Cell::new(0);
    let outcome = TestRunner::new_with_rng(config, rng).run(&sequence::sequences(), |sequence| {
        layouts.set(layouts.get() + replay::<L>(device, &sequence).map_err(TestCaseError::fail)?);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("on {}: {failure}", device.name());
    }
    let (name, layouts) = (format!("{} in {}", L::Carried::NAME, L::NAME), layouts.get());
    assert!(cases < 100 || layouts > 0, "no list of {name} was laid out again");
    say(&format!("{cases} sequences of {name}, {layouts} layouts, on {}", device.name()));
}

/// Sequences in which memory runs out.
#[track_caller]
fn run_refusals<L: Sampled>(device: &Device, usual: u32) {
    let cases = sequences(usual);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let refused = Cell::new(0);
    let outcome = TestRunner::new_with_rng(config, rng).run(&sequence::sequences(), |sequence| {
        let count = replay_refusals::<L>(device, &sequence).map_err(TestCaseError::fail)?;
        refused.set(refused.get() + count);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("on {}: {failure}", device.name());
    }
    let (name, refused) = (format!("{} in {}", L::Carried::NAME, L::NAME), refused.get());
    assert!(refused >= cases / 2, "{refused} refusals in {cases} sequences");
    say(&format!("{cases} sequences of {name}, {refused} refusals, on {}", device.name()));
}

#[test]
fn sequences_in_which_memory_runs_out_under_each_of_8_schedules() {
    for schedule in Schedule::ALL {
        let device = Device::cpu().with_schedule(schedule);
        run_refusals::<Adjacency>(&device, 40);
        run_refusals::<Adjacency<u32>>(&device, 25);
        run_refusals::<CompactEdges>(&device, 40);
        run_refusals::<BlockEdges>(&device, 40);
        run_refusals::<CompactEdges<u32>>(&device, 25);
        run_refusals::<BlockEdges<u32>>(&device, 25);
    }
}

#[test]
fn sequences_in_which_memory_runs_out_on_cuda() {
    if let Some(device) = devices::cuda() {
        run_refusals::<Adjacency>(&device, 100);
        run_refusals::<Adjacency<f32>>(&device, 100);
        run_refusals::<CompactEdges>(&device, 100);
        run_refusals::<BlockEdges>(&device, 100);
        run_refusals::<CompactEdges<f32>>(&device, 100);
        run_refusals::<BlockEdges<f32>>(&device, 100);
    }
}

#[test]
fn sequences_without_weights_on_the_cpu() {
    run::<Adjacency>(&Device::cpu(), 300);
    run::<CompactEdges>(&Device::cpu(), 300);
    run::<BlockEdges>(&Device::cpu(), 300);
}

#[test]
fn sequences_of_u32_on_the_cpu() {
    run::<Adjacency<u32>>(&Device::cpu(), 300);
    run::<CompactEdges<u32>>(&Device::cpu(), 300);
    run::<BlockEdges<u32>>(&Device::cpu(), 300);
}

#[test]
fn sequences_of_f32_on_the_cpu() {
    run::<Adjacency<f32>>(&Device::cpu(), 200);
    run::<CompactEdges<f32>>(&Device::cpu(), 200);
    run::<BlockEdges<f32>>(&Device::cpu(), 200);
}

#[test]
fn sequences_of_u32_under_each_of_8_schedules() {
    for schedule in Schedule::ALL {
        run::<Adjacency<u32>>(&Device::cpu().with_schedule(schedule), 40);
        run::<CompactEdges<u32>>(&Device::cpu().with_schedule(schedule), 40);
        run::<BlockEdges<u32>>(&Device::cpu().with_schedule(schedule), 40);
    }
}

#[test]
fn sequences_without_weights_on_cuda() {
    if let Some(device) = devices::cuda() {
        run::<Adjacency>(&device, 200);
        run::<CompactEdges>(&device, 200);
        run::<BlockEdges>(&device, 200);
    }
}

#[test]
fn sequences_of_u32_on_cuda() {
    if let Some(device) = devices::cuda() {
        run::<Adjacency<u32>>(&device, 200);
        run::<CompactEdges<u32>>(&device, 200);
        run::<BlockEdges<u32>>(&device, 200);
    }
}
