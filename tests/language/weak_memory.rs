//! What the CPU back end shows of a GPU's memory: how many of many seeds see something
//! that a program without release and acquire may do, and that none does with them.

use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::oracle::generate::sequence;
use meerkat::runtime::oracle::{Kind, Model, Oracle};

const SEEDS: u64 = 1000;

/// What the reader found: nothing yet, what was published, or what was there before.
const NOTHING: u32 = 0;
const FRESH: u32 = 1;
const STALE: u32 = 2;

/// One warp writes `data` and publishes it, another looks.
macro_rules! messages {
    ($($name:ident |$data:ident, $flag:ident| {$($publish:tt)*} {$($look:tt)*})*) => {$(
        #[kernel]
        fn $name($data: &[Atomic<u32>], $flag: &[Atomic<u64>], out: &[Atomic<u32>]) {
            let i = thread_id();
            if i == 0 {
                $data[0].store(42);
                $($publish)*
            }
            if i == 32 {
                let seen = { $($look)* };
                if seen {
                    out[0].store(select($data[0].load() == 42, FRESH, STALE));
                }
            }
        }
    )*};
}

messages! {
    relaxed |data, flag| { flag[0].store(1); } { flag[0].load() == 1 }
    release_alone |data, flag| { flag[0].store_release(1); } { flag[0].load() == 1 }
    acquire_alone |data, flag| { flag[0].store(1); } { flag[0].load_acquire() == 1 }
    swapped |data, flag| { flag[0].swap(1); } { flag[0].load_acquire() == 1 }
    fence_of_the_writer |data, flag| { memory_fence(); flag[0].store(1); } { flag[0].load() == 1 }
    fence_of_the_reader |data, flag| { flag[0].store(1); } {
        let seen = flag[0].load() == 1;
        memory_fence();
        seen
    }
    released |data, flag| { flag[0].store_release(1); } { flag[0].load_acquire() == 1 }
    fenced |data, flag| { memory_fence(); flag[0].store(1); } {
        let seen = flag[0].load() == 1;
        memory_fence();
        seen
    }
    fenced_swap |data, flag| { memory_fence(); flag[0].swap(1); } { flag[0].load_acquire() == 1 }
    fenced_to_swap |data, flag| { memory_fence(); flag[0].swap(1); } {
        let seen = flag[0].fetch_add(0) == 1;
        memory_fence();
        seen
    }
}

/// How many of the seeds end with each outcome, of three.
fn outcomes(launch: impl Fn(&Device) -> Result<u32, Error>) -> [u64; 3] {
    let mut count = [0; 3];
    for seed in 0..SEEDS {
        let device = Device::cpu().with_weak_memory(seed);
        count[launch(&device).expect("no trap") as usize] += 1;
    }
    count
}

macro_rules! messages_of {
    ($($kernel:ident)*) => {
        [$((stringify!($kernel), outcomes(|device| {
            let data = DeviceBuffer::zeroed(device, 1)?;
            let flag = DeviceBuffer::zeroed(device, 1)?;
            let out = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
            $kernel::launch(device, 64, &data, &flag, &out)?;
            Ok(out.to_vec()?[0])
        }))),*]
    };
}

#[test]
fn messages_without_release_and_acquire_are_lost_by_some_of_1000_seeds() {
    let all = messages_of! {
        relaxed release_alone acquire_alone swapped fence_of_the_writer fence_of_the_reader
    };
    for (name, outcomes) in all {
        assert!(outcomes[STALE as usize] > 0, "{name}: {outcomes:?}");
    }
}

#[test]
fn messages_with_release_and_acquire_arrive_under_each_of_1000_seeds() {
    let all = messages_of! { released fenced fenced_swap fenced_to_swap };
    for (name, outcomes) in all {
        assert_eq!(outcomes[STALE as usize], 0, "{name}: {outcomes:?}");
        assert!(outcomes[FRESH as usize] > 0, "{name}: {outcomes:?}");
        assert!(outcomes[NOTHING as usize] > 0, "{name}: {outcomes:?}");
    }
}

