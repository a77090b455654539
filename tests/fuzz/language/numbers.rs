//! What operations on numbers mean: docs/LANGUAGE.md, *Semantics*, once more.
//! Integers go through `i128` and are wrapped; floats are computed as they are.

use super::{Method, Op, Scalar};

pub fn neg(ty: Scalar, a: u64) -> u64 {
    match ty {
        Scalar::F32 => a ^ 1 << 31,
        Scalar::F64 => a ^ 1 << 63,
        _ => ty.wrap(-ty.integer(a)),
    }
}

pub fn not(ty: Scalar, a: u64) -> u64 {
    !a & ty.mask()
}

/// A binary operation on two values of `ty`; the distance of a shift has the
/// type `right`.
pub fn binary(op: Op, ty: Scalar, a: u64, right: Scalar, b: u64) -> u64 {
    match op {
        Op::Shl | Op::Shr => shift(op, ty, a, right.integer(b)),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => compare(op, ty, a, b).into(),
        _ if ty == Scalar::F32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let result = match op {
                Op::Add => a + b,
                Op::Sub => a - b,
                Op::Mul => a * b,
                _ => a / b,
            };
            result.to_bits().into()
        }
        _ if ty == Scalar::F64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let result = match op {
                Op::Add => a + b,
                Op::Sub => a - b,
                Op::Mul => a * b,
                _ => a / b,
            };
            result.to_bits()
        }
        _ => {
            let (a, b) = (ty.integer(a), ty.integer(b));
            ty.wrap(match op {
                Op::Add => a + b,
                Op::Sub => a - b,
                Op::Mul => a.wrapping_mul(b),
                Op::Div => a.checked_div(b).expect("the generator divides by no zero"),
                _ => a.checked_rem(b).expect("the generator divides by no zero"),
            })
        }
    }
}

fn shift(op: Op, ty: Scalar, a: u64, by: i128) -> u64 {
    let by = by.rem_euclid(i128::from(ty.width())) as u32;
    let a = ty.integer(a);
    ty.wrap(if op == Op::Shl { a << by } else { a >> by })
}

fn compare(op: Op, ty: Scalar, a: u64, b: u64) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match ty {
        Scalar::F32 | Scalar::F64 => ty.float(a).partial_cmp(&ty.float(b)),
        Scalar::Bool => Some(a.cmp(&b)),
        _ => Some(ty.integer(a).cmp(&ty.integer(b))),
    };
    match op {
        Op::Eq => order == Some(Equal),
        Op::Ne => order != Some(Equal),
        Op::Lt => order == Some(Less),
        Op::Le => matches!(order, Some(Less | Equal)),
        Op::Gt => order == Some(Greater),
        _ => matches!(order, Some(Greater | Equal)),
    }
}

/// `value as to`.
pub fn cast(from: Scalar, value: u64, to: Scalar) -> u64 {
    if from.is_float() {
        let value = from.float(value);
        return match to {
            Scalar::F32 => (value as f32).to_bits().into(),
            Scalar::F64 => value.to_bits(),
            _ if value.is_nan() => 0,
            _ if value <= to.least() as f64 => to.wrap(to.least()),
            _ if value >= (to.most() + 1) as f64 => to.wrap(to.most()),
            _ => to.wrap(value.trunc() as i128),
        };
    }
    let value = if from == Scalar::Bool { i128::from(value) } else { from.integer(value) };
    match to {
        Scalar::F32 => (value as f32).to_bits().into(),
        Scalar::F64 => (value as f64).to_bits(),
        _ => to.wrap(value),
    }
}

/// The lesser or the greater; of a NaN and a number, the number.
pub fn extreme(ty: Scalar, a: u64, b: u64, greater: bool) -> u64 {
    if ty.is_float() && ty.float(a).is_nan() {
        return b;
    }
    if ty.is_float() && ty.float(b).is_nan() {
        return a;
    }
    let op = if greater { Op::Gt } else { Op::Lt };
    if compare(op, ty, a, b) { a } else { b }
}

pub fn method(method: Method, ty: Scalar, a: u64, b: u64) -> u64 {
    match method {
        Method::Min => extreme(ty, a, b, false),
        Method::Max => extreme(ty, a, b, true),
        Method::Abs if ty.is_float() => a & (ty.mask() >> 1),
        Method::Abs => ty.wrap(ty.integer(a).abs()),
        Method::Sqrt if ty == Scalar::F32 => f32::from_bits(a as u32).sqrt().to_bits().into(),
        Method::Sqrt => f64::from_bits(a).sqrt().to_bits(),
        Method::WrappingAdd => binary(Op::Add, ty, a, ty, b),
        Method::WrappingSub => binary(Op::Sub, ty, a, ty, b),
        Method::WrappingMul => binary(Op::Mul, ty, a, ty, b),
        Method::SaturatingAdd => {
            ty.wrap((ty.integer(a) + ty.integer(b)).clamp(ty.least(), ty.most()))
        }
        Method::CountOnes => a.count_ones().into(),
        Method::LeadingZeros => (a.leading_zeros() - (64 - ty.width())).into(),
        Method::TrailingZeros => a.trailing_zeros().min(ty.width()).into(),
        Method::IsNan => ty.float(a).is_nan().into(),
        Method::ToBits => a,
    }
}
