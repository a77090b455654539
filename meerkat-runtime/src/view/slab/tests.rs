//! What decision 45 relies on, where words and pairs of a slab meet.

use super::*;
use crate::device::{Device, DeviceBuffer};
use crate::scalar::*;
use crate::view::DeviceSlice;
use crate::{Error, Uniform};
use meerkat_macros::{DeviceStruct, kernel};
use std::io::Write;
use std::sync::Barrier;

const EMPTY: u32 = u32::MAX;
const BOTH_EMPTY: u64 = u64::MAX;
/// Pairs of a slab that hold edges.
const PAIRS: u32 = 15;
const SLABS: u32 = if cfg!(debug_assertions) { 4_000 } else { 20_000 };

/// The weight of a key, none of whose halves could be mistaken for the other's.
fn weight_of(key: u32) -> u32 {
    key ^ 0x5555_5555
}

/// The one that overwrites it.
fn later_weight_of(key: u32) -> u32 {
    key ^ 0x2AAA_AAAA
}

/// The key that one of two tries to put into a place.
fn key_of(slab: u32, pair: u32, claimant: u32) -> u32 {
    (slab * 16 + pair) * 2 + claimant
}

fn pair_of(key: u32) -> u64 {
    u64::from(weight_of(key)) << 32 | u64::from(key)
}

fn empty_slabs(device: &Device, slabs: u32) -> Result<DeviceBuffer<Slab>, Error> {
    DeviceBuffer::filled(device, slabs as usize, SlabWords([EMPTY; 32]))
}

/// Whether one of the two keys of the place is in it, or nobody's yet, with its weight.
fn is_whole(slab: u32, pair: u32, key: u32, weight: u32) -> bool {
    let is_key = (0..2).any(|claimant| key == key_of(slab, pair, claimant));
    let weights = [EMPTY, weight_of(key), later_weight_of(key)];
    key == EMPTY || is_key && weights.contains(&weight)
}

#[test]
#[cfg_attr(miri, ignore = "accesses of 4 and 8 bytes that race are undefined in Rust")]
fn threads_that_claim_pairs_read_words_and_overwrite_weights_never_tear_or_lose_one() {
    let slabs = empty_slabs(&Device::cpu(), SLABS).expect("memory");
    let view = slabs.view();
    let start = Barrier::new(6);
    let each = |act: &dyn Fn(u32, u32, &Slab)| {
        start.wait();
        for slab in 0..SLABS {
            (0..PAIRS).for_each(|pair| act(slab, pair, view.at(slab)));
        }
    };
    let claims = |claimant: u32| {
        let mut won = vec![false; (SLABS * PAIRS) as usize];
        start.wait();
        for slab in 0..SLABS {
            for pair in 0..PAIRS {
                let new = pair_of(key_of(slab, pair, claimant));
                let seen = view.at(slab).pair(2 * pair).compare_and_swap(BOTH_EMPTY, new);
                assert!(is_whole(slab, pair, seen as u32, (seen >> 32) as u32), "{seen:x}");
                won[(slab * PAIRS + pair) as usize] = seen == BOTH_EMPTY;
            }
        }
        won
    };
    // Each looks at a place until it is claimed.
    let reads = || {
        each(&|slab, pair, memory| {
            loop {
                let (key, weight) =
                    (memory.word(2 * pair).load(), memory.word(2 * pair + 1).load());
                assert!(is_whole(slab, pair, key, weight), "word {key:x} {weight:x}");
                let [key, weight] = memory.duo(pair);
                assert!(is_whole(slab, pair, key, weight), "duo {key:x} {weight:x}");
                let quad = memory.quad(pair / 2);
                let (key, weight) =
                    if pair % 2 == 0 { (quad[0], quad[1]) } else { (quad[2], quad[3]) };
                assert!(is_whole(slab, pair, key, weight), "quad {key:x} {weight:x}");
                let row = memory.all_words();
                let (key, weight) = (row[2 * pair as usize], row[2 * pair as usize + 1]);
                assert!(is_whole(slab, pair, key, weight), "row {key:x} {weight:x}");
                if key != EMPTY {
                    break;
                }
                std::thread::yield_now();
            }
        });
    };
    let overwrites = || {
        each(&|_, pair, memory| {
            let mut key = memory.word(2 * pair).load();
            while key == EMPTY {
                std::hint::spin_loop();
                std::thread::yield_now();
                key = memory.word(2 * pair).load();
            }
            memory.word(2 * pair + 1).store(later_weight_of(key));
        });
    };
    std::thread::scope(|scope| {
        let claimants = [0, 1].map(|claimant| scope.spawn(move || (claimant, claims(claimant))));
        let others = [scope.spawn(reads), scope.spawn(reads)];
        let more = [scope.spawn(overwrites), scope.spawn(overwrites)];
        let won = claimants.map(|thread| thread.join().expect("a claimant").1);
        others.into_iter().chain(more).for_each(|thread| thread.join().expect("another"));
        for (at, (a, b)) in won[0].iter().zip(&won[1]).enumerate() {
            assert!(a != b, "place {at} was claimed by both, or by none");
            let (slab, pair) = (at as u32 / PAIRS, at as u32 % PAIRS);
            let key = key_of(slab, pair, u32::from(*b));
            let expected = u64::from(later_weight_of(key)) << 32 | u64::from(key);
            assert_eq!(view.at(slab).pair(2 * pair).load(), expected, "place {at}");
        }
    });
}

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Memory {
    slabs: DeviceSlice<Slab>,
}

