//! What a launch reads and writes, as bits.

use crate::fuzz::language::{Carried, STRUCTS, Scalar, Slice, Ty, VERTICES};
use crate::fuzz::random::Random;
use std::collections::BTreeMap;

/// Threads of a launch: whole blocks on CUDA, so that no lane is beyond the end.
pub const THREADS: usize = 256;
/// Elements of an input: a power of two, so that an index can be masked.
pub const INPUTS: usize = 64;
/// Cells of a shared slice.
pub const CELLS: usize = 16;

/// Every slice a kernel takes, each element as the bits of its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory(pub BTreeMap<Slice, Vec<Vec<u64>>>);

impl Memory {
    /// The memory before the launch.
    pub fn new(slices: &[Slice], seed: u64) -> Memory {
        let mut random = Random::new(seed ^ 0x5eed);
        let fill = |&slice: &Slice| {
            if let Slice::Graph(carried) = slice {
                return (slice, lists(&mut random, carried));
            }
            let elements = (0..length(slice)).map(|_| {
                let parts = parts(slice);
                let part = |scalar: &Scalar| match slice {
                    Slice::Input(_) => value(&mut random, *scalar),
                    // Neither NaN nor a negative zero: the order of lanes would show.
                    _ if scalar.is_float() => 0,
                    _ => random.bits() & scalar.mask(),
                };
                parts.iter().map(part).collect()
            });
            (slice, elements.collect())
        };
        Memory(slices.iter().map(fill).collect())
    }
}

pub fn length(slice: Slice) -> usize {
    match slice {
        Slice::Input(_) => INPUTS,
        Slice::Shared(_) => CELLS,
        Slice::Graph(_) => VERTICES,
        Slice::Output(_) | Slice::Private(_) => THREADS,
    }
}

pub fn parts(slice: Slice) -> Vec<Scalar> {
    match slice {
        Slice::Input(ty) | Slice::Output(ty) => ty.parts(),
        Slice::Shared(scalar) | Slice::Private(scalar) => vec![scalar],
        Slice::Graph(_) => Vec::new(),
    }
}

/// The neighbours of each vertex, a weight after each: mostly few, sometimes more than
/// a slab holds.
fn lists(random: &mut Random, carried: Carried) -> Vec<Vec<u64>> {
    let hubs = random.pick(&[0, 0, 2, 5]);
    let most = random.pick(&[2, 4, 7]);
    let mut list = || {
        let degree = match random.below(100) {
            chance if chance < hubs => 10 + random.below(40),
            _ => random.below(most),
        };
        let first = random.below(VERTICES);
        let step = 2 * random.below(VERTICES / 2) + 1;
        let neighbor = |at: usize| (first + at * step) % VERTICES;
        let mut list = Vec::new();
        for at in 0..degree {
            let weight = carried.scalar().map_or(0, |scalar| match scalar {
                // Edges carry no NaN.
                Scalar::F32 => ((random.below(512) as f32 - 256.0) / 16.0).to_bits().into(),
                _ => value(random, scalar),
            });
            list.extend([neighbor(at) as u64, weight]);
        }
        list
    };
    (0..VERTICES).map(|_| list()).collect()
}

/// The slice's name in kernels and in the harness.
pub fn name(slice: Slice) -> String {
    let of = |ty| match ty {
        Ty::Struct(at) => STRUCTS[at].name.to_lowercase(),
        Ty::Scalar(scalar) => scalar.name().to_owned(),
        other => panic!("no slice of {other:?}"),
    };
    match slice {
        Slice::Input(ty) => format!("in_{}", of(ty)),
        Slice::Output(ty) => format!("out_{}", of(ty)),
        Slice::Shared(scalar) => format!("at_{}", scalar.name()),
        Slice::Private(scalar) => format!("own_{}", scalar.name()),
        Slice::Graph(carried) => carried.name().to_owned(),
    }
}

/// A value of the type, often one at an edge.
pub fn value(random: &mut Random, ty: Scalar) -> u64 {
    match ty {
        Scalar::Bool => random.bits() & 1,
        Scalar::F32 | Scalar::F64 => float(random, ty),
        _ => integer(random, ty),
    }
}

fn integer(random: &mut Random, ty: Scalar) -> u64 {
    let small = random.below(40) as i128 - if ty.is_signed() { 20 } else { 0 };
    match random.below(8) {
        0 => ty.wrap(ty.most()),
        1 => ty.wrap(ty.least()),
        2 => ty.wrap(-1),
        3 => ty.wrap(1 << random.below(ty.width() as usize)),
        4 | 5 => ty.wrap(small),
        _ => random.bits() & ty.mask(),
    }
}

fn float(random: &mut Random, ty: Scalar) -> u64 {
    let edges = [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        255.5,
        -128.75,
        65535.0,
        2_147_483_648.0,
        -2_147_483_649.0,
        4_294_967_296.0,
        9_223_372_036_854_775_808.0,
        -9_223_372_036_854_775_808.0,
        18_446_744_073_709_551_616.0,
        1e-40,
        -1e300,
        5e-324,
        0.1,
    ];
    let bits = match random.below(8) {
        0 | 1 => random.pick(&edges).to_bits(),
        2 => f64::NAN.to_bits(),
        3 => return random.bits() & ty.mask(),
        4 | 5 => ((random.bits() as i32 >> 12) as f64 / 16.0).to_bits(),
        _ => (random.below(64) as f64 - 32.0).to_bits(),
    };
    crate::fuzz::language::numbers::cast(Scalar::F64, bits, ty)
}
