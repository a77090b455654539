//! Types that only rustc knows: numbers without suffix, aliases, fields, constants
//! of one name, calls, tuples, arrays, ranges, shifts, casts, generics. Each program
//! is a device function, which Rust runs as it stands: that is the oracle.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

pub type Key = u64;
pub type Level = u8;
pub type Share = f32;
pub type Flag = bool;
pub type Signed = i64;
pub type Pairs = Pair<u64>;

#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Pair<T: DeviceType> {
    pub first: T,
    pub second: T,
}

/// Fields of an alias, of an array, of words that C++ keeps for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Row {
    pub key: Key,
    pub share: Share,
    pub words: [u32; 3],
    pub long: u16,
    pub class: Level,
}

pub mod left {
    pub const LIMIT: u64 = 1 << 40;
    pub const STEP: u8 = 200;

    /// One name in two modules.
    #[meerkat::runtime::device]
    pub fn scaled(x: u64) -> u64 {
        x * LIMIT
    }
}

pub mod right {
    pub const LIMIT: u64 = 3;
    pub const STEP: i64 = -7;

    #[meerkat::runtime::device]
    pub fn scaled(x: u64) -> u64 {
        x + LIMIT
    }
}

#[device]
fn wide(x: u64) -> u64 {
    x
}

#[device]
fn narrow(x: u8) -> u64 {
    x as u64
}

#[device]
fn single(x: f32) -> f32 {
    x
}

#[device]
fn double(x: f64) -> f64 {
    x
}

#[device]
fn signed(x: i64) -> u64 {
    x as u64
}

#[device]
fn both(pair: (u64, f32)) -> u64 {
    pair.0 + pair.1 as u64
}

#[device]
fn same<T: DeviceType>(x: T) -> T {
    x
}

#[device]
fn swapped<T: DeviceType>(pair: Pair<T>) -> Pair<T> {
    Pair { first: pair.second, second: pair.first }
}

#[device]
fn length<W: Weight>(weight: W) -> u32 {
    weight.to_bits() + 1
}

// --- arguments ---------------------------------------------------------------

#[device]
fn argument_of_64_bits(x: u64) -> u64 {
    wide(1 << 40) + x
}

#[device]
fn product_as_argument(x: u64) -> u64 {
    wide(1000000 * 1000000) + x
}

#[device]
fn sum_of_floats_as_argument(x: u64) -> u64 {
    single(16777216.0 + 1.0 - 16777216.0) as u64 + x
}

#[device]
fn sum_of_doubles_as_argument(x: u64) -> u64 {
    double(16777216.0 + 1.0 - 16777216.0) as u64 + x
}

#[device]
fn byte_as_argument(x: u64) -> u64 {
    narrow(200 + 50) + narrow(255 & 0xf0) + x
}

#[device]
fn negative_argument(x: u64) -> u64 {
    signed(-(1 << 40)) >> 8 | x
}

#[device]
fn argument_by_branches(x: u64) -> u64 {
    wide(if x > 2 { 1 << 33 } else { 5 })
}

#[device]
fn argument_of_a_tuple(x: u64) -> u64 {
    both((1 << 35, 16777216.0 + 1.0)) + x
}

#[device]
fn arguments_of_one_generic(x: u64) -> u64 {
    let a: u64 = same(1 << 36);
    let b: u8 = same(250);
    let c: f32 = same(0.1);
    a + b as u64 + (c * 1e9) as u64 + length(7u32) as u64 + x
}

#[device]
fn argument_of_its_own(x: u64) -> u64 {
    same(x) + same(3000000000u32) as u64 + (same(-1) as u64 >> 8)
}

// --- variables and aliases ------------------------------------------------------

#[device]
fn alias_of_a_number(x: u64) -> u64 {
    let key: Key = 1 << 40;
    key + x
}

#[device]
fn cast_to_an_alias(x: u64) -> u64 {
    (300.0f32 as Level) as u64 + (x as Level) as u64 + (-1i32 as Key >> 60)
}

#[device]
fn number_under_a_cast(x: u64) -> u64 {
    4000000000 as u64 + 4000000000 as Key + (1 << 4) as u64 + x
}

#[device]
fn negative_under_a_cast(x: u64) -> u64 {
    (-5 as Signed) as u64 / 3 + (-5 as i8) as u64 / 5 + (!0 as Key >> 1) / 7 + x
}

