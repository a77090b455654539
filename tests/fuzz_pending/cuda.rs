//! Kernels that differ on CUDA alone.

// The helper `expect` of `tests/fuzz_regressions.rs`.

#[kernel]
fn least_negated(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let least = 0x8000u32.wrapping_add(me & 1) as i16;
    out[me] = (-least) as i32 as u32;
}

// Found 0x8000 for 0xffff_8000, on sm_90 with NVRTC 13.0: ptxas computes `neg.s16`
// in 32 bits and extends no sign after it. So do `0 - x`, `x * -1` and `x.abs()`;
// `i8` and `i32` are right.
#[test]
fn the_least_i16_negated_is_itself() {
    let expected = |i: u32| if i & 1 == 0 { 0xffff_8000 } else { 0x7fff };
    expect(|d, n, own, out| least_negated::launch(d, n, own, out), expected);
}

// Collectives of tiles, then of the warp, without the checked mode: the seeds
// c5eb86cb87dc2e4e (an illegal address), 816213fdad2ec743, c6046c2df7c586aa and
// ce83b2bd6f4f1900 (wrong reductions and shuffles). ptxas leaves the WARPSYNC out
// before the warp's collective, though tiles may be apart after theirs.
