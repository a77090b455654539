//! What kernels find in their module: a struct, aliases, constants, generic functions.
//! Most names are there twice or mean something to C++.

use super::Printer;
use crate::fuzz::language::{COUPLE, OWN, STRUCTS, Scalar, TUPLES, Ty, Var};

/// Items for a module of kernels.
pub fn preamble() -> String {
    super::definitions(&STRUCTS[OWN..]) + ITEMS
}

const ITEMS: &str = "\
pub type Key = u64;
pub type Real = f64;
pub type int = i32;
pub type Both = Pair;
pub type Row = [u32; 4];
pub type Sum = (u32, f32);

pub const NULL: u32 = 7;
pub const ORIGIN: Own = Own { int: 3, r#struct: -5, isnan: far::float2 };
pub const INT_MAX: i64 = 1 << 40;

#[device]
pub fn either<T: DeviceType>(first: bool, a: T, b: T) -> T {
    let mut x = a;
    if !first {
        x = b;
    }
    x
}

mod near {
    use meerkat_runtime::prelude::*;

    pub type Key = u32;
    pub type Real = f32;
    pub type int = i8;
    pub type Flag = bool;
    pub const NULL: Real = 0.5;
    pub const LIMIT: u64 = 5_000_000_000;
    pub const isnan: int = -7;
    pub const EOF: i16 = -300;

    #[device]
    pub fn pick<T: DeviceType>(first: bool, a: T, b: T) -> T {
        if first { a } else { b }
    }

    pub mod r#struct {
        use meerkat_runtime::prelude::*;

        pub const LIMIT: u16 = 40_000;
        pub const NULL: u8 = 1 + 2 * 3;

        #[device]
        pub fn held<T: DeviceType>(first: bool, a: T, b: T) -> T {
            let both = [b, a, b, a];
            let mut at = 2;
            at += first as u32;
            both[at]
        }
    }
}

mod far {
    use super::near;
    use meerkat_runtime::prelude::*;

    pub type Key = i64;
    pub type int = u8;
    pub type short = i16;
    pub type Word = u16;
    pub const NULL: i32 = -1;
    pub const LIMIT: u64 = near::LIMIT + 1;
    pub const ORIGIN: super::Pair = super::Pair { a: u32::MAX, b: -0.25 };
    pub const isnan: f64 = 1e-3;
    pub const float2: bool = true;

    #[device]
    pub fn pick<T: DeviceType>(first: bool, a: T, b: T) -> T {
        let (mut x, mut turn) = (a, 0);
        while turn < 3 {
            x = near::pick(first, x, super::either::<T>(turn > 5, a, b));
            turn += 1;
        }
        x
    }
}

";

/// Constants of a type by their names.
pub fn named(scalar: Scalar) -> &'static [(&'static str, u64)] {
    match scalar {
        Scalar::U8 => &[("u8::MAX", 0xff), ("near::r#struct::NULL", 7)],
        Scalar::I8 => &[("i8::MIN", 0x80), ("i8::MAX", 0x7f), ("near::isnan", 0xf9)],
        Scalar::U16 => &[("u16::MAX", 0xffff), ("near::r#struct::LIMIT", 40_000)],
        Scalar::I16 => &[("i16::MIN", 0x8000), ("i16::MAX", 0x7fff), ("near::EOF", 0xfed4)],
        Scalar::U32 => &[("u32::MAX", 0xffff_ffff), ("u32::MIN", 0), ("NULL", 7)],
        Scalar::I32 => {
            &[("i32::MIN", 0x8000_0000), ("i32::MAX", 0x7fff_ffff), ("far::NULL", 0xffff_ffff)]
        }
        Scalar::U64 => {
            &[("u64::MAX", u64::MAX), ("near::LIMIT", 5_000_000_000), ("far::LIMIT", 5_000_000_001)]
        }
        Scalar::I64 => &[("i64::MIN", 1 << 63), ("i64::MAX", u64::MAX >> 1), ("INT_MAX", 1 << 40)],
        Scalar::F32 => &[
            ("f32::MAX", 0x7f7f_ffff),
            ("f32::NEG_INFINITY", 0xff80_0000),
            ("near::NULL", 0x3f00_0000),
        ],
        Scalar::F64 => {
            &[("f64::EPSILON", 0x3cb0_0000_0000_0000), ("far::isnan", 0x3f50_624d_d2f1_a9fc)]
        }
        Scalar::Bool => &[("true", 1), ("far::float2", 1)],
    }
}

