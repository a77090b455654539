//! What is generic, at the types of a call: which function a call means, which value a
//! constant has.

use super::{Frame, Value, Warp};
use crate::fuzz::language::{
    Callee, Family, Function, GenericCall, Given, Part, Scalar, Ty, numbers,
};

impl Frame<'_> {
    /// A type as it is in this call.
    pub(super) fn ty(&self, ty: Ty) -> Ty {
        let part = |part: Part| match part {
            Part::Scalar(_) => part,
            Part::Param(at) => Part::Scalar(self.types[at].scalar()),
        };
        match ty {
            Ty::Param(at) => self.types[at],
            Ty::Couple(of) => Ty::Couple(part(of)),
            Ty::Row(of) => Ty::Array(part(of).ty().scalar(), self.constant),
            known => known,
        }
    }

    pub(super) fn scalar(&self, ty: Ty) -> Scalar {
        self.ty(ty).scalar()
    }

    pub(super) fn given(&self, given: Given) -> usize {
        match given {
            Given::Nothing => 0,
            Given::Fixed(number) => number,
            Given::Own => self.constant,
        }
    }
}

impl<'k> Warp<'k, '_> {
    /// The function that a call means, at its types.
    pub(super) fn instance(&self, f: &Frame<'k>, call: &GenericCall) -> Frame<'k> {
        let types: Vec<_> = call.types.iter().map(|&ty| f.ty(ty)).collect();
        match call.callee {
            Callee::Function(at) => {
                Frame::of_types(&self.kernel.functions[at], types, f.given(call.given))
            }
            Callee::Family(at) => {
                let (function, types) = of_type(self.family(), at, types[0]);
                Frame::of_types(function, types, 0)
            }
        }
    }

    fn family(&self) -> &'k Family {
        self.kernel.family.as_ref().expect("the kernel has a trait")
    }

    /// A constant of the trait for a type.
    pub(super) fn of_family(&self, at: usize, ty: Ty) -> Value {
        let family = self.family();
        let constant = &family.constants[at];
        let values = match &constant.values[place(family, ty)] {
            Some(values) => values.clone(),
            None => vec![constant.default.expect("a type has it or leaves it out")],
        };
        match (constant.ty, ty) {
            // `Couple { left: T::ZERO, tag: 7, right: T::MAX }`
            (Ty::Param(_), Ty::Couple(Part::Scalar(of))) => {
                let of_number = |at: usize| of_number(values[at] as usize, of);
                Value::Many(vec![of_number(0), values[1], of_number(2)])
            }
            (Ty::Param(_), _) => Value::of(ty, &values),
            _ => Value::One(values[0]),
        }
    }
}

/// The place of the type among those that implement the trait.
fn place(family: &Family, ty: Ty) -> usize {
    family.place(ty).expect("the type implements the trait")
}

/// The type's own function, or the trait's; and its type parameters.
fn of_type(family: &Family, at: usize, ty: Ty) -> (&Function, Vec<Ty>) {
    let method = &family.methods[at];
    match (&method.own[place(family, ty)], ty) {
        (Some(own), Ty::Couple(of)) => (own, vec![of.ty()]),
        (Some(own), _) => (own, Vec::new()),
        (None, _) => (&method.head, [ty].into_iter().chain(family.code(ty)).collect()),
    }
}

/// `T::ZERO`, `T::ONE`, `T::MIN`, `T::MAX`.
pub(super) fn of_number(at: usize, scalar: Scalar) -> u64 {
    let small = |n: u64| numbers::cast(Scalar::U8, n, scalar);
    match (at, scalar) {
        (0 | 1, _) => small(at as u64),
        (2, Scalar::F32) => f32::MIN.to_bits().into(),
        (2, Scalar::F64) => f64::MIN.to_bits(),
        (2, _) => scalar.wrap(scalar.least()),
        (_, Scalar::F32) => f32::MAX.to_bits().into(),
        (_, Scalar::F64) => f64::MAX.to_bits(),
        _ => scalar.wrap(scalar.most()),
    }
}
