//! What is generic: heads of functions, calls.

use super::Printer;
use super::family::{above, methods_above};
use crate::fuzz::language::{
    Bound, COUPLE, COUPLE_FIELDS, Callee, Constant, Expr, Family, Form, Function, GenericCall,
    Given, Kind, NUMBER_CONSTANTS, Owner, Part, STRUCTS, Scalar, Ty,
};

/// The generic struct.
pub(super) fn couple() -> String {
    let fields = COUPLE_FIELDS
        .map(|(name, own)| format!("    pub {name}: {},\n", own.map_or("T", Scalar::name)));
    format!(
        "#[derive(Clone, Copy, Debug, DeviceStruct)]\n#[repr(C)]\npub struct {COUPLE}<T: Number> {{\n{}}}\n\n",
        fields.concat()
    )
}

fn bound(bound: Bound, family: Option<&Family>) -> String {
    let mut words = Vec::new();
    if bound.number {
        words.push(if bound.float { "Float" } else { "Number" });
    }
    words.extend(family.filter(|_| bound.family).map(|family| family.name));
    words.join(" + ")
}

impl Printer<'_> {
    /// `<T: Number, const N: usize>`, as far as the function declares them itself.
    pub(super) fn generics(&self) -> String {
        let function = self.function;
        let own = match function.owner {
            Owner::Module => &function.generics[..],
            _ => &[],
        };
        let family = self.kernel.family.as_ref();
        let mut all: Vec<_> = own
            .iter()
            .filter(|generic| generic.of.is_none())
            .map(|generic| format!("{}: {}", generic.name, bound(generic.bound, family)))
            .collect();
        all.extend(function.constant.map(|constant| match constant {
            Constant::Length => "const N: usize".to_owned(),
            Constant::Number => "const K: u32".to_owned(),
        }));
        if all.is_empty() { String::new() } else { format!("<{}>", all.join(", ")) }
    }

    /// A type as the module around that of the kernel names it.
    pub(super) fn type_outside(&self, ty: Ty) -> String {
        match ty {
            Ty::Couple(_) => format!("{}::{}", super::module(self.kernel), self.ty(ty)),
            _ => self.ty(ty),
        }
    }

    pub(super) fn of_part(&self, part: Part) -> String {
        match part {
            Part::Scalar(scalar) => self.number(scalar).to_owned(),
            Part::Param(at) => self.function.generics[at].name.to_owned(),
        }
    }

    /// What the function's `Self` is, if it has one.
    fn this(&self) -> Option<Ty> {
        match self.function.owner {
            Owner::Module | Owner::Own => None,
            Owner::Couple => Some(Ty::Couple(Part::Param(0))),
            Owner::Family => Some(Ty::Param(0)),
            Owner::Impl(ty) => Some(ty),
        }
    }

    /// `Self`, where the type is that, and people would write it.
    pub(super) fn as_self(&self, ty: Ty) -> Option<String> {
        let is_self = self.this() == Some(ty) && self.choices.borrow_mut().percent(50);
        is_self.then(|| "Self".to_owned())
    }

    /// A type in front of `::`: of an alias the macro does not know that it is a type.
    fn owner(&self, ty: Ty) -> String {
        match ty {
            Ty::Scalar(scalar) => scalar.name().to_owned(),
            Ty::Couple(of) => format!("{COUPLE}::<{}>", self.of_part(of)),
            Ty::Struct(at) => STRUCTS[at].name.to_owned(),
            other => self.ty(other),
        }
    }

    pub(super) fn generic_call(&self, call: &GenericCall) -> String {
        let callee = self.kernel.generic(call.callee);
        if call.form == Form::Method {
            let (receiver, args) = call.args.split_first().expect("a method has a receiver");
            let text = self.expr(receiver);
            let is_literal = matches!(receiver.kind, Kind::Struct(_));
            let text = if is_literal { format!("({text})") } else { text };
            return format!("{text}.{}({})", callee.name, self.arguments(callee, args));
        }
        let path = match call.callee {
            Callee::Function(_) if callee.owner == Owner::Couple => match call.form {
                Form::Inferred => COUPLE.to_owned() + "::",
                _ => {
                    let ty = Ty::Couple(Part::of(call.types[0]).expect("it holds numbers"));
                    self.as_self(ty).unwrap_or_else(|| self.owner(ty)) + "::"
                }
            },
            Callee::Function(_) => String::new(),
            Callee::Family(at) => {
                let family = self.kernel.family.as_ref().expect("the kernel has a trait");
                let is_above = at < methods_above(family);
                let name = if is_above { above(family) } else { family.name };
                self.family_path(name, call.types[0], call.form)
            }
        };
        let mut written = String::new();
        if callee.owner == Owner::Module && call.form != Form::Inferred {
            let own = |at: &usize| callee.generics[*at].of.is_none();
            let own = (0..call.types.len()).filter(own);
            let mut all: Vec<_> = own.map(|at| self.ty(call.types[at])).collect();
            all.extend(self.given(callee, call.given));
            written = format!("::<{}>", all.join(", "));
        }
        format!("{path}{}{written}({})", callee.name, self.arguments(callee, &call.args))
    }

    /// `Trait::`, `u32::`, `<u32 as Trait>::`
    fn family_path(&self, name: &str, of: Ty, form: Form) -> String {
        match form {
            Form::Inferred => format!("{name}::"),
            Form::Qualified => format!("<{} as {name}>::", self.ty(of)),
            _ => self.as_self(of).unwrap_or_else(|| self.owner(of)) + "::",
        }
    }

    fn given(&self, callee: &Function, given: Given) -> Option<String> {
        match given {
            Given::Nothing => None,
            Given::Fixed(number) => Some(number.to_string()),
            Given::Own if callee.constant == Some(Constant::Length) => Some("N".to_owned()),
            Given::Own => Some("K".to_owned()),
        }
    }

    /// What is passed, after a receiver: the thread's number and slices too, unless the
    /// function touches no memory.
    pub(super) fn arguments(&self, callee: &Function, args: &[Expr]) -> String {
        let mut all: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
        if !callee.plain {
            let at = usize::from(callee.is_method && args.len() == callee.params.len());
            all.insert(at, "me".to_owned());
            all.extend(callee.slices.iter().map(|&slice| super::memory::name(slice)));
        }
        all.join(", ")
    }

    pub(super) fn family_constant(&self, at: usize, of: Ty, qualified: bool) -> String {
        let family = self.kernel.family.as_ref().expect("the kernel has a trait");
        let form = if qualified { Form::Qualified } else { Form::Written };
        self.family_path(above(family), of, form) + family.constants[at].name
    }

    /// A type parameter in front of `::`.
    fn in_front(&self, ty: Ty) -> String {
        let text = self.ty(ty);
        if text.contains("::") { format!("<{text}>") } else { text }
    }

    pub(super) fn number_constant(&self, at: usize, ty: Ty) -> String {
        format!("{}::{}", self.in_front(ty), NUMBER_CONSTANTS[at])
    }

    /// A number of another type: numbers that are not known have functions for it.
    pub(super) fn cast(&self, value: &Expr, to: Ty) -> String {
        let text = self.expr(value);
        match (value.ty, to) {
            (_, Ty::Param(_)) if value.ty == Ty::Scalar(Scalar::U32) => {
                format!("{}::from_u32({text})", self.in_front(to))
            }
            (_, Ty::Param(_)) => format!("{}::from_f64({text})", self.in_front(to)),
            (Ty::Param(_), _) => format!("{text}.to_f64()"),
            _ => format!("({text} as {})", self.ty(to)),
        }
    }

    pub(super) fn constant(&self) -> String {
        match self.function.constant {
            Some(Constant::Length) => "(N as u32)".to_owned(),
            _ => "K".to_owned(),
        }
    }
}