/// The constant of a struct type, if there is one.
pub fn named_struct(ty: Ty) -> Option<(&'static str, &'static [u64])> {
    match ty {
        Ty::Struct(0) => Some(("far::ORIGIN", &[0xffff_ffff, 0xbe80_0000])),
        Ty::Struct(OWN) => Some(("ORIGIN", &[3, u64::MAX - 4, 1])),
        _ => None,
    }
}

/// Names of a number type, its own first.
fn names(scalar: Scalar) -> &'static [&'static str] {
    match scalar {
        Scalar::Bool => &["bool", "near::Flag"],
        Scalar::U8 => &["u8", "far::int"],
        Scalar::U16 => &["u16", "far::Word"],
        Scalar::U32 => &["u32", "near::Key"],
        Scalar::U64 => &["u64", "Key"],
        Scalar::I8 => &["i8", "near::int"],
        Scalar::I16 => &["i16", "far::short"],
        Scalar::I32 => &["i32", "int"],
        Scalar::I64 => &["i64", "far::Key"],
        Scalar::F32 => &["f32", "near::Real"],
        Scalar::F64 => &["f64", "Real"],
    }
}

pub(super) fn alias(scalar: Scalar) -> &'static str {
    names(scalar)[1]
}

impl Printer<'_> {
    pub(super) fn number(&self, scalar: Scalar) -> &'static str {
        let names = names(scalar);
        if self.choices.borrow_mut().percent(75) { names[0] } else { names[names.len() - 1] }
    }

    /// A type by one of its names.
    pub(super) fn ty(&self, ty: Ty) -> String {
        if let Some(name) = self.as_self(ty) {
            return name;
        }
        let aliased = self.choices.borrow_mut().percent(30);
        match ty {
            Ty::Param(at) => self.function.generics[at].name.to_owned(),
            Ty::Couple(of) => format!("{COUPLE}<{}>", self.of_part(of)),
            Ty::Row(of) => format!("[{}; N]", self.of_part(of)),
            Ty::Unit => "()".to_owned(),
            Ty::Scalar(scalar) => self.number(scalar).to_owned(),
            Ty::Array(Scalar::U32, 4) if aliased => "Row".to_owned(),
            Ty::Array(scalar, length) => format!("[{}; {length}]", self.number(scalar)),
            Ty::Struct(0) if aliased => "Both".to_owned(),
            Ty::Struct(at) => STRUCTS[at].name.to_owned(),
            Ty::Tuple(1) if aliased => "Sum".to_owned(),
            Ty::Tuple(at) => {
                let parts: Vec<_> = TUPLES[at].iter().map(|&part| self.number(part)).collect();
                format!("({})", parts.join(", "))
            }
        }
    }

    /// The type of a variable: of an array that may change the macro must see it, and of
    /// what a group accumulates.
    pub(super) fn var_ty(&self, var: &Var) -> String {
        if var.accumulates {
            return var.ty.scalar().name().to_owned();
        }
        loop {
            let text = self.shared_ty(var.ty, var.shared_by);
            if !var.mutable || !text.contains("Row") {
                return text;
            }
        }
    }

    pub(super) fn shared_ty(&self, plain: Ty, by: Option<u32>) -> String {
        match by {
            None => self.ty(plain),
            Some(32) => format!("Uniform<{}>", self.ty(plain)),
            Some(group) => format!("TileUniform<{group}, {}>", self.ty(plain)),
        }
    }
}
