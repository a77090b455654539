//! A type that stands for any.

use crate::DeviceType;
use crate::number::{Comparable, FloatWords, Words};
use crate::ops::{Arithmetic, Order};
use crate::program::Program;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

/// Stands for a type parameter where rustc is asked whether a generic function has
/// errors: it has every device trait.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[repr(C)]
pub struct AnyDeviceType;

// SAFETY: no bytes.
#[allow(unsafe_code)]
unsafe impl DeviceType for AnyDeviceType {
    const HAS_PADDING: bool = false;
    fn cuda_name(_program: &mut Program) -> String {
        "Unit".to_owned()
    }
}

// What stands for any type does everything, and none of it is ever run.

impl Words for AnyDeviceType {
    const ZERO: Self = AnyDeviceType;
    const ONE: Self = AnyDeviceType;
    const MIN: Self = AnyDeviceType;
    const MAX: Self = AnyDeviceType;
    const SUM_IDENTITY: Self = AnyDeviceType;
    const MIN_IDENTITY: Self = AnyDeviceType;
    const MAX_IDENTITY: Self = AnyDeviceType;
    fn min(self, _other: Self) -> Self {
        self
    }
    fn max(self, _other: Self) -> Self {
        self
    }
}

impl FloatWords for AnyDeviceType {
    fn abs(self) -> Self {
        self
    }
    fn sqrt(self) -> Self {
        self
    }
}

impl Comparable for AnyDeviceType {}

impl Arithmetic for AnyDeviceType {
    fn add(self, _other: Self) -> Self {
        self
    }
    fn sub(self, _other: Self) -> Self {
        self
    }
    fn mul(self, _other: Self) -> Self {
        self
    }
    fn checked_div(self, _other: Self) -> Option<Self> {
        None
    }
    fn checked_rem(self, _other: Self) -> Option<Self> {
        None
    }
    fn neg(self) -> Self {
        self
    }
    fn absolute(self) -> Self {
        self
    }
}

impl Order for AnyDeviceType {
    fn smaller(self, _other: Self) -> Self {
        self
    }
    fn larger(self, _other: Self) -> Self {
        self
    }
}

impl Neg for AnyDeviceType {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

macro_rules! operators {
    ($($op:ident $name:ident $assign:ident $assign_name:ident;)*) => {$(
        impl $op for AnyDeviceType {
            type Output = Self;
            fn $name(self, _other: Self) -> Self {
                self
            }
        }

        impl $assign for AnyDeviceType {
            fn $assign_name(&mut self, _other: Self) {}
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
}
