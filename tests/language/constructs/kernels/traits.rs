//! Device traits: functions, constants and types that each type has its own of; generic
//! structs with methods; const parameters. Each program is a device function, which Rust
//! runs as it stands: that is the oracle.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// A semiring: what shortest paths and reachability have in common.
#[device]
pub trait Semiring {
    const ZERO: Self;
    const ONE: Self;
    const WIDTH: u32;
    const NAMELESS: u32 = 77;
    type Code: DeviceType;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn of_bits(bits: u64) -> Self;
    fn code(self) -> u64;
    fn raw(self) -> Self::Code;
    fn is_zero(self) -> bool;
    /// Three of it.
    fn tripled(self) -> Self {
        let two = self.plus(self);
        two.plus(self)
    }
    /// A function that some types have their own of.
    fn both(self, other: Self) -> Self {
        if other.is_zero() { self } else { Self::plus(self, other).tripled() }
    }
    #[host]
    fn name() -> String {
        "semiring".to_owned()
    }
}

#[device]
impl Semiring for u64 {
    const ZERO: u64 = 0;
    const ONE: u64 = 1;
    const WIDTH: u32 = 64;
    type Code = u32;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: u64) -> u64 {
        self * other
    }
    fn of_bits(bits: u64) -> Self {
        bits * Self::ONE + Self::WIDTH as u64
    }
    fn code(self) -> u64 {
        self ^ 5
    }
    fn raw(self) -> Self::Code {
        self as u32 + 1
    }
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }
}

/// Sums of these are minima, products are sums.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Tropical {
    pub length: f32,
    pub steps: u32,
}

#[device]
impl Semiring for Tropical {
    const ZERO: Tropical = Tropical { length: f32::INFINITY, steps: 9 };
    const ONE: Self = Tropical { length: 0.0, steps: 0 };
    const WIDTH: u32 = 32;
    type Code = (f32, u32);
    fn plus(self, other: Self) -> Self {
        if other.length < self.length { other } else { self }
    }
    fn times(self, other: Self) -> Self {
        Self { length: self.length + other.length, steps: self.steps.max(other.steps) + 1 }
    }
    fn of_bits(bits: u64) -> Self {
        Tropical { length: bits as f32 * 0.5, steps: 1 }
    }
    fn code(self) -> u64 {
        (self.length.to_bits() as u64) << 32 | self.steps as u64
    }
    fn raw(self) -> Self::Code {
        (self.length, self.steps)
    }
    fn is_zero(self) -> bool {
        self.length == f32::INFINITY
    }
    fn both(self, _other: Self) -> Self {
        self.times(Self::ONE)
    }
}

#[device]
impl Semiring for bool {
    const ZERO: bool = false;
    const ONE: bool = true;
    const WIDTH: u32 = 1;
    const NAMELESS: u32 = 3;
    type Code = u8;
    fn plus(self, other: Self) -> Self {
        self | other
    }
    fn times(self, other: Self) -> Self {
        self & other
    }
    fn of_bits(bits: u64) -> Self {
        bits % 2 == 1
    }
    fn code(self) -> u64 {
        self as u64
    }
    fn raw(self) -> u8 {
        self as u8 + 250
    }
    fn is_zero(self) -> bool {
        !self
    }
}

#[device]
fn power<S: Semiring>(base: S, times: u32) -> S {
    let mut product = S::ONE;
    for _ in 0..times {
        product = product.times(base);
    }
    product
}

#[device]
fn dot<S: Semiring>(x: u64) -> u64 {
    let mut sum = S::ZERO;
    for i in 0..4u64 {
        let (a, b) = (S::of_bits(x + i), S::of_bits(x * i));
        sum = sum.plus(a.times(b));
    }
    sum.code() + power(S::of_bits(x), 3).code() + S::WIDTH as u64 * 1000 + S::NAMELESS as u64
}

#[device]
fn semiring_of_numbers(x: u64) -> u64 {
    dot::<u64>(x)
}

#[device]
fn semiring_of_structs(x: u64) -> u64 {
    dot::<Tropical>(x)
}

#[device]
fn semiring_of_flags(x: u64) -> u64 {
    dot::<bool>(x)
}

#[device]
fn default_functions(x: u64) -> u64 {
    let word: u64 = x.tripled().both(x);
    let path = Tropical::of_bits(x).tripled().both(Tropical::ZERO);
    let flag = Semiring::both(x == 2, x == 3);
    word + path.code() + flag.code()
}

