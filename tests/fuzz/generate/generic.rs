//! Calls of what is generic: which types fit, and how the call is written.

use super::Writer;
use super::scope::Level;
use crate::fuzz::language::{
    Bound, Callee, Constant, Expr, Family, Form, Function, GenericCall, Given, Kind, Owner, Part,
    Scalar, Ty,
};

/// The type arguments of a call, and the number of its const parameter.
struct Choice {
    callee: Callee,
    types: Vec<Ty>,
    given: Given,
}

impl Writer<'_> {
    /// A call of something generic that gives this type.
    pub(super) fn generic_call(&mut self, ty: Ty, depth: usize) -> Option<Expr> {
        let mut found = Vec::new();
        for (at, function) in self.functions.iter().enumerate() {
            let is_generic = !function.generics.is_empty() || function.constant.is_some();
            if is_generic && let Some((types, given)) = self.instance(function, ty) {
                found.push(Choice { callee: Callee::Function(at), types, given });
            }
        }
        let family = self.family;
        for (at, method) in family.iter().flat_map(|family| family.methods.iter().enumerate()) {
            if let Some((types, given)) = self.instance(&method.head, ty) {
                found.push(Choice { callee: Callee::Family(at), types, given });
            }
        }
        if found.is_empty() {
            return None;
        }
        let at = self.random.below(found.len());
        let choice = found.swap_remove(at);
        self.generic_call_of(&choice, ty, depth)
    }

    fn generic_call_of(&mut self, choice: &Choice, ty: Ty, depth: usize) -> Option<Expr> {
        let (functions, family) = (self.functions, self.family);
        let function = match (choice.callee, family) {
            (Callee::Function(at), _) => &functions[at],
            (Callee::Family(at), Some(family)) => &family.methods[at].head,
            _ => unreachable!("the kernel has a trait"),
        };
        self.slices.extend(&function.slices);
        self.group = self.group.max(function.group);
        let mut args = Vec::new();
        for &param in &function.params {
            let ty = function.vars[param].ty.with(&choice.types, choice.given)?;
            args.push(self.expr(ty, Level::Lane, depth.saturating_sub(1)));
        }
        let form = self.form(choice, function);
        let params = function.params.iter().map(|&param| function.vars[param].ty).collect();
        let ret = function.ret;
        let (callee, given, types) = (choice.callee, choice.given, choice.types.clone());
        let call = GenericCall { callee, types, given, form, params, ret, args };
        Some(Expr { ty, kind: Kind::GenericCall(Box::new(call)) })
    }

    fn form(&mut self, choice: &Choice, function: &Function) -> Form {
        let params = || function.params.iter().map(|&param| function.vars[param].ty);
        let by_length = function.constant.is_none() || params().any(|ty| matches!(ty, Ty::Row(_)));
        let resolves = |at: usize| params().any(|ty| ty.param() == Some(at));
        // What has the type of another's `Code` is inferred late: such a call is written.
        let is_own = |at: usize| function.generics[at].of.is_none();
        let by_args = by_length && (0..choice.types.len()).all(|at| is_own(at) && resolves(at));
        let mut forms = vec![Form::Written];
        forms.extend(by_args.then_some(Form::Inferred));
        if function.owner == Owner::Family {
            forms.push(Form::Qualified);
        }
        if function.is_method {
            forms.extend([Form::Method; 3]);
        }
        self.random.pick(&forms)
    }

    /// Types at which a function gives this type, may stand here, and has only
    /// parameters that there are words for.
    fn instance(&mut self, function: &Function, ty: Ty) -> Option<(Vec<Ty>, Given)> {
        let silent = self.may_call(function);
        let fits_memory = !self.plain || function.plain;
        let together = function.group == 0 || self.scope.here() <= Level::of_group(function.group);
        if !silent || !fits_memory || !together {
            return None;
        }
        let mut types = vec![None; function.generics.len()];
        let mut given = None;
        if !joined(function.ret, ty, &mut types, &mut given) {
            return None;
        }
        let mut all = Vec::new();
        for (generic, found) in function.generics.iter().zip(types) {
            let chosen = match generic.of {
                None => found.or_else(|| self.type_of(generic.bound))?,
                Some(at) => {
                    let code = self.code_of(all[at])?;
                    if found.is_some_and(|found| found != code) {
                        return None;
                    }
                    code
                }
            };
            if !self.satisfies(chosen, generic.bound) {
                return None;
            }
            all.push(chosen);
        }
        let given = match (function.constant, given) {
            (None, _) => Given::Nothing,
            (_, Some(given)) => given,
            (wanted, None) if wanted == self.constant && self.random.percent(40) => Given::Own,
            _ => Given::Fixed(self.random.pick(&[1, 2, 4, 4, 8])),
        };
        let spoken = function
            .params
            .iter()
            .all(|&param| function.vars[param].ty.with(&all, given).is_some());
        spoken.then_some((all, given))
    }

    /// The `Code` of a type.
    pub(super) fn code_of(&self, ty: Ty) -> Option<Ty> {
        match ty {
            Ty::Param(at) => {
                self.generics.iter().position(|generic| generic.of == Some(at)).map(Ty::Param)
            }
            known => self.family?.code(known),
        }
    }

    /// A type that keeps what a bound promises.
    pub(super) fn type_of(&mut self, bound: Bound) -> Option<Ty> {
        let mut fits: Vec<_> = (0..self.generics.len()).map(Ty::Param).collect();
        fits.extend(fits.clone());
        fits.extend(Scalar::ALL.map(Ty::Scalar));
        let family = self.family;
        for &ty in family.iter().flat_map(|family| &family.types) {
            fits.push(match ty {
                Ty::Couple(_) => self.couple(),
                known => known,
            });
        }
        fits.retain(|&ty| self.satisfies(ty, bound));
        (!fits.is_empty()).then(|| self.random.pick(&fits))
    }

    pub(super) fn satisfies(&self, ty: Ty, bound: Bound) -> bool {
        let of_family = !bound.family || self.family.is_some_and(|family| implements(family, ty));
        match ty {
            Ty::Param(at) => self.generics[at].bound.implies(bound),
            Ty::Scalar(scalar) => {
                of_family
                    && (!bound.number || scalar != Scalar::Bool)
                    && (!bound.float || scalar.is_float())
                    && (!bound.whole || scalar.is_integer())
            }
            Ty::Struct(_) | Ty::Couple(_) => of_family && !bound.number,
            _ => false,
        }
    }

    /// The generic struct at some type.
    pub(super) fn couple(&mut self) -> Ty {
        let numbers: Vec<_> =
            (0..self.generics.len()).filter(|&at| self.generics[at].bound.number).collect();
        if !numbers.is_empty() && self.random.percent(60) {
            return Ty::Couple(Part::Param(self.random.pick(&numbers)));
        }
        Ty::Couple(Part::Scalar(self.any_of(&Scalar::ALL[1..])))
    }

    /// A type that only generic functions have.
    pub(super) fn parametric_type(&mut self) -> Option<Ty> {
        let mut types: Vec<_> = (0..self.generics.len()).map(Ty::Param).collect();
        if self.constant == Some(Constant::Length) {
            types.push(Ty::Row(Part::Scalar(self.any_scalar())));
            let numbers = (0..self.generics.len()).filter(|&at| self.generics[at].bound.number);
            types.extend(numbers.map(|at| Ty::Row(Part::Param(at))));
        }
        if self.has_couple {
            types.push(self.couple());
        }
        (!types.is_empty()).then(|| self.random.pick(&types))
    }
}

pub(super) fn implements(family: &Family, ty: Ty) -> bool {
    family.place(ty).is_some()
}

/// Whether the result can be of this type, and what its parameters are then.
fn joined(ret: Ty, ty: Ty, types: &mut [Option<Ty>], given: &mut Option<Given>) -> bool {
    let mut part = |own: Part, found: Part| match own {
        Part::Scalar(_) => own == found,
        Part::Param(at) => {
            types[at] = Some(found.ty());
            true
        }
    };
    match (ret, ty) {
        (Ty::Param(at), Ty::Scalar(_) | Ty::Struct(_) | Ty::Couple(_) | Ty::Param(_)) => {
            types[at] = Some(ty);
            true
        }
        (Ty::Param(_), _) => false,
        (Ty::Couple(own), Ty::Couple(found)) => part(own, found),
        (Ty::Row(own), Ty::Array(scalar, length)) => {
            *given = Some(Given::Fixed(length));
            part(own, Part::Scalar(scalar))
        }
        (Ty::Row(own), Ty::Row(found)) => {
            *given = Some(Given::Own);
            part(own, found)
        }
        (Ty::Row(_), _) => false,
        _ => ret == ty,
    }
}