#[device]
fn float_under_a_cast(x: u64) -> u64 {
    (16777217.0 as Share) as u64 + 16777217.0 as u64 + (0.1 as f64 * 1e17) as u64 + x
}

#[device]
fn variable_by_its_use(x: u64) -> u64 {
    let mut sum = 0;
    let mut step = 1;
    for _ in 0..50 {
        sum += step * 1000000000;
        step += 1;
    }
    sum + x
}

#[device]
fn variable_by_a_later_argument(x: u64) -> u64 {
    let big = 1 << 37;
    let small = 200;
    wide(big) + narrow(small) + x
}

#[device]
fn variable_of_nothing_else(x: u64) -> u64 {
    let three = 3;
    let half = 0.5;
    if three > 2 && half < 0.75 { x + 1 } else { x }
}

#[device]
fn shadowed_by_another_type(x: u64) -> u64 {
    let x = x + 1;
    let y = x;
    let x = 7u8;
    let y = y + (x << 3) as u64;
    let x = x as u64 + 300;
    x + y
}

#[device]
fn wrapping_byte(x: u64) -> u64 {
    let mut level: Level = 250;
    level += 3;
    let next = level / 3 * 2;
    next as u64 + x
}

// --- fields, tuples, arrays -------------------------------------------------------

#[device]
fn field_of_an_alias(x: u64) -> u64 {
    let mut row = Row { key: 1 << 40, share: 0.1, words: [1, 2, 3], long: 65535, class: 200 };
    row.key |= 1 << 41;
    row.key + row.class as u64 + row.long as u64 + x
}

#[device]
fn sum_of_fields(x: u64) -> u64 {
    let row = Row { key: x, share: 16777216.0, words: [9, 8, 7], long: 60000, class: 100 };
    let sum = row.share + 1.0 - 16777216.0;
    let long = row.long / 7 * 3;
    (sum as u64) + long as u64 + (row.class + 55) as u64
}

#[device]
fn shifted_field(x: u64) -> u64 {
    let row = Row { key: 3, share: 0.0, words: [0, 0, 1 << 31], long: 0, class: 0x81 };
    (row.key << 40) + (row.words[2] >> 3) as u64 + (row.class << 1) as u64 + x
}

#[device]
fn compared_field(x: u64) -> u64 {
    let row = Row { key: 1 << 40, share: 0.1, words: [0, 0, 4000000000], long: 0, class: 255 };
    let bits = (row.key > 1 << 39) as u64 | ((row.share < 0.1000001) as u64) << 1;
    bits | ((row.words[2] > 3000000000) as u64) << 2 | ((row.class >= 128) as u64) << 3 | x << 4
}

#[device]
fn generic_struct_by_its_fields(x: u64) -> u64 {
    let pair = Pair { first: 1 << 40, second: x };
    let other = Pair { first: 250, second: 7u8 };
    let swapped = swapped(pair);
    swapped.first + (swapped.second >> 38) + (other.first - other.second) as u64
}

#[device]
fn alias_of_a_struct(x: u64) -> u64 {
    let pair: Pairs = Pair { first: 1 << 50, second: 1 };
    let made = Pairs { first: x, second: 1 << 51 };
    (pair.first >> 48) + (made.second >> 48) + made.first
}

#[device]
fn tuple_of_numbers(x: u64) -> u64 {
    let (a, b, c) = (1 << 33, 0.1, 200);
    let mut s = x;
    s += a;
    s + narrow(c) + (single(b) * 1e8) as u64
}

#[device]
fn tuple_in_a_variable(x: u64) -> u64 {
    let mut pair = (1, 2);
    pair.0 += 1 << 40;
    pair.1 += 250u8;
    wide(pair.0) + pair.1 as u64 + x
}

#[device]
fn untyped_array(x: u64) -> u64 {
    let a = [0, 1, 1 << 20];
    let b = [1 << 40, x];
    let c = [0.1; 2];
    (a[2] + a[1]) as u64 + b[0] + b[1] + (single(c[1]) * 1e8) as u64
}

#[device]
fn array_by_one_item(x: u64) -> u64 {
    let mut a = [250, 3u8, 4];
    a[1] += a[0];
    let mut sum = 0;
    for i in 0..3 {
        sum += a[i] as u64;
    }
    sum + x
}

