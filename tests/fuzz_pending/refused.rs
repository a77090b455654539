//! Kernels that the language allows and that do not compile.

// error: invalid digit found in string
#[kernel]
fn negative_patterns(out: &mut [u32]) {
    let me = thread_id();
    let x = me as i32 - 5;
    let value = match x {
        -5 => 1u32,
        -3..=-1 => 2,
        _ => 3,
    };
    out[me] = value;
}

// error[E0277]: the type `[u32]` cannot be indexed by `u32`, for each of the four:
// the scalar form knows arrays by a `let` with `[T; N]` or `[..]` in sight.
#[kernel]
fn copied_array(out: &mut [u32]) {
    let me = thread_id();
    let cells = [1u32, 2, 3];
    let copy = cells;
    out[me] = copy[me % 3];
}

#[kernel]
fn uniform_array(out: &mut [u32]) {
    let me = thread_id();
    let cells: Uniform<[u32; 2]> = [5, 6];
    out[me] = cells[me & 1];
}

#[kernel]
fn suffixed_index(out: &mut [u32]) {
    let me = thread_id();
    let cells = [1u32, 2, 3];
    out[me] = cells[2u32];
}

#[kernel]
fn shadowed_array(out: &mut [u32]) {
    let me = thread_id();
    let cells = [1u32, 2, 3];
    if me > 3 {
        let cells = me;
        out[me] = cells;
    }
    out[me] += cells[me % 3];
}

// error[E0502]: cannot borrow value as immutable because it is also borrowed as mutable
#[kernel]
fn own_element_as_index(out: &mut [u32]) {
    let me = thread_id();
    let mut cells = [1u32, 0, 3, 2];
    cells[cells[1] & 3] |= me;
    out[me] = cells[0];
}

#[device]
fn half(x: u32) -> u32 {
    x / 2
}

// error: this is evaluated before something that may change it, and not always:
// `half` changes nothing, and nothing changes a `&[u32]`.
#[kernel]
fn call_behind_and(a: &[u32], out: &mut [u32]) {
    let me = thread_id();
    if me > 3 && a[me] < half(me) {
        out[me] = 1;
    }
}

// error: control flow in the middle of an expression
#[kernel]
fn call_in_an_arm_of_an_operand(a: &[u32], out: &mut [u32]) {
    let me = thread_id();
    out[me] = 1 + if me > 3 { a[me] + half(me) } else { 0 };
}

// error[E0308]: mismatched types
#[kernel]
fn call_in_an_arm_to_a_place(a: &[u32], out: &mut [u32]) {
    let me = thread_id();
    out[me] = if me > 3 { a[me] + half(me) } else { 0 };
}
