//! Kernels that compute something else on the CPU back end.

// The helper `expect` of `tests/fuzz_regressions.rs`.

#[kernel]
fn effects_in_broadcast(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let nothing = warp_broadcast(own[0].fetch_add(1) & 0, 0);
    let together = warp_ballot(true) & 0;
    out[me] = own[0].load() + nothing + together;
}

// Found 1: the native form evaluates the value in the lane that is read alone.
#[test]
fn every_lane_computes_what_is_broadcast() {
    expect(|d, n, own, out| effects_in_broadcast::launch(d, n, own, out), |_| 32);
}

#[kernel]
fn effects_in_shuffle(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let nothing = tile::<8>().shuffle(own[me].fetch_add(1) & 0, 3);
    out[me] = own[me].load() + nothing;
}

// Found 8 in lane 3 of a tile and 0 elsewhere: as often as it is asked for.
#[test]
fn every_lane_computes_what_its_tile_shuffles() {
    expect(|d, n, own, out| effects_in_shuffle::launch(d, n, own, out), |_| 1);
}

#[kernel]
fn effects_in_place(own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let mut cells = [0u32; 4];
    cells[own[me].fetch_add(1) & 3] += 5;
    out[me] = own[me].load() * 100 + cells[0];
}

// Found 200: `place op= value` evaluates the index of the place twice.
#[test]
fn a_place_is_evaluated_once() {
    expect(|d, n, own, out| effects_in_place::launch(d, n, own, out), |_| 105);
}

#[kernel]
fn name_matched(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let matched = 100u32;
    let value = match me & 31 {
        0 => matched,
        _ => 2u32,
    };
    out[me] = value;
}

// Found 0 in lane 0: the macro's own `matched` hides the user's.
#[test]
fn a_variable_may_be_called_matched() {
    expect(|d, n, own, out| name_matched::launch(d, n, own, out), |i| if i == 0 { 100 } else { 2 });
}

const LIMIT: u32 = 7;

#[kernel]
fn constant_pattern(_own: &[Atomic<u32>], out: &mut [u32]) {
    let me = thread_id();
    let value = match me {
        LIMIT => 1u32,
        _ => 2,
    };
    out[me] = value;
}

// Found 1 everywhere: the constant is taken for a binding.
#[test]
fn a_pattern_may_name_a_constant() {
    expect(|d, n, own, out| constant_pattern::launch(d, n, own, out), |i| if i == 7 { 1 } else { 2 });
}
