//! The trait of a kernel's own, and who implements it.

use super::Printer;
use crate::fuzz::language::{
    COUPLE, Family, FamilyConstant, Kernel, NUMBER_CONSTANTS, STRUCTS, Ty,
};
use std::fmt::Write as _;
use std::ops::Range;

/// The trait, then what implements it.
pub(super) fn family(kernel: &Kernel, family: &Family) -> String {
    let mut text = String::new();
    for part in parts(family) {
        let above = if part.is_below { format!(": {}", above(family)) } else { String::new() };
        let _ = writeln!(text, "#[device]\npub trait {}{above} {{", part.name);
        for constant in family.constants.iter().filter(|_| part.has_constants) {
            let ty = plain(constant.ty, "Self");
            let value = constant
                .default
                .map_or(String::new(), |bits| format!(" = {}", constant.ty.scalar().literal(bits)));
            let _ = writeln!(text, "    const {}: {ty}{value};", constant.name);
        }
        if part.has_constants && family.codes.is_some() {
            text.push_str("    type Code: Number;\n");
        }
        for method in &family.methods[part.methods.clone()] {
            let printer = Printer::new(kernel, &method.head);
            text.push_str(&match method.is_default {
                true => printer.function(false),
                false => printer.signature(false) + ";\n",
            });
        }
        text.push_str("}\n\n");
    }
    for (at, &ty) in family.types.iter().enumerate() {
        let is_couple = matches!(ty, Ty::Couple(_));
        let generics = if is_couple { "<T: Number>" } else { "" };
        let owner = match ty {
            Ty::Scalar(scalar) if at % 3 == 1 => super::names::alias(scalar).to_owned(),
            _ => plain(ty, "T"),
        };
        for part in parts(family) {
            let _ = writeln!(text, "#[device]\nimpl{generics} {} for {owner} {{", part.name);
            for constant in family.constants.iter().filter(|_| part.has_constants) {
                text.push_str(&constant_of(constant, at, ty));
            }
            if let Some(codes) = family.codes.as_ref().filter(|_| part.has_constants) {
                let _ = writeln!(text, "    type Code = {};", codes[at].name());
            }
            let methods = &family.methods[part.methods];
            for own in methods.iter().filter_map(|method| method.own[at].as_ref()) {
                text.push_str(&Printer::new(kernel, own).function(false));
            }
            text.push_str("}\n\n");
        }
    }
    text
}

/// A trait as it is written: the one above, or what is left for the one below.
struct Written {
    name: &'static str,
    is_below: bool,
    has_constants: bool,
    methods: Range<usize>,
}

pub(super) fn above(family: &Family) -> &'static str {
    family.above.map_or(family.name, |(name, _)| name)
}

/// How many methods the trait above has.
pub(super) fn methods_above(family: &Family) -> usize {
    family.above.map_or(0, |(_, count)| count.min(family.methods.len()))
}

fn parts(family: &Family) -> Vec<Written> {
    let (first, all) = (methods_above(family), family.methods.len());
    let is_below = family.above.is_some();
    let whole =
        Written { name: family.name, is_below, has_constants: !is_below, methods: first..all };
    let above =
        Written { name: above(family), is_below: false, has_constants: true, methods: 0..first };
    if is_below { vec![above, whole] } else { vec![whole] }
}

fn constant_of(constant: &FamilyConstant, at: usize, of: Ty) -> String {
    let Some(values) = &constant.values[at] else { return String::new() };
    let value = match (constant.ty, of) {
        (Ty::Param(_), Ty::Couple(_)) => {
            let number = |at: u64| format!("T::{}", NUMBER_CONSTANTS[at as usize]);
            let [left, tag, right] = values[..] else { unreachable!("three fields") };
            format!("{COUPLE} {{ left: {}, tag: {tag}, right: {} }}", number(left), number(right))
        }
        (Ty::Param(_), Ty::Struct(of)) => {
            let fields: Vec<_> = STRUCTS[of]
                .fields
                .iter()
                .zip(values)
                .map(|((name, scalar), bits)| format!("{name}: {}", scalar.literal(*bits)))
                .collect();
            format!("{} {{ {} }}", STRUCTS[of].name, fields.join(", "))
        }
        (Ty::Param(_), of) => of.scalar().literal(values[0]),
        (known, _) => known.scalar().literal(values[0]),
    };
    let ty = if at.is_multiple_of(2) {
        plain(constant.ty, "Self")
    } else {
        plain(constant.ty, &plain(of, "T"))
    };
    format!("    const {}: {ty} = {value};\n", constant.name)
}

/// A type of the trait's without aliases.
fn plain(ty: Ty, param: &str) -> String {
    match ty {
        Ty::Param(_) => param.to_owned(),
        Ty::Couple(_) => format!("{COUPLE}<{param}>"),
        Ty::Struct(at) => STRUCTS[at].name.to_owned(),
        other => other.scalar().name().to_owned(),
    }
}
