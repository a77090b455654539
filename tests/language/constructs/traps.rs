//! What the CPU back end traps: the error names kernel, file and cause, and the
//! device works on.

use super::kernels::{launches, traps};
use super::{buffer, devices};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;
use meerkat::runtime::cuda::Arch;
use meerkat::runtime::cuda::nvrtc::{Options, Source, compile_ptx};
use meerkat::testing::nvrtc_is_present;

/// Asserts a trap of the kernel, and that the device works on.
#[track_caller]
fn assert_trap(
    kernel_name: &str,
    cause: &str,
    launch: impl Fn(&Device, &mut DeviceBuffer<u32>) -> Result<(), Error>,
) {
    assert_trap_on(&Device::cpu(), kernel_name, cause, &launch);
    // The checked mode of a GPU finds the same, in a lane of its own choice.
    // Who has arrived at a collective it cannot see.
    if !cause.contains("arrived") && devices().iter().any(Device::is_cuda) {
        let device = Device::cuda_checked(0).expect("the device that is there");
        let kind = cause.split(' ').next().unwrap_or(cause);
        assert_trap_on(&device, kernel_name, kind, &launch);
    }
}

#[track_caller]
fn assert_trap_on(
    device: &Device,
    kernel_name: &str,
    cause: &str,
    launch: &impl Fn(&Device, &mut DeviceBuffer<u32>) -> Result<(), Error>,
) {
    let mut out = DeviceBuffer::zeroed(device, 40).expect("memory");
    let error = launch(device, &mut out).expect_err("a trap");
    let ErrorKind::Trap { kernel, file, line, what } = error.kind() else { panic!("{error}") };
    assert!(kernel == kernel_name && what.starts_with(cause), "{}: {error}", device.name());
    assert!(device.is_cuda() || what == cause, "{error}");
    assert!(file.ends_with("kernels/traps.rs"), "{file}");
    assert_eq!(error.to_string(), format!("kernel `{kernel_name}` at {file}:{line}: {what}"));
    assert_eq!(format!("{error:?}"), error.to_string());

    let counter = buffer::<Atomic<u32>>(device, &[0]);
    launches::census::launch(device, 40, 40, &counter, &mut out).expect("the device works on");
    assert_eq!(counter.to_vec().expect("a copy"), [40]);
}

#[test]
fn a_read_past_the_end_of_20_names_the_first_lane_to_do_it() {
    assert_trap(
        "reads_past_end",
        "index 20 is out of bounds: the slice has 20 elements",
        |d, out| traps::reads_past_end::launch(d, 40, &buffer(d, &[1; 20]), out),
    );
}

/// On CUDA, where nobody checked, this wrote into another buffer: a block has 256 threads.
#[test]
fn threads_beyond_the_32_asked_for_trap_on_the_cpu_too() {
    assert_trap("unguarded", "index 40 is out of bounds: the slice has 40 elements", |d, out| {
        traps::unguarded::launch(d, 32, out)
    });
}

#[test]
fn an_assertion_that_one_of_40_lanes_breaks() {
    assert_trap("asserts", "the assertion does not hold", |d, out| {
        traps::asserts::launch(d, 40, 33, out)
    });
}

#[test]
fn assertions_that_hold_change_nothing() {
    for device in super::devices() {
        let mut out = DeviceBuffer::zeroed(&device, 40).unwrap();
        traps::asserts::launch(&device, 40, 40, &mut out).unwrap();
        assert!(out.to_vec().unwrap().into_iter().eq(0..40), "{}", device.name());
    }
}

#[test]
fn a_write_past_the_end_of_40() {
    assert_trap(
        "writes_past_end",
        "index 40 is out of bounds: the slice has 40 elements",
        |d, out| traps::writes_past_end::launch(d, 64, out),
    );
}

#[test]
fn an_atomic_past_the_end_of_10() {
    assert_trap(
        "atomic_past_end",
        "index 12 is out of bounds: the slice has 10 elements",
        |d, _| traps::atomic_past_end::launch(d, 32, &buffer(d, &[0; 10])),
    );
}

#[test]
fn a_device_function_that_reads_past_the_end_of_20() {
    assert_trap(
        "calls_past_end",
        "index 20 is out of bounds: the slice has 20 elements",
        |d, out| traps::calls_past_end::launch(d, 40, &buffer(d, &[1; 20]), out),
    );
}

#[test]
fn a_trap_of_1_warp_of_1000_stops_the_launch() {
    let device = Device::cpu();
    let mut divisors = vec![1u32; 32_000];
    divisors[20_000] = 0;
    let mut out = DeviceBuffer::zeroed(&device, 32_000).expect("memory");
    let error = traps::divides::launch(&device, 32_000, &buffer(&device, &divisors), &mut out)
        .expect_err("a trap");
    assert!(matches!(error.kind(), ErrorKind::Trap { .. }), "{error}");
}

