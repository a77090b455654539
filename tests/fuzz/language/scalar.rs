//! The number types, and values of them as bits.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

use Scalar::*;

impl Scalar {
    pub const ALL: [Scalar; 11] = [Bool, U8, U16, U32, U64, I8, I16, I32, I64, F32, F64];
    pub const INTEGERS: [Scalar; 8] = [U8, U16, U32, U64, I8, I16, I32, I64];
    /// What an `Atomic` holds.
    pub const ATOMIC: [Scalar; 6] = [U32, I32, U64, I64, F32, F64];

    pub fn name(self) -> &'static str {
        ["bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"][self as usize]
    }

    pub fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Bool
    }

    pub fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }

    pub fn width(self) -> u32 {
        match self {
            Bool => 1,
            U8 | I8 => 8,
            U16 | I16 => 16,
            U32 | I32 | F32 => 32,
            U64 | I64 | F64 => 64,
        }
    }

    /// The bits that a value has.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// An integer's value.
    pub fn integer(self, bits: u64) -> i128 {
        let spare = 128 - self.width();
        let high = i128::from(bits) << spare;
        if self.is_signed() { high >> spare } else { (high as u128 >> spare) as i128 }
    }

    /// The bits of an integer's value, wrapped to the width.
    pub fn wrap(self, value: i128) -> u64 {
        value as u64 & self.mask()
    }

    pub fn least(self) -> i128 {
        if self.is_signed() { -(1 << (self.width() - 1)) } else { 0 }
    }

    pub fn most(self) -> i128 {
        if self.is_signed() { (1 << (self.width() - 1)) - 1 } else { (1 << self.width()) - 1 }
    }

    /// A float's value; exact, also for `f32`.
    pub fn float(self, bits: u64) -> f64 {
        if self == F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
    }

    /// Whether two values are the same bits, or both not a number.
    pub fn same(self, a: u64, b: u64) -> bool {
        a == b || self.is_float() && self.float(a).is_nan() && self.float(b).is_nan()
    }

    /// The value as people write it, its type left to inference.
    pub fn bare(self, bits: u64) -> String {
        match self {
            U16 | U32 | U64 if bits > 99 && bits.is_multiple_of(3) => format!("{bits:#x}"),
            I32 | I64 if bits > 0 && bits.is_multiple_of(1000) && self.integer(bits) > 0 => {
                format!("{}_000", bits / 1000)
            }
            _ if self.has_bare(bits) => self.literal(bits).replace(self.name(), ""),
            _ => self.literal(bits),
        }
    }

    /// Whether the value can be written without its type.
    pub fn has_bare(self, bits: u64) -> bool {
        self.is_integer() || self.is_float() && self.float(bits).is_finite()
    }

    /// The value as Rust writes it, with its type.
    pub fn literal(self, bits: u64) -> String {
        let name = self.name();
        match self {
            Bool => (bits != 0).to_string(),
            F32 => float_literal(&format!("{:?}", f32::from_bits(bits as u32)), name),
            F64 => float_literal(&format!("{:?}", f64::from_bits(bits)), name),
            _ if self.integer(bits) < 0 => format!("({}{name})", self.integer(bits)),
            _ => format!("{}{name}", self.integer(bits)),
        }
    }
}

fn float_literal(digits: &str, name: &str) -> String {
    match digits {
        "inf" => format!("{name}::INFINITY"),
        "-inf" => format!("{name}::NEG_INFINITY"),
        "NaN" => format!("(0.0{name} / 0.0{name})"),
        _ if digits.starts_with('-') => format!("({digits}{name})"),
        _ => format!("{digits}{name}"),
    }
}
