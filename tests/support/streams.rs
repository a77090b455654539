//! Random and adversarial streams of updates, with an answer after every batch.
//!
//! `MEERKAT_SEQUENCES=2000` sets how many sequences an algorithm and kind gets. On the CPU
//! they are spread over the schedules, unless `MEERKAT_SCHEDULE` names one.

use meerkat::prelude::*;
use meerkat::runtime::graph::Adjacency;
use meerkat::runtime::oracle::generate::{Rng, sequence};
use meerkat::runtime::oracle::{Kind, Model, Oracle, Replayed};
use meerkat::runtime::{BlockEdges, CompactEdges};

use super::devices::{label, own_devices};
use super::say;

/// A module with a test for each kind of sequence, so that they run side by side.
///
/// `name: |kind| check(..);` makes `name::incremental` and two more.
macro_rules! for_each_kind {
    ($($name:ident: $check:expr;)*) => {$(
        mod $name {
            #[allow(unused_imports, reason = "not every check names what its file does")]
            use super::*;

            fn check(kind: Kind) {
                let check: fn(Kind) = $check;
                check(kind);
            }

            #[test]
            fn incremental() {
                check(Kind::Incremental);
            }

            #[test]
            fn decremental() {
                check(Kind::Decremental);
            }

            #[test]
            fn mixed() {
                check(Kind::Mixed);
            }
        }
    )*};
}
pub(crate) use for_each_kind;

/// Whether memory runs out in every sequence: `MEERKAT_MEMORY_FAULTS=1`.
fn refuses_all() -> bool {
    std::env::var("MEERKAT_MEMORY_FAULTS").is_ok_and(|value| value == "1")
}

/// How many sequences an algorithm and kind gets on a device.
fn sequences(device: &Device) -> u64 {
    let asked = std::env::var("MEERKAT_SEQUENCES").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(if device.is_cuda() { 24 } else { 32 })
}

/// The schedules that operators run under on a device. On CUDA each would be compiled.
fn schedules(device: &Device) -> Vec<Schedule> {
    let auto = device.schedule();
    let others = !device.is_cuda() && auto == Schedule::Auto;
    let others = if others { Schedule::ALL.to_vec() } else { Vec::new() };
    [vec![auto], others].concat()
}

/// Replays sequences of a kind, spread over ways to keep the graph, on every device and in every
/// container that batches can change.
#[track_caller]
pub fn check<W, A, O>(
    name: &str,
    kind: Kind,
    ways: &[(Direction, SlabOptions)],
    algorithm: impl Fn() -> A,
    weight: impl Fn(&mut Rng) -> W,
    wrong: impl Fn(&Model<W>, &O, &O) -> Result<(), String>,
) where
    W: Weight + std::fmt::Debug,
    A: DynamicAlgorithm<SlabGraph<W>, Output = O>
        + DynamicAlgorithm<CompactGraph<W>, Output = O>
        + DynamicAlgorithm<BlockGraph<W>, Output = O>,
{
    let of = |container| format!("{name} in {container}");
    check_in::<Adjacency<W>, _>(&of("slabs"), kind, 1, ways, &algorithm, &weight, &wrong);
    let (compact, blocks) = (of("compact slabs"), of("block arrays"));
    check_in::<CompactEdges<W>, _>(&compact, kind, 2, ways, &algorithm, &weight, &wrong);
    check_in::<BlockEdges<W>, _>(&blocks, kind, 2, ways, &algorithm, &weight, &wrong);
}

/// What is wrong with an answer that followed, and with one from scratch.
type Wrong<'a, W, O> = dyn Fn(&Model<W>, &O, &O) -> Result<(), String> + 'a;

/// [`check`] in one container, with one in `of` sequences: an algorithm that follows a container does
/// not know which.
#[track_caller]
pub fn check_in<L, A>(
    name: &str,
    kind: Kind,
    of: u64,
    ways: &[(Direction, SlabOptions)],
    algorithm: &dyn Fn() -> A,
    weight: &dyn Fn(&mut Rng) -> L::Carried,
    wrong: &Wrong<'_, L::Carried, A::Output>,
) where
    L: EdgeLists<Carried: std::fmt::Debug>,
    A: DynamicAlgorithm<DynamicGraph<L>>,
{
    for device in own_devices() {
        let mut all = Replayed::default();
        let schedules = schedules(&device);
        let each =
            schedules.iter().flat_map(|schedule| ways.iter().map(move |way| (schedule, way)));
        for (turn, (schedule, (direction, options))) in (0..).zip(each) {
            let device = device.clone().with_schedule(*schedule);
            let oracle =
                || Oracle::<L, A>::new(device.clone(), algorithm, wrong).with_options(*options);
            let (ways, turns) = (ways.len() as u64, (ways.len() * schedules.len()) as u64);
            let seeds = (0..sequences(&device) / of).filter(|seed| seed % turns == turn);
            let sequences = seeds.map(|seed| sequence(seed / ways, kind, *direction, weight));
            let sequences: Vec<_> = sequences.collect();
            // The same again where memory runs out: all of them, or each fourth.
            let refused = sequences.iter().step_by(if refuses_all() { 1 } else { 4 });
            let refused: Vec<_> = refused.cloned().collect();
            // Vertices come and go in half of these.
            let half = refused.len() / 2;
            let (resized, refused) = (refused[..half].to_vec(), refused[half..].to_vec());
            let (faults, resizing) = (oracle().with_memory_faults(), oracle().with_resizing());
            let resizing = resizing.with_memory_faults();
            for (oracle, sequences) in
                [(oracle(), sequences), (faults, refused), (resizing, resized)]
            {
                match oracle.check(sequences) {
                    Ok(replayed) => {
                        all.sequences += replayed.sequences;
                        all.batches += replayed.batches;
                        all.updates += replayed.updates;
                        all.refused += replayed.refused;
                    }
                    Err(failure) => {
                        let way = format!("{direction:?}, {options:?}, {schedule:?}");
                        panic!("{name}, {kind:?}, {way}: {failure}")
                    }
                }
            }
        }
        let Replayed { sequences, batches, updates, refused } = all;
        let on = label(&device);
        say(&format!(
            "{name}, {kind:?}: {sequences} sequences, {batches} batches ({refused} refused at \
             first), {updates} updates, on {on}"
        ));
    }
}