/// Each of two warps writes its own and reads the other's: may both find nothing?
macro_rules! crossing {
    ($($name:ident {$($between:tt)*})*) => {$(
        #[kernel]
        fn $name(cells: &[Atomic<u32>], out: &[Atomic<u32>]) {
            let i = thread_id();
            if i < 64 && lane_id() == 0 {
                let me = i / 32;
                cells[me].store(1);
                $($between)*
                out[me].store(cells[1 - me].load() + 1);
            }
        }
    )*};
}

crossing! {
    crossing_freely {}
    crossing_behind_fences { memory_fence(); }
}

#[test]
fn two_warps_that_write_and_look_across_miss_each_other_without_fences_alone() {
    macro_rules! missed {
        ($kernel:ident) => {
            outcomes(|device| {
                let cells = DeviceBuffer::zeroed(device, 2)?;
                let out = DeviceBuffer::<Atomic<u32>>::zeroed(device, 2)?;
                $kernel::launch(device, 64, &cells, &out)?;
                Ok(u32::from(out.to_vec()? == [1, 1]))
            })[1]
        };
    }
    assert!(missed!(crossing_freely) > 0);
    assert_eq!(missed!(crossing_behind_fences), 0);
}

/// A counter goes up while others look twice: never back, and all is counted.
#[kernel]
fn counting(counter: &[Atomic<u32>], wide: &[Atomic<u64>], back: &[Atomic<u32>]) {
    let first = counter[0].load();
    let seen = wide[0].fetch_add(3);
    counter[0].fetch_add_aggregated(1);
    let second = counter[0].load();
    // After its own, and after what it saw.
    if second < first + 1 || wide[0].load() < seen + 3 {
        back[0].store(1);
    }
}

#[test]
fn a_place_has_one_order_of_writes_for_768_lanes() {
    for seed in 0..50 {
        let device = Device::cpu().with_weak_memory(seed);
        let counter = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 1).unwrap();
        let wide = DeviceBuffer::<Atomic<u64>>::zeroed(&device, 1).unwrap();
        let back = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 1).unwrap();
        counting::launch(&device, 768, &counter, &wide, &back).unwrap();
        assert_eq!(counter.to_vec().unwrap(), [768], "seed {seed}");
        assert_eq!(wide.to_vec().unwrap(), [2304], "seed {seed}");
        assert_eq!(back.to_vec().unwrap(), [0], "seed {seed}");
    }
}

/// A third warp adds to the flag between: who acquires that finds what the first released.
#[kernel]
fn passed_on(data: &[Atomic<u32>], flag: &[Atomic<u32>], out: &[Atomic<u32>]) {
    let i = thread_id();
    if i == 0 {
        data[0].store(42);
        flag[0].store_release(1);
    }
    if i == 32 {
        flag[0].compare_and_swap(1, 2);
    }
    if i == 64 {
        if flag[0].load_acquire() == 2 {
            out[0].store(select(data[0].load() == 42, FRESH, STALE));
        }
    }
}

#[test]
fn a_release_holds_through_an_update_by_another_warp() {
    let found = outcomes(|device| {
        let data = DeviceBuffer::zeroed(device, 1)?;
        let flag = DeviceBuffer::zeroed(device, 1)?;
        let out = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
        passed_on::launch(device, 96, &data, &flag, &out)?;
        Ok(out.to_vec()?[0])
    });
    assert!(found[FRESH as usize] > 0, "{found:?}");
    assert_eq!(found[STALE as usize], 0, "{found:?}");
}

/// The lock of docs/LANGUAGE.md, and what it would be without its order.
macro_rules! locks {
    ($($name:ident |$lock:ident| {$($enter:tt)*} {$($leave:tt)*})*) => {$(
        #[kernel]
        fn $name($lock: &[Atomic<u32>], value: &[Atomic<u32>]) {
            let mut done = lane_id() != 0;
            while !done {
                if $lock[0].compare_and_swap(0, 1) == 0 {
                    $($enter)*
                    value[0].store(value[0].load() + 1);
                    $($leave)*
                    done = true;
                }
            }
        }
    )*};
}

locks! {
    locked |lock| { memory_fence(); } { lock[0].store_release(0); }
    locked_without_a_fence |lock| {} { lock[0].store_release(0); }
    locked_without_a_release |lock| { memory_fence(); } { lock[0].store(0); }
}