#[device]
fn constants_of_traits(x: u64) -> u64 {
    let far = <Tropical as Semiring>::ZERO;
    let near = Tropical::ONE;
    far.code()
        + near.code()
        + x * u64::ONE
        + <u64 as Semiring>::NAMELESS as u64
        + bool::NAMELESS as u64
}

#[device]
fn code_of<S: Semiring<Code = u32>>(x: S) -> u64 {
    let raw: S::Code = x.raw();
    raw as u64 * 3
}

#[device]
fn associated_types(x: u64) -> u64 {
    let pair = Tropical::of_bits(x).raw();
    let byte = <bool as Semiring>::raw(x == 1);
    code_of(x) + pair.1 as u64 + pair.0 as u64 + byte as u64
}

#[device]
fn method_of_what_a_method_returns(x: u64) -> u64 {
    Tropical::of_bits(x).times(Tropical::of_bits(3)).times(Tropical::ONE).code()
}

// --- traits with parameters, traits above traits -----------------------------------

#[device]
pub trait Scale<T: Number> {
    fn scale(self, by: T) -> f64;
}

#[device]
impl Scale<u32> for f64 {
    fn scale(self, by: u32) -> f64 {
        self * by as f64
    }
}

#[device]
impl Scale<f32> for f64 {
    fn scale(self, by: f32) -> f64 {
        self + by as f64 * 100.0
    }
}

#[device]
fn scaled<T: Number, S: Scale<T>>(value: S, by: T) -> f64 {
    value.scale(by) + value.scale(by + by)
}

#[device]
fn traits_with_parameters(x: u64) -> u64 {
    let value = x as f64;
    (scaled(value, 3u32) + scaled(value, 2.5f32)) as u64
}

#[device]
pub trait Ranked: Semiring {
    fn rank(self) -> u32;
    fn better(self, other: Self) -> Self {
        let mine = self.plus(Self::ZERO);
        if other.rank() < self.rank() { other } else { mine }
    }
}

#[device]
impl Ranked for Tropical {
    fn rank(self) -> u32 {
        self.steps * 10 + self.length as u32
    }
}

#[device]
fn best_of<R: Ranked>(x: u64) -> u64 {
    let mut best = R::of_bits(x);
    for i in 0..5u64 {
        best = best.better(R::of_bits((x + i * 3) % 4).times(R::ONE));
    }
    best.code()
}

#[device]
fn traits_above_traits(x: u64) -> u64 {
    best_of::<Tropical>(x)
}

// --- numbers as bounds ----------------------------------------------------------------

#[device]
fn clamped_sum<T: Number>(a: T, b: T) -> T {
    let sum = a * b - a / (b + T::ONE) + T::from_u32(3);
    if sum > a { sum.min(a + b) } else { sum.max(T::ZERO) % (b + T::ONE) }
}

#[device]
fn arithmetic_of_any_number(x: u64) -> u64 {
    let byte: u8 = clamped_sum(x as u8 + 20, 9);
    let short = clamped_sum(-7i16, x as i16) as u8;
    let wide = clamped_sum(x << 40, 3);
    let single = clamped_sum(x as f32 + 0.1, 0.7);
    byte as u64 + short as u64 + wide + (single * 1000.0) as u64
}

#[device]
fn norm<F: Float>(a: F, b: F) -> F {
    let mut sum = a * a + b * b;
    sum /= F::from_f64(3.0);
    -(-sum).abs() + sum.sqrt() * F::from_u32(7)
}

#[device]
fn either_precision(x: u64) -> u64 {
    let single = norm(x as f32, 0.3);
    let double = norm(x as f64, 0.3);
    single.to_bits() as u64 + f64::to_bits(double) + (single.to_f64() * 100.0) as u64
}

// --- generic structs --------------------------------------------------------------------

#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Pair<T: Number> {
    pub first: T,
    pub second: T,
}

#[device]
impl<T: Number> Pair<T> {
    fn of(first: T, second: T) -> Self {
        Self { first, second }
    }
    fn swapped(self) -> Self {
        Pair { first: self.second, second: self.first }
    }
    fn plus_all(self, other: Pair<T>) -> Pair<T> {
        Self::of(self.first + other.first, self.second + other.second)
    }
    fn folded<S: Semiring>(self, with: S) -> u64 {
        with.code() + (self.first - self.second).to_f64() as u64
    }
}

#[device]
impl Pair<u32> {
    fn packed(self) -> u64 {
        (self.first as u64) << 32 | self.second as u64
    }
}

#[device]
impl<T: Number> Ordered for Pair<T> {
    const LEAST: Self = Pair { first: T::ZERO, second: T::ONE };
    fn precedes(self, other: Self) -> bool {
        self.first < other.first || self.first == other.first && self.second < other.second
    }
}

