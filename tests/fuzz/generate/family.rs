//! A trait of the kernel's own, a generic struct with methods, generic functions.

use super::draft::Draft;
use super::scope::Level;
use super::{Writer, bare};
use crate::fuzz::language::{
    Block, Bound, Constant, Family, FamilyConstant, FamilyMethod, Function, Generic, Given, Owner,
    Part, STRUCTS, Scalar, Ty, Var,
};

/// What is known of a function before it is written.
#[derive(Clone)]
pub(super) struct Head {
    name: String,
    owner: Owner,
    generics: Vec<Generic>,
    constant: Option<Constant>,
    plain: bool,
    /// The type of `self`.
    this: Option<Ty>,
    params: Vec<Ty>,
    ret: Ty,
}

const NUMBER: Bound = Bound { number: true, float: false, family: false, whole: false };
const FAMILY: Bound = Bound { number: false, float: false, family: true, whole: false };
const SELF: Ty = Ty::Param(0);

impl Writer<'_> {
    /// A function that is generic, or one of a type.
    pub(super) fn of_head(&mut self, head: Head) -> Function {
        self.budget = 1 + self.random.below(5);
        (self.generics, self.constant) = (head.generics, head.constant);
        (self.plain, self.pure) = (head.plain, usize::from(head.plain));
        if head.owner != Owner::Module {
            // Functions of types wait for no other lanes.
            self.scope.push(Level::Lane);
        }
        let mut params = Vec::new();
        if let Some(ty) = head.this {
            let name = "self".to_owned();
            let var = Var::fixed(name, ty);
            params.push(self.scope.declare(var, Level::Lane));
        }
        for &ty in &head.params {
            let mutable = self.random.percent(25);
            params.push(self.parameter(ty, mutable, None, Level::Lane));
        }
        self.ret = head.ret;
        let body = self.body();
        Function {
            owner: head.owner,
            is_method: head.this.is_some(),
            ..self.finish(head.name, params, body)
        }
    }

    /// The types of a few parameters: one perhaps certain, one a number.
    fn param_types(&mut self, certain: Option<Ty>) -> Vec<Ty> {
        let mut types: Vec<_> = certain.into_iter().collect();
        for at in 0..self.random.below(4) {
            let ty = if at == 0 { Ty::Scalar(self.any_scalar()) } else { self.any_type() };
            types.push(ty);
        }
        types
    }

    /// The head of a generic function of the kernel's module.
    pub(super) fn generic_head(&mut self, name: String) -> Head {
        let mut generics = Vec::new();
        for name in ["T", "S"] {
            if generics.is_empty() || self.random.percent(25) {
                generics.push(Generic { name, bound: self.any_bound(), of: None });
            }
        }
        self.name_codes(&mut generics);
        let constants = [None, None, Some(Constant::Length), Some(Constant::Number)];
        let constant = self.random.pick(&constants);
        if constant.is_some() && self.random.percent(35) {
            generics.clear();
        }
        (self.generics, self.constant) = (generics.clone(), constant);
        let certain = self.parametric_type();
        let params = self.param_types(certain);
        let ret = match self.random.below(3) {
            0 => self.any_type(),
            1 => Ty::Scalar(self.any_scalar()),
            _ => self.parametric_type().unwrap_or(Ty::Scalar(Scalar::U32)),
        };
        let plain = self.random.percent(50);
        Head { name, owner: Owner::Module, generics, constant, plain, this: None, params, ret }
    }

    /// Makes a few kernels generic: their parameters are none of the launch's arguments.
    pub(super) fn for_any_type(&mut self) {
        if self.random.percent(15) {
            let bound = self.any_bound();
            let mut generics = vec![Generic { name: "T", bound, of: None }];
            self.name_codes(&mut generics);
            self.generics = generics;
        }
        if self.random.percent(15) {
            self.constant = Some(self.random.pick(&[Constant::Length, Constant::Number]));
        }
    }

    fn any_bound(&mut self) -> Bound {
        let float = self.random.percent(20);
        let number = Bound { float, whole: !float && self.random.percent(25), ..NUMBER };
        let has_numbers = self.family.is_some_and(|family| {
            family.types.iter().any(|ty| matches!(ty, Ty::Scalar(scalar) if scalar.is_integer()))
        });
        match self.random.below(5) {
            0..=2 if self.family.is_some() => FAMILY,
            3 if has_numbers => Bound { family: true, ..NUMBER },
            _ => number,
        }
    }

    /// The head of a method of the generic struct.
    pub(super) fn couple_head(&mut self, name: String) -> Head {
        let generics = vec![Generic { name: "T", bound: NUMBER, of: None }];
        self.generics.clone_from(&generics);
        let own = Ty::Couple(Part::Param(0));
        let this = self.random.percent(80).then_some(own);
        let certain = self.random.pick(&[own, SELF]);
        let params = self.param_types(Some(certain));
        let ret = if self.random.percent(50) { own } else { self.any_type() };
        let plain = self.random.percent(60);
        Head { name, owner: Owner::Couple, generics, constant: None, plain, this, params, ret }
    }

    /// The head of a function of the trait, as the trait has it.
    fn family_head(&mut self, name: String) -> Head {
        let mut generics = vec![Generic { name: "Self", bound: FAMILY, of: None }];
        self.name_codes(&mut generics);
        let has_code = generics.len() > 1;
        let this = self.random.percent(80).then_some(SELF);
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let other = Ty::Scalar(self.any_scalar());
            let code = if has_code { Ty::Param(1) } else { other };
            params.push(self.random.pick(&[SELF, SELF, other, code]));
        }
        let other = Ty::Scalar(self.any_scalar());
        let code = if has_code { Ty::Param(1) } else { SELF };
        let ret = self.random.pick(&[SELF, code, other]);
        let plain = self.random.percent(60);
        Head { name, owner: Owner::Family, generics, constant: None, plain, this, params, ret }
    }

    /// A trait without functions, and who implements it.
    pub(super) fn family(&mut self) -> Family {
        let mut types = Vec::new();
        for _ in 0..2 + self.random.below(2) {
            types.push(Ty::Scalar(self.any_scalar()));
        }
        types.push(if self.has_couple && self.random.percent(50) {
            Ty::Couple(Part::Param(0))
        } else {
            Ty::Struct(self.random.below(STRUCTS.len()))
        });
        types.sort_unstable();
        types.dedup();
        let name = self.random.pick(&["Merge", "Semiring", "Distance", "Class", "Int", "Vertices"]);
        let mut constants = vec![self.constant_of("NONE", SELF, &types)];
        if self.random.percent(70) {
            let ty = Ty::Scalar(self.any_scalar());
            constants.push(self.constant_of("LIMIT", ty, &types));
        }
        let numbers = types.iter().map(|_| self.any_of(&Scalar::ALL[1..])).collect();
        let codes = self.random.percent(50).then_some(numbers);
        let above = self.random.percent(30).then(|| ("Ranked", self.random.below(3)));
        Family { name, types, codes, above, constants, methods: Vec::new() }
    }

    /// `T::Code` after each `T` that implements the trait, if the trait has such a type.
    fn name_codes(&self, generics: &mut Vec<Generic>) {
        if self.family.is_none_or(|family| family.codes.is_none()) {
            return;
        }
        for at in 0..generics.len() {
            let Generic { name, bound, .. } = generics[at];
            if bound.family {
                let name = match name {
                    "Self" => "Self::Code",
                    "T" => "T::Code",
                    _ => "S::Code",
                };
                generics.push(Generic { name, bound: NUMBER, of: Some(at) });
            }
        }
    }

    fn constant_of(&mut self, name: &'static str, ty: Ty, types: &[Ty]) -> FamilyConstant {
        let default = match ty {
            Ty::Scalar(scalar) if self.random.percent(50) => Some(self.literal(scalar)),
            _ => None,
        };
        let mut values = Vec::new();
        for &of in types {
            let left_out = default.is_some() && self.random.percent(50);
            values.push((!left_out).then(|| self.constant_value(ty, of)));
        }
        FamilyConstant { name, ty, default, values }
    }

    fn constant_value(&mut self, ty: Ty, of: Ty) -> Vec<u64> {
        match (ty, of) {
            (Ty::Param(_), Ty::Couple(_)) => {
                let (left, right) = (self.random.below(4) as u64, self.random.below(4) as u64);
                vec![left, self.random.below(100) as u64, right]
            }
            (Ty::Param(_), of) => {
                of.parts().into_iter().map(|scalar| self.literal(scalar)).collect()
            }
            (known, _) => vec![self.literal(known.scalar())],
        }
    }
}