/// Warps by fours: two claim, one reads, one overwrites. `wrong` counts what must not be seen,
/// `claims` the claims of each place, `later` says where the weight was overwritten.
#[kernel]
fn meet(memory: &Memory, wrong: &[Atomic<u32>], claims: &[Atomic<u32>], later: &[Atomic<u32>]) {
    let pair = lane_id();
    let role = thread_id() / 32 % 4;
    let mut slab: Uniform<u32> = 0u32;
    while slab < memory.slabs.len() {
        if pair < 15 {
            let place = slab * 15 + pair;
            let first: u32 = (slab * 16 + pair) * 2;
            let mut key: u32 = u32::MAX;
            let mut weight: u32 = u32::MAX;
            if role < 2 {
                let own = first + role;
                let new: u64 = ((own ^ 0x5555_5555) as u64) << 32 | own as u64;
                let seen: u64 = memory.slabs[slab].pair(pair * 2).compare_and_swap(u64::MAX, new);
                if seen == u64::MAX {
                    claims[place].fetch_add(1);
                }
                key = seen as u32;
                weight = (seen >> 32) as u32;
            } else if role == 2 {
                let words: [u32; 4] = memory.slabs[slab].quad(pair / 2);
                key = words[pair % 2 * 2];
                weight = words[pair % 2 * 2 + 1];
            } else {
                key = memory.slabs[slab].word(pair * 2).load();
                if key != u32::MAX {
                    memory.slabs[slab].word(pair * 2 + 1).store(key ^ 0x2AAA_AAAA);
                    later[place].store(1);
                }
                weight = memory.slabs[slab].word(pair * 2 + 1).load();
            }
            let is_key = key == first || key == first + 1;
            let is_weight =
                weight == key ^ 0x5555_5555 || weight == key ^ 0x2AAA_AAAA || weight == u32::MAX;
            if key != u32::MAX && !(is_key && is_weight) {
                wrong[0].fetch_add(1);
            }
        }
        slab += 1;
    }
}

fn check_kernel(device: &Device, slabs: u32, warps: u32) -> Result<(), Error> {
    let memory = empty_slabs(device, slabs)?;
    let places = (slabs * PAIRS) as usize;
    let wrong = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
    let claims = DeviceBuffer::<Atomic<u32>>::zeroed(device, places)?;
    let later = DeviceBuffer::<Atomic<u32>>::zeroed(device, places)?;
    meet::launch(device, warps * 32, Memory { slabs: memory.view() }, &wrong, &claims, &later)?;
    assert_eq!(wrong.to_vec()?, [0], "a pair was torn");
    assert!(claims.to_vec()?.iter().all(|&claims| claims == 1), "a place was not claimed once");
    let (words, later) = (memory.to_vec()?, later.to_vec()?);
    for (slab, SlabWords(words)) in (0..).zip(&words) {
        for pair in 0..PAIRS {
            let (key, weight) = (words[2 * pair as usize], words[2 * pair as usize + 1]);
            let was_later = later[(slab * PAIRS + pair) as usize] == 1;
            let expected = if was_later { later_weight_of(key) } else { weight_of(key) };
            assert_eq!(weight, expected, "slab {slab}, pair {pair}, key {key}");
        }
    }
    Ok(())
}

#[test]
#[cfg_attr(miri, ignore = "accesses of 4 and 8 bytes that race are undefined in Rust")]
fn a_kernel_of_64_warps_claims_reads_and_overwrites_pairs_without_tearing_or_losing_one() {
    check_kernel(&Device::cpu(), 500, 64).expect("a launch on the CPU");
    match Device::cuda(0) {
        Ok(device) => check_kernel(&device, 20_000, 512).expect("a launch on CUDA"),
        Err(error) => {
            let is_required = std::env::var("MEERKAT_REQUIRE_CUDA").is_ok_and(|is| is == "1");
            assert!(!is_required, "MEERKAT_REQUIRE_CUDA=1, but {error}");
            // Not `eprintln!`: the test harness would hide it.
            let _ = writeln!(std::io::stderr(), "SKIPPED on CUDA: {error}");
        }
    }
}