#[device]
pub trait Ordered {
    const LEAST: Self;
    fn precedes(self, other: Self) -> bool;
}

#[device]
fn least<O: Ordered>(a: O, b: O) -> O {
    let smaller = if b.precedes(a) { b } else { a };
    if O::LEAST.precedes(smaller) { smaller } else { O::LEAST }
}

#[device]
fn methods_of_a_generic_struct(x: u64) -> u64 {
    let pair = Pair::of(x as u32, 7);
    let other = Pair { first: 3, second: 1 << 20 };
    let sum = pair.swapped().plus_all(other);
    sum.packed() + Pair::of(x as f32, 0.5).swapped().plus_all(Pair::of(1.5, 2.5)).second as u64
}

#[device]
fn generic_method_of_a_generic_struct(x: u64) -> u64 {
    Pair::<i16>::of(900, x as i16).folded(x == 1) + Pair::of(2.5, x as f64).folded(Tropical::ONE)
}

#[device]
fn trait_of_a_generic_struct(x: u64) -> u64 {
    let words = least(Pair::of(x as u32, 3), Pair::of(2, 9));
    let reals = least(Pair::of(x as f64 * 0.5, 3.0), Pair::of(0.5, 9.0));
    words.packed() + reals.first as u64 + reals.second as u64
}

// --- const parameters ---------------------------------------------------------------------

#[device]
fn sum_of<const N: usize>(items: [u32; N]) -> u32 {
    let mut sum = 0;
    for i in 0..N as u32 {
        sum += items[i];
    }
    sum
}

#[device]
fn filled<T: Number, const N: usize>(value: T) -> [T; N] {
    let mut all = [value; N];
    all[N as u32 - 1] = T::ONE;
    all
}

#[device]
fn digits<const BASE: u32, const SIGNED: bool>(x: u64) -> u64 {
    let digit = x % BASE as u64;
    if SIGNED { digit + 3 } else { digit + BASE as u64 }
}

#[device]
fn lengths_as_parameters(x: u64) -> u64 {
    let four = filled::<u32, 4>(x as u32);
    let six: [f32; 6] = filled(1.5);
    (sum_of(four) + sum_of([1, 2, x as u32])) as u64 + six[x as u32 + 2] as u64
}

#[device]
fn numbers_as_parameters(x: u64) -> u64 {
    digits::<7, true>(x * 5) + digits::<3, false>(x * 5)
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Row<T: Number, const N: usize> {
    pub items: [T; N],
    pub used: u32,
}

#[device]
impl<T: Number, const N: usize> Row<T, N> {
    const ROOM: usize = N * 2;
    fn empty() -> Self {
        Row { items: [T::ZERO; N], used: 0 }
    }
    fn with(self, item: T) -> Self {
        let mut longer = self;
        longer.items[self.used] = item;
        longer.used += 1;
        longer
    }
    fn total(self) -> T {
        let mut sum = T::ZERO;
        for i in 0..N as u32 {
            sum += self.items[i];
        }
        sum * T::from_u32(Self::ROOM as u32)
    }
}

#[device]
fn structs_of_any_length(x: u64) -> u64 {
    let short = Row::<u32, 2>::empty().with(x as u32).with(5);
    let long: Row<f64, 5> = Row::empty().with(0.25).with(x as f64);
    short.total() as u64 + long.total() as u64 + long.used as u64
}

const DEPTH: usize = 3;

#[device]
fn array_of_a_constant_length(x: u64) -> u64 {
    let mut all = [x + 1; DEPTH];
    all[1] *= 2;
    all[0] + all[1] + all[DEPTH as u32 - 1]
}

#[device]
fn value_of_an_array_once(x: u64) -> u64 {
    let all = [dot::<u64>(x); 3];
    all[0] + all[2]
}

const START: Tropical = Tropical { length: 2.5, steps: 4 };
const TABLE: [u16; 4] = [7, 60000, 3, 1];

#[device]
fn constants_of_structs_and_arrays(x: u64) -> u64 {
    START.times(Tropical::ONE).code() + TABLE[x as u32] as u64
}

/// Words of Rust as names, and an alias that Rust does not write like a type.
#[device]
pub trait Words {
    const NONE: Self;
    fn r#type(self) -> u64;
    fn twice(self) -> Self;
    fn r#match(self) -> u64 {
        self.r#type() + 1
    }
}

#[allow(non_camel_case_types)]
type int = i32;

#[device]
impl Words for int {
    const NONE: int = -1;
    fn r#type(self) -> u64 {
        Self::r#match(self / 2 - 1) * 3 + 5
    }
    fn twice(self) -> Self {
        self * 2
    }
    fn r#match(self) -> u64 {
        self as u64 % 100
    }
}