// `a | b` of two `bool`s is an `int` in C++, and `~` of that is never 0. The fuzzer found
// it where one of them is of an alias.
#[device]
fn flags_of_an_alias(x: u64) -> u64 {
    let is_small: Flag = x < 2;
    let flags: [Flag; 2] = [x == 1, x == 3];
    let neither = !(is_small | flags[1]);
    let one = !(flags[0] ^ is_small);
    let both = !(flags[1] & true);
    let chosen = !(if x > 1 { flags[0] } else { is_small | (x == 7) });
    neither as u64 | (one as u64) << 1 | (both as u64) << 2 | (chosen as u64) << 3
}

// --- ranges, shifts, comparisons --------------------------------------------------

#[device]
fn range_by_its_use(x: u64) -> u64 {
    let mut s: u64 = x;
    for j in 1..3 {
        s |= j << 40;
    }
    s
}

#[device]
fn range_of_an_alias(x: u64) -> u64 {
    let end: Key = 4;
    let mut s = 0;
    for j in 2..end {
        s += (1 << (10 * j)) + x;
    }
    s
}

#[device]
fn range_to_the_largest(x: u64) -> u64 {
    let mut turns = 0;
    for level in 250..=255u8 {
        turns += level as u64;
    }
    turns + x
}

#[device]
fn negative_range(x: u64) -> u64 {
    let mut sum = 0;
    for i in -3..3 {
        sum += i * 1000000000 * 4;
    }
    signed(sum) + x
}

#[device]
fn shifts_of_every_width(x: u64) -> u64 {
    let by = x as u32 % 8;
    let a = 1u8 << by;
    let b = 0x8000u16 >> by;
    let c = -128i8 >> by;
    let d = 1 << (by + 40) as u64;
    wide(d) + a as u64 + b as u64 + (c as u64 & 0xff)
}

#[device]
fn shift_by_a_number_of_another_type(x: u64) -> u64 {
    let by: Level = 33;
    (1u64 << by) + (x << 2u64) + (0xffu64 << 3i64)
}

#[device]
fn mask_by_its_use(x: u64) -> u64 {
    let mask = !(1 << 40);
    x & mask | (1 << 50) - 1 & 7
}

#[device]
fn remainders_and_quotients(x: u64) -> u64 {
    let a = -7 / 2;
    let b = -7 % 3;
    let c = 7.5 % 2.0;
    signed(a + b) / 2 + (double(c) * 10.0) as u64 + x
}

#[device]
fn compared_numbers(x: u64) -> u64 {
    let big = -1;
    let is_less = big < 1;
    let is_equal = 0.1 + 0.2 == 0.3;
    let is_single = 0.1f32 + 0.2 == 0.3;
    is_less as u64 | (is_equal as u64) << 1 | (is_single as u64) << 2 | x << 3
}

#[device]
fn chosen_by_match(x: u64) -> u64 {
    let big = match x {
        0 => 1 << 40,
        1 | 2 => 5,
        _ => 1 << 41,
    };
    let level: Level = match x {
        0..=1 => 255,
        _ => 254,
    };
    big + (level / 2) as u64
}

// --- constants ---------------------------------------------------------------------

#[device]
fn constants_of_one_name(x: u64) -> u64 {
    x + left::LIMIT + right::LIMIT + left::STEP as u64 + (right::STEP * -3) as u64
}

#[device]
fn functions_of_one_name(x: u64) -> u64 {
    left::scaled(x) + right::scaled(x)
}

pub const NULL: u64 = 1 << 38;
pub const FULL_MASK: u64 = 5;
pub const INFINITY: Share = 2.5;

#[device]
fn constants_named_as_cuda_names_things(x: u64) -> u64 {
    NULL + FULL_MASK + INFINITY as u64 + x
}

#[device]
fn limits(x: u64) -> u64 {
    (u32::MAX as u64) + (i8::MIN as u64 & 0xff) + i64::BITS as u64 + (u64::MAX >> 60) + x
}

// --- names ---------------------------------------------------------------------------

#[device]
fn isnan(x: u64) -> u64 {
    x + 1
}

#[device]
fn printf(size_t: u64) -> u64 {
    size_t + 2
}

#[device]
fn names_of_cuda(x: u64) -> u64 {
    let dim3 = x;
    let float2 = dim3 + 1;
    let threadIdx = float2 + 1;
    let warpSize = 3;
    let assert = 1;
    isnan(threadIdx) + printf(warpSize) + assert - 1
}

