//! Blocks, whose size is the back end's choice.

use super::kernels::blocks::{self, Summary};
use super::{buffer, devices, expect, noise};
use meerkat::prelude::*;
use meerkat::testing::nvrtc_is_present;

#[test]
fn block_numbers_agree_with_thread_numbers() {
    expect(&[1u32; 1000], |device, out| blocks::places::launch(device, 1000, out));
}

#[test]
fn histogram_of_5000_values_in_shared_memory() {
    let values: Vec<u32> = noise(3).take(5000).collect();
    let mut expected = vec![0u32; 16];
    values.iter().for_each(|x| expected[(x % 16) as usize] += 1);
    for device in devices() {
        let bins = DeviceBuffer::<Atomic<u32>>::zeroed(&device, 16).unwrap();
        blocks::histogram::launch(&device, 5000, &buffer(&device, &values), &bins).unwrap();
        assert_eq!(bins.to_vec().unwrap(), expected, "{device:?}");
    }
}

#[test]
fn shared_memory_in_a_loop_of_8_rounds_begins_each_at_zero() {
    expect(&[1u32; 5000], |device, out| blocks::rounds::launch(device, 5000, out));
}

/// A race cannot be waited for, so this looks at the order of the instructions.
#[test]
fn shared_memory_is_cleared_between_two_barriers() {
    if !nvrtc_is_present() {
        return;
    }
    let ptx = blocks::rounds::info().ptx().expect("it compiles");
    let steps: Vec<_> = ptx
        .lines()
        .filter_map(|line| {
            let is_clearing = line.contains("st.shared") || line.contains("st.u32");
            if line.contains("bar.sync") { Some("wait") } else { is_clearing.then_some("clear") }
        })
        .collect();
    assert_eq!(steps.first_chunk(), Some(&["wait", "clear", "wait"]), "{ptx}");
}

#[test]
fn threads_read_behind_a_barrier_what_other_warps_wrote() {
    let values: Vec<u32> = noise(5).take(1024).collect();
    for device in devices() {
        let size = if device.is_cuda() { 256 } else { 32 };
        let expected: Vec<u32> =
            values.chunks(size).flat_map(|b| b.iter().rev()).copied().collect();
        let mut out = DeviceBuffer::zeroed(&device, 1024).unwrap();
        blocks::mirrored::launch(&device, 1024, &buffer(&device, &values), &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{device:?}");
    }
}

#[test]
fn blocks_reduce_vote_and_broadcast() {
    let values: Vec<u32> = noise(9).take(1024).map(|x| x % 1000).collect();
    for device in devices() {
        let size = if device.is_cuda() { 256 } else { 32 };
        let summary = |block: &[u32]| Summary {
            sum: block.iter().sum(),
            least: *block.iter().min().unwrap() as i32,
            most: *block.iter().max().unwrap() as f32,
            bits: block.iter().fold(0, |bits, x| bits | x),
            last: *block.last().unwrap(),
            votes: u32::from(block.contains(&7)) | u32::from(block.iter().all(|x| *x < 500)) << 1,
            size: size as u32,
        };
        let expected: Vec<_> =
            values.chunks(size).flat_map(|block| vec![summary(block); size]).collect();
        let mut out = DeviceBuffer::zeroed(&device, 1024).unwrap();
        blocks::summaries::launch(&device, 1024, &buffer(&device, &values), &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{device:?}");
    }
}

#[test]
fn threads_sum_what_is_below_them_in_their_block() {
    let values: Vec<u32> = noise(13).take(1024).map(|x| x % 1000).collect();
    for device in devices() {
        let size = if device.is_cuda() { 256 } else { 32 };
        let below = |i: usize| values[i / size * size..i].iter().sum::<u32>();
        let expected: Vec<u32> = (0..1024).map(below).collect();
        let mut out = DeviceBuffer::zeroed(&device, 1024).unwrap();
        blocks::scans::launch(&device, 1024, &buffer(&device, &values), &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{device:?}");
    }
}

#[test]
fn a_device_function_waits_for_the_block() {
    expect(&[5u32; 600], |device, out| blocks::called::launch(device, 600, out));
}

#[test]
fn lanes_read_behind_a_barrier_of_the_warp_what_others_wrote() {
    let values: Vec<u32> = noise(17).take(1024).collect();
    let expected: Vec<u32> = values.chunks(32).flat_map(|b| b.iter().rev()).copied().collect();
    for device in devices() {
        let mut out = DeviceBuffer::zeroed(&device, 1024).unwrap();
        let values = buffer(&device, &values);
        blocks::mirrored_in_warps::launch(&device, 1024, &values, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected, "{device:?}");
    }
}

#[test]
fn sets_in_shared_memory_know_their_keys_and_no_others() {
    let numbers: Vec<u32> = noise(19).take(1000).map(|x| x % 700).collect();
    // None, one, repeated ones, half as many as there are places, and the largest key.
    let most: Vec<u32> = (0..512).map(|x| x * 3 % 701).collect();
    let few = most[..64].to_vec();
    for keys in [vec![], vec![5], vec![7, 7, 7, u32::MAX - 1], few, most] {
        let known = |x: u32| u32::from(keys.contains(&x));
        let five = |&x: &u32| {
            [x, x, x + 1, x + 2, x + 3].into_iter().fold(0, |bits, x| bits << 1 | known(x))
        };
        for device in devices() {
            let (all, some) = (buffer(&device, &keys), buffer(&device, &numbers));
            let mut out = DeviceBuffer::zeroed(&device, 1000).unwrap();
            blocks::known_to_blocks::launch(&device, 1000, &all, &some, &mut out).unwrap();
            let expected: Vec<u32> = numbers.iter().map(five).collect();
            assert_eq!(out.to_vec().unwrap(), expected, "{device:?}, {} keys", keys.len());
            if keys.len() > 64 {
                continue;
            }
            blocks::known_to_warps::launch(&device, 1000, &all, &some, &mut out).unwrap();
            let expected: Vec<u32> = numbers.iter().map(|&x| known(x)).collect();
            assert_eq!(out.to_vec().unwrap(), expected, "{device:?}, {} keys", keys.len());
        }
    }
}