#[device]
impl Words for u8 {
    const NONE: u8 = 2;
    fn r#type(self) -> u64 {
        self as u64
    }
    fn twice(self) -> Self {
        self + Self::NONE.min(self)
    }
}

#[device]
fn words_of_rust_as_names(x: u64) -> u64 {
    let small = x as u8;
    small.twice().r#match() + (x as int + 4).twice().r#type() + <u8 as Words>::r#type(3)
}

#[device]
fn copies_of_a_literal_of_a_generic_struct(x: u64) -> u64 {
    let pair = Pair { first: x, second: 7 };
    let copy = pair;
    let other = if x > 1 { copy } else { pair };
    let edge = Edge { src: 1, dst: 2, weight: 3u32 };
    let same = edge;
    other.first + copy.second + same.weight as u64
}

/// Names of the language, and constants of numbers that Rust has not.
#[device]
pub trait Policy {
    const BITS: u32;
    const INFINITY: u32;
    fn lane_id() -> u32;
    fn find_neighbor(of: u32) -> u32;
    fn select(which: bool, a: u32, b: u32) -> u32;
}

macro_rules! policies {
    ($($ty:ty: $bits:literal;)*) => {$(
        #[device]
        impl Policy for $ty {
            const BITS: u32 = $bits;
            const INFINITY: u32 = $bits + 1;
            fn lane_id() -> u32 {
                900 + Self::INFINITY
            }
            fn find_neighbor(of: u32) -> u32 {
                of + $bits
            }
            fn select(which: bool, a: u32, b: u32) -> u32 {
                if which { b } else { a }
            }
        }
    )*};
}

policies! {
    bool: 1;
    [u32; 2]: 64;
}

#[device]
pub trait Sum {
    fn sum(self) -> u32;
    fn checked(self, most: u32) -> u32;
}

#[device]
impl Sum for [u32; 2] {
    fn sum(self) -> u32 {
        self[0] + self[1]
    }
    fn checked(self, most: u32) -> u32 {
        assert!(self[0] < most, "{most}");
        assert_eq!(self[0] + self[1], self[1] + self[0]);
        self.sum() * 2
    }
}

#[device]
fn functions_named_like_words(x: u64) -> u64 {
    let chosen = bool::select(x > 1, 3, 4) + <[u32; 2] as Policy>::select(x > 1, 5, 6);
    let found = bool::find_neighbor(x as u32);
    (found + chosen + bool::lane_id() + <[u32; 2] as Policy>::lane_id()) as u64
}

#[device]
fn constants_of_numbers_of_ones_own(x: u64) -> u64 {
    x + bool::BITS as u64 * 100 + bool::INFINITY as u64 + <[u32; 2] as Policy>::BITS as u64
}

#[device]
fn methods_of_arrays(x: u64) -> u64 {
    let pair = [x as u32, 7];
    (pair.sum() + pair.checked(1000)) as u64
}

programs! {
    traits: functions_named_like_words constants_of_numbers_of_ones_own methods_of_arrays words_of_rust_as_names copies_of_a_literal_of_a_generic_struct semiring_of_numbers semiring_of_structs semiring_of_flags default_functions
    constants_of_traits associated_types method_of_what_a_method_returns
    traits_with_parameters traits_above_traits arithmetic_of_any_number either_precision
    methods_of_a_generic_struct generic_method_of_a_generic_struct trait_of_a_generic_struct
    lengths_as_parameters numbers_as_parameters structs_of_any_length
    array_of_a_constant_length value_of_an_array_once constants_of_structs_and_arrays
}

/// An operator that is generic over a trait and its graph.
#[vertex_operator]
pub fn gather<W: Weight, S: Semiring>(
    v: Vertex,
    graph: &Graph<W>,
    from: &[S],
    best: &mut [S],
    codes: &[Atomic<u64>],
) {
    let own = from[v];
    best[v] = own.plus(S::ONE);
    for_each_neighbor(graph, v, true, |dst, weight| {
        let product = own.times(from[dst]);
        codes[dst].fetch_add(product.code() + weight.to_bits() as u64);
    });
}

/// A kernel with a const parameter.
#[kernel]
pub fn strided<const STEP: u32>(out: &mut [u64]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = (i * STEP) as u64;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    let mut all = vec![traits::info(), strided::info::<3>(), strided::info::<8>()];
    for schedule in Schedule::ALL {
        all.push(gather::info_with::<u32, u64>(schedule));
        all.push(gather::info_with::<(), Tropical>(schedule));
    }
    all
}