#[test]
fn the_lock_of_the_page_keeps_8_warps_apart() {
    macro_rules! lost {
        ($kernel:ident) => {
            outcomes(|device| {
                let lock = DeviceBuffer::zeroed(device, 1)?;
                let value = DeviceBuffer::<Atomic<u32>>::zeroed(device, 1)?;
                $kernel::launch(device, 256, &lock, &value)?;
                Ok(u32::from(value.to_vec()? != [8]))
            })[1]
        };
    }
    let found = [lost!(locked), lost!(locked_without_a_fence), lost!(locked_without_a_release)];
    assert_eq!(found[0], 0);
    assert!(found[1] > 0 && found[2] > 0, "{found:?}");
}

/// Shared memory of a block, used again by the next block.
#[kernel]
fn in_blocks(out: &mut [u32]) {
    let sums = block_shared::<u32, 4>();
    let before = sums[lane_id() % 4].load();
    sums[lane_id() % 4].fetch_add(1);
    sums[0].store(sums[1].load() + block_id());
    let i = thread_id();
    if i < out.len() {
        out[i] = before + sums[0].load() - block_id();
    }
    // As the next block's memory begins: only that it is another block's tells them apart.
    sums[lane_id() % 4].store(0);
}

#[test]
fn memory_of_200_blocks_begins_at_zero() {
    for seed in 0..20 {
        let device = Device::cpu().with_weak_memory(seed);
        let mut out = DeviceBuffer::zeroed(&device, 6400).unwrap();
        in_blocks::launch(&device, 6400, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), [8; 6400], "seed {seed}");
    }
}

/// One warp traps while others wait for it for ever.
#[kernel]
fn trapping(cells: &[Atomic<u32>]) {
    let i = thread_id();
    if i == 40 {
        cells[i].store(1);
    }
    while cells[0].load() == 0 {}
}

#[test]
fn a_trap_ends_the_launch_and_the_device_goes_on() {
    let device = Device::cpu().with_weak_memory(3);
    let cells = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 1).unwrap();
    let error = trapping::launch(&device, 128, &cells).expect_err("an index");
    assert!(matches!(error.kind(), ErrorKind::Trap { .. }), "{error}");
    let mut out = DeviceBuffer::zeroed(&device, 64).unwrap();
    in_blocks::launch(&device, 64, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [8; 64]);
}

#[test]
fn a_seed_has_the_same_outcome_every_time() {
    let run = |seed| {
        let device = Device::cpu().with_weak_memory(seed);
        let cells = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 2).unwrap();
        let out = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 2).unwrap();
        let runs = (0..20).map(|_| {
            crossing_freely::launch(&device, 64, &cells, &out).unwrap();
            out.to_vec().unwrap()
        });
        runs.collect::<Vec<_>>()
    };
    let all: Vec<_> = (0..20).map(run).collect();
    assert_eq!(all, (0..20).map(run).collect::<Vec<_>>());
    assert!(all.iter().any(|other| *other != all[0]), "seeds make no difference");
}

/// Follows nothing: the oracle itself compares the graph with its model.
struct Unfollowed;

type Arcs = DeviceBuffer<Edge<u32>>;

impl DynamicAlgorithm<SlabGraph<u32>> for Unfollowed {
    type State = ();
    type Output = ();
    fn compute(&self, _: &SlabGraph<u32>) -> Result<(), Error> {
        Ok(())
    }
    fn on_delete(&self, (): &mut (), _: &SlabGraph<u32>, _: &Arcs) -> Result<(), Error> {
        Ok(())
    }
    fn on_insert(&self, (): &mut (), _: &SlabGraph<u32>, _: &Arcs) -> Result<(), Error> {
        Ok(())
    }
    fn output(&self, (): &()) -> Result<(), Error> {
        Ok(())
    }
}

/// Keys alone are words of 4 bytes, keys with weights of 8.
#[test]
fn a_weighted_slab_graph_is_right_after_every_batch_of_30_sequences() {
    for seed in 0..30 {
        let device = Device::cpu().with_weak_memory(seed);
        let oracle = Oracle::new(device, || Unfollowed, |_: &Model<u32>, (), ()| Ok(()));
        let sequences =
            [sequence(seed, Kind::Mixed, Direction::Directed, |random| random.u32(..9))];
        oracle.check(sequences).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
    }
}