#[test]
fn integer_divisions_and_remainders_by_0() {
    assert_trap("divides", "division by zero", |d, out| {
        traps::divides::launch(d, 40, &buffer(d, &[0; 40]), out)
    });
    assert_trap("takes_remainder", "division by zero", |d, _| {
        let mut out = DeviceBuffer::zeroed(d, 40)?;
        traps::takes_remainder::launch(d, 40, &buffer(d, &[0; 40]), &mut out)
    });
}

#[test]
fn warp_dequeue_of_an_empty_queue() {
    let cause = "`warp_dequeue` reads lane 32, which is not one of the 32 lanes";
    assert_trap("dequeues_nothing", cause, |d, out| traps::dequeues_nothing::launch(d, 32, out));
}

#[test]
fn words_that_read_a_lane_past_the_last() {
    macro_rules! each {
        ($($kernel:ident $word:literal $lane:literal of $lanes:literal;)*) => {$(
            let (word, lane, lanes) = ($word, $lane, $lanes);
            let cause = format!("`{word}` reads lane {lane}, which is not one of the {lanes} lanes");
            assert_trap(stringify!($kernel), &cause, |d, out| traps::$kernel::launch(d, 32, out));
        )*};
    }
    each! {
        shuffles_outside "warp_shuffle" 32 of 32;
        broadcasts_outside "warp_broadcast" 32 of 32;
        shuffles_xor_outside "warp_shuffle_xor" 32 of 32;
        shuffles_up_outside "warp_shuffle_up" 32 of 32;
        shuffles_down_outside "warp_shuffle_down" 32 of 32;
        tile_dequeues_nothing "tile_dequeue" 8 of 8;
        tile_broadcasts_outside "tile_broadcast" 4 of 4;
    }
}

/// Each look that the checked mode takes can end in a fault, which it keeps by a
/// compare-and-swap: one for the element that is written, and one for the lane.
#[test]
fn the_checked_mode_looks_at_lanes_as_well_as_elements() {
    if !nvrtc_is_present() {
        return;
    }
    let kernels = [
        traps::dequeues_nothing::info(),
        traps::shuffles_outside::info(),
        traps::broadcasts_outside::info(),
        traps::shuffles_xor_outside::info(),
        traps::shuffles_up_outside::info(),
        traps::shuffles_down_outside::info(),
        traps::tile_dequeues_nothing::info(),
        traps::tile_broadcasts_outside::info(),
    ];
    for kernel in kernels {
        let text = kernel.checked_program();
        let source = Source { name: kernel.name(), text: &text };
        let ptx = compile_ptx(&source, &Options::new(Arch::new(9, 0))).unwrap();
        let (_, entry) = ptx.split_once(&format!(".entry {}(", kernel.name())).unwrap();
        let entry = entry.split(".entry ").next().unwrap();
        let looks = entry.lines().filter(|line| line.contains("atom") && line.contains(".cas."));
        assert_eq!(looks.count(), 2, "{}:\n{entry}", kernel.name());
    }
}

#[test]
fn collectives_that_16_of_32_lanes_reach() {
    macro_rules! each {
        ($($kernel:ident $word:literal;)*) => {$(
            let cause = format!(
                "`{}` needs all 32 lanes and 16 arrived (mask 0x0000ffff); call it where lanes do \
                 not part",
                $word
            );
            assert_trap(stringify!($kernel), &cause, |d, out| {
                traps::$kernel::launch(d, 40, out)
            });
        )*};
    }
    each! {
        partial_ballot "warp_ballot";
        partial_any "warp_any";
        partial_all "warp_all";
        partial_broadcast "warp_broadcast";
        partial_shuffle "warp_shuffle";
        partial_xor "warp_shuffle_xor";
        partial_up "warp_shuffle_up";
        partial_down "warp_shuffle_down";
        partial_sum "warp_reduce_sum";
        partial_min "warp_reduce_min";
        partial_max "warp_reduce_max";
        partial_or "warp_reduce_or";
        partial_call "warp_ballot";
    }
}

#[test]
fn an_enqueue_that_16_of_32_lanes_reach_is_a_trap() {
    let device = Device::cpu();
    let frontiers = Frontiers::new(&device, 100, &[]).expect("memory");
    let error = traps::partial_enqueue::launch(&device, 32, frontiers.next()).expect_err("a trap");
    let ErrorKind::Trap { kernel, what, .. } = error.kind() else { panic!("{error}") };
    assert_eq!(kernel, "partial_enqueue");
    assert!(what.contains("needs all 32 lanes and 16 arrived"), "{what}");
}
