//! What is generic: type parameters, the trait of a kernel's own, a generic struct.

use super::{Expr, Function, Scalar, Ty};

/// The generic struct `Couple<T: Number>`, which each kernel that uses it defines.
pub const COUPLE: &str = "Couple";
/// Its fields; `None` has the type of the parameter.
pub const COUPLE_FIELDS: [(&str, Option<Scalar>); 3] =
    [("left", None), ("tag", Some(Scalar::U32)), ("right", None)];

/// The type of an item or a field: known, or a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    Scalar(Scalar),
    Param(usize),
}

impl Part {
    pub fn ty(self) -> Ty {
        match self {
            Part::Scalar(scalar) => Ty::Scalar(scalar),
            Part::Param(at) => Ty::Param(at),
        }
    }

    pub fn of(ty: Ty) -> Option<Part> {
        match ty {
            Ty::Scalar(scalar) => Some(Part::Scalar(scalar)),
            Ty::Param(at) => Some(Part::Param(at)),
            _ => None,
        }
    }
}

/// What a type parameter promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// `Number`
    pub number: bool,
    /// `Float`, which is a `Number` too
    pub float: bool,
    /// The kernel's own trait.
    pub family: bool,
    /// It stands for integers only; Rust does not know.
    pub whole: bool,
}

impl Bound {
    /// Whether a type of this bound is one of the other.
    pub fn implies(self, other: Bound) -> bool {
        (self.number || !other.number)
            && (self.float || !other.float)
            && (self.family || !other.family)
            && (self.whole || !other.whole)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Generic {
    pub name: &'static str,
    pub bound: Bound,
    /// It is none of its own but the type that the trait has for this one: `T::Code`.
    pub of: Option<usize>,
}

/// The const parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// `const N: usize`
    Length,
    /// `const K: u32`
    Number,
}

/// What a call gives for a const parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    Nothing,
    Fixed(usize),
    /// The caller's own.
    Own,
}

/// Where a function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Module,
    /// `impl Own`, a struct without parameters
    Own,
    /// `impl<T: Number> Couple<T>`
    Couple,
    /// The trait itself, whose `Self` is the first type parameter.
    Family,
    /// `impl Trait for` this type
    Impl(Ty),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// By its place among the kernel's functions.
    Function(usize),
    /// A function of the trait; the first type is `Self`.
    Family(usize),
}

/// How a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `a.f(b)`
    Method,
    /// `T::f(a, b)`, `f::<T>(a, b)`
    Written,
    /// `<T as Trait>::f(a, b)`
    Qualified,
    /// `Trait::f(a, b)`, `Couple::f(a, b)`, `f(a, b)`
    Inferred,
}

#[derive(Clone, Debug)]
pub struct GenericCall {
    pub callee: Callee,
    pub types: Vec<Ty>,
    pub given: Given,
    pub form: Form,
    /// The types of its parameters and result, as the function declares them.
    pub params: Vec<Ty>,
    pub ret: Ty,
    pub args: Vec<Expr>,
}

/// A trait of the kernel's own.
#[derive(Clone, Debug)]
pub struct Family {
    pub name: &'static str,
    /// What implements it; `Couple<T>` for every number `T`.
    pub types: Vec<Ty>,
    /// `type Code: Number;`, for each type its own.
    pub codes: Option<Vec<Scalar>>,
    /// A trait above it, which has the constants and this many of the methods.
    pub above: Option<(&'static str, usize)>,
    pub constants: Vec<FamilyConstant>,
    pub methods: Vec<FamilyMethod>,
}

#[derive(Clone, Debug)]
pub struct FamilyConstant {
    pub name: &'static str,
    /// `Self`, which is the first type parameter, or a number type.
    pub ty: Ty,
    /// The value of types that have none of their own.
    pub default: Option<u64>,
    /// For each type the bits of the parts; for `Couple<T>`, how its number constants
    /// are called.
    pub values: Vec<Option<Vec<u64>>>,
}

#[derive(Clone, Debug)]
pub struct FamilyMethod {
    /// Its signature, and its body if types may leave it out.
    pub head: Function,
    pub is_default: bool,
    /// For each type its own.
    pub own: Vec<Option<Function>>,
}

impl Family {
    /// The place of a type among those that implement the trait.
    pub fn place(&self, ty: Ty) -> Option<usize> {
        let is_couple = matches!(ty, Ty::Couple(_));
        self.types.iter().position(|&known| match known {
            Ty::Couple(_) => is_couple,
            _ => known == ty,
        })
    }

    /// The type's `Code`, if it is known.
    pub fn code(&self, ty: Ty) -> Option<Ty> {
        Some(Ty::Scalar(self.codes.as_ref()?[self.place(ty)?]))
    }
}

/// Constants that every `Number` has.
pub const NUMBER_CONSTANTS: [&str; 4] = ["ZERO", "ONE", "MIN", "MAX"];

impl Ty {
    /// What it is in a call, if the fuzzer has a word for that.
    pub fn with(self, types: &[Ty], given: Given) -> Option<Ty> {
        let part = |part: Part| match part {
            Part::Scalar(_) => Some(part),
            Part::Param(at) => Part::of(types[at]),
        };
        match self {
            Ty::Param(at) => Some(types[at]),
            Ty::Couple(of) => Some(Ty::Couple(part(of)?)),
            Ty::Row(of) => match (part(of)?, given) {
                (Part::Scalar(scalar), Given::Fixed(length)) => Some(Ty::Array(scalar, length)),
                (of, Given::Own) => Some(Ty::Row(of)),
                _ => None,
            },
            _ => Some(self),
        }
    }

    /// The type parameter that it speaks of.
    pub fn param(self) -> Option<usize> {
        match self {
            Ty::Param(at) | Ty::Couple(Part::Param(at)) | Ty::Row(Part::Param(at)) => Some(at),
            _ => None,
        }
    }
}
