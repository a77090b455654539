//! A trap names the line of the mistake, not that of the kernel.

use super::buffer;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

#[kernel]
fn reads_past_end(a: &[u32], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = a[i + 5]; // the mistake
    }
}

#[test]
fn a_read_past_the_end_names_its_own_line() {
    let device = Device::cpu();
    let mut out = DeviceBuffer::zeroed(&device, 20).expect("memory");
    let error = reads_past_end::launch(&device, 20, &buffer(&device, &[1; 20]), &mut out)
        .expect_err("a trap");
    let ErrorKind::Trap { line, .. } = error.kind() else { panic!("{error}") };
    let mark = "; // the mistake";
    let wanted = include_str!("trap_lines.rs").lines().position(|line| line.ends_with(mark));
    assert_eq!(Some(*line as usize - 1), wanted, "{error}");
}