#[device]
fn variables_of_many_kinds_of_names(x: u64) -> u64 {
    let r#struct = x;
    let template = r#struct + 1;
    let int = template + 1;
    let größe = int + 1;
    let isnan = größe + 1;
    let printf = printf(isnan);
    printf
}

/// What goes to `_` may have a type, and says it.
#[device]
fn typed_where_thrown_away(n: u64) -> u64 {
    let (wide, small, byte) = (1, 200, 250);
    let (_, half): (u64, u32) = (wide, 7);
    let _: u8 = byte;
    let _: u16 = small;
    let shifted = ((wide << 40) >> 35) + small.wrapping_mul(1000) as u64;
    shifted + byte.wrapping_add(10) as u64 + (half as u64) * n
}

programs! {
    inferred: typed_where_thrown_away argument_of_64_bits product_as_argument sum_of_floats_as_argument
    sum_of_doubles_as_argument byte_as_argument negative_argument argument_by_branches
    argument_of_a_tuple arguments_of_one_generic argument_of_its_own
    alias_of_a_number cast_to_an_alias number_under_a_cast negative_under_a_cast
    float_under_a_cast variable_by_its_use variable_by_a_later_argument
    variable_of_nothing_else shadowed_by_another_type wrapping_byte
    field_of_an_alias sum_of_fields shifted_field compared_field generic_struct_by_its_fields
    alias_of_a_struct tuple_of_numbers tuple_in_a_variable untyped_array array_by_one_item
    flags_of_an_alias range_by_its_use range_of_an_alias range_to_the_largest negative_range
    shifts_of_every_width shift_by_a_number_of_another_type mask_by_its_use
    remainders_and_quotients compared_numbers chosen_by_match
    constants_of_one_name functions_of_one_name constants_named_as_cuda_names_things limits
    names_of_cuda variables_of_many_kinds_of_names
}

/// An alias of a graph, renamed types, a captured alias, untyped numbers in a closure.
pub type Roads = Graph<u32>;

#[vertex_operator]
pub fn inferred_walk(v: Vertex, graph: &Roads, out: &mut [u64]) {
    let far: Key = 1 << 40;
    let step = 3;
    let mut total: u64 = 0;
    for_each_neighbor(graph, v, true, |dst, weight| {
        let doubled = weight * 2;
        if doubled > 4 {
            total += far + doubled as u64 * step + (dst % 2) as u64;
        }
    });
    out[v] = total;
}

/// Six bytes, and two: no whole words.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Small {
    pub a: u16,
    pub b: u16,
    pub c: u16,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Tiny {
    pub a: u8,
    pub b: u8,
}

#[device]
fn total(small: Small, tiny: Tiny) -> u32 {
    (small.a + small.b * 2 + small.c * 3) as u32 + tiny.a as u32 + tiny.b as u32 * 1000
}

#[vertex_operator]
pub fn small_structs(v: Vertex, graph: &Graph, small: &[Small], tiny: &[Tiny], out: &mut [u32]) {
    let (mine, tag) = (small[v], tiny[v]);
    let mut sum = 0u32;
    for_each_neighbor(graph, v, true, |dst| sum += total(mine, tag) + dst % 2);
    out[v] = sum;
}

// The text of each `let` in a branch was written out in the next: 2^22 copies.
#[kernel]
pub fn chained_branches(pairs: &[Pair<u64>], out: &mut [u64]) {
    let i = thread_id();
    if i < out.len() {
        let found = if i > 3 {
            let a = pairs[i].first;
            let b = a + a;
            let c = b + b;
            let d = c + c;
            let e = d + d;
            let f = e + e;
            let g = f + f;
            let h = g + g;
            let k = h + h;
            let l = k + k;
            let m = l + l;
            let n = m + m;
            let o = n + n;
            let p = o + o;
            let q = p + p;
            let r = q + q;
            let s = r + r;
            let t = s + s;
            let u = t + t;
            let v = u + u;
            let w = v + v;
            let x = w + w;
            x + x
        } else {
            pairs[i].second
        };
        out[i] = found;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    let [small, small_hybrid] = [Schedule::Warp, Schedule::Hybrid].map(small_structs::info_with);
    vec![inferred::info(), inferred_walk::info(), small, small_hybrid, chained_branches::info()]
}
