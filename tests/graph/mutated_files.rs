//! A few inputs of the readers' fuzzer; `examples/fuzz_readers.rs` runs more of them, and
//! limits their memory.

#![allow(clippy::print_stdout, reason = "the counts are for `--nocapture`")]

use std::path::Path;
use std::time::{Duration, Instant};

use crate::readers_fuzz::{Case, Corpus, Outcome, check, explain};

const SEED: u64 = 1;
const INPUTS: u64 = 2_000;

#[test]
fn two_thousand_mutated_files_are_read_as_an_independent_reader_reads_them() {
    let corpus = Corpus::load(Path::new(env!("CARGO_MANIFEST_DIR")));
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = [0; Outcome::ALL.len()];
    for index in 0..INPUTS {
        let case = Case::new(&corpus, SEED, index);
        let start = Instant::now();
        let outcome = check(&case, folder.path()).unwrap_or_else(|error| {
            panic!("{error}\ninput {index} of seed {SEED}: {case:?}");
        });
        assert!(start.elapsed() < Duration::from_secs(5), "input {index} of seed {SEED}: {case:?}");
        counts[outcome as usize] += 1;
    }
    println!("{:?}: {counts:?}", Outcome::ALL);
    assert!(counts[Outcome::Same as usize] > INPUTS / 5, "{counts:?}");
    assert!(counts[Outcome::Refused as usize] > INPUTS / 5, "{counts:?}");
}

#[test]
fn a_seed_gives_the_same_input_again() {
    let corpus = Corpus::load(Path::new(env!("CARGO_MANIFEST_DIR")));
    let input = |index| format!("{:?}", Case::new(&corpus, SEED, index));
    assert_eq!(input(7), input(7));
    assert_ne!(input(7), input(8));
    let folder = tempfile::tempdir().expect("a folder");
    assert!(explain(&Case::new(&corpus, SEED, 7), folder.path()).contains("reference: "));
}