impl Head {
    /// The same function of one type, which has this `Code`.
    fn of(&self, ty: Ty, code: Option<Ty>) -> Head {
        let types: Vec<_> = [ty].into_iter().chain(code).collect();
        let with = |own: Ty| own.with(&types, Given::Nothing).expect("no arrays");
        let generics = match ty {
            Ty::Couple(_) => vec![Generic { name: "T", bound: NUMBER, of: None }],
            _ => Vec::new(),
        };
        Head {
            owner: Owner::Impl(ty),
            generics,
            this: self.this.map(with),
            params: self.params.iter().map(|&param| with(param)).collect(),
            ret: with(self.ret),
            ..self.clone()
        }
    }
}

/// Writes a function of the trait: the trait's own, then those of the types.
pub(super) fn method(draft: &mut Draft, name: String) -> FamilyMethod {
    let head = draft.writer().family_head(name);
    let is_default = draft.random.percent(45);
    let mut whole = written(draft.writer(), head.clone());
    if !is_default {
        // What has no body has no `mut`.
        whole.vars.iter_mut().for_each(|var| var.mutable = false);
        whole.body = Block::default();
        whole.slices.clear();
    }
    let types = draft.family.as_ref().map_or(Vec::new(), |family| family.types.clone());
    let mut own = Vec::new();
    for ty in types {
        let left_out = is_default && draft.random.percent(60);
        let code = draft.family.as_ref().and_then(|family| family.code(ty));
        own.push((!left_out).then(|| written(draft.writer(), head.of(ty, code))));
    }
    // All take what one of them needs.
    let mut slices = whole.slices.clone();
    slices.extend(own.iter().flatten().flat_map(|function| &function.slices));
    slices.sort_unstable();
    slices.dedup();
    whole.slices.clone_from(&slices);
    own.iter_mut().flatten().for_each(|function| function.slices.clone_from(&slices));
    FamilyMethod { head: whole, is_default, own }
}

/// Writes the function that has this head.
pub(super) fn written(mut writer: Writer<'_>, head: Head) -> Function {
    let mut function = writer.of_head(head);
    bare::write(&mut function, writer.random);
    function
}
