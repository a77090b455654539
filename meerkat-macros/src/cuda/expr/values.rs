//! Values that are written out: numbers, constants, structs, parts of tuples.

use super::Writer;
use crate::ir::names::cuda_word;
use crate::ir::{Expr, ExprKind, Literal, Scalar, Type};

impl Writer<'_> {
    pub(super) fn literal(&self, literal: &Literal, ty: &Type) -> String {
        match literal {
            Literal::Bool(value) => value.to_string(),
            Literal::Int { value, .. } => match ty.scalar() {
                Some(scalar @ (Scalar::F32 | Scalar::F64)) => float(&value.to_string(), scalar),
                Some(Scalar::U32) => format!("{value}u"),
                Some(Scalar::U64) => format!("{value}ull"),
                Some(Scalar::I64) => format!("{value}ll"),
                Some(Scalar::I32) | None => value.to_string(),
                Some(small) => format!("{}({value})", small.name()),
            },
            Literal::Float { digits, .. } => float(digits, ty.scalar().unwrap_or(Scalar::F64)),
        }
    }

    /// A negative number of its own type: C++ negates after choosing one.
    pub(super) fn negative(&self, literal: &Expr) -> String {
        let ExprKind::Literal(Literal::Int { value, .. }) = &literal.kind else {
            return String::new();
        };
        match self.checked.ty(literal.id).scalar() {
            Some(scalar) if scalar.is_float() => {
                format!("({})", float(&format!("-{value}"), scalar))
            }
            // The smallest number has no literal of its own type.
            Some(Scalar::I64) if *value == 1 << 63 => format!("(-{}ll - 1)", value - 1),
            Some(Scalar::I32) if *value == 1 << 31 => format!("(-{} - 1)", value - 1),
            Some(Scalar::I64) => format!("(-{value}ll)"),
            Some(Scalar::I32) => format!("(-{value})"),
            Some(small) => format!("{}(-{value})", small.name()),
            None => format!("(-{value})"),
        }
    }

    /// `u32::MAX` and `W::IS_WEIGHTED` are traits of a type; a user's constant
    /// is declared in front of the program under its own name.
    pub(super) fn constant(&self, path: &syn::Path) -> String {
        let last = path.segments.last().map_or(String::new(), |last| last.ident.to_string());
        if path.segments.len() == 2 {
            let owner = path.segments[0].ident.to_string();
            if Scalar::from_name(&owner).is_some() {
                return format!("Limits<{owner}>::{last}");
            }
            let generics = &self.checked.function.generics;
            if let Some(generic) = generics.iter().find(|generic| generic.name == owner) {
                let name = self.ty(&Type::Param(generic.name.clone()));
                return format!("Weight<{name}>::{last}");
            }
        }
        last
    }

    /// A tuple has the types of its parts, and `a | b` of `bool` is an `int` in C++.
    pub(super) fn tuple_part(&self, part: &Expr) -> String {
        let text = self.expr(part);
        let may_widen = match &part.kind {
            ExprKind::Binary(op, ..) => !op.is_comparison() && !op.is_logical(),
            kind => kind.is_control_flow(),
        };
        let is_bool = self.checked.ty(part.id).value() == &Type::BOOL;
        if is_bool && may_widen { format!("bool({text})") } else { text }
    }

    // expands to: Edge<u32>{}.with_src(a).with_dst(b).with_weight(c)
    // which keeps the user's order of fields and of evaluation.
    pub(super) fn struct_literal(
        &self,
        whole: &Expr,
        path: &syn::Path,
        fields: &[(proc_macro2::Ident, Expr)],
    ) -> String {
        let name = match self.checked.ty(whole.id) {
            ty @ Type::Named { args, .. } if !args.is_empty() => self.ty(ty),
            _ => self.ty(&Type::Named {
                path: path.clone(),
                name: path.segments.last().map_or(String::new(), |last| last.ident.to_string()),
                args: vec![],
            }),
        };
        let fields: Vec<_> = fields
            .iter()
            .map(|(field, value)| {
                let field = cuda_word(&field.to_string());
                format!(".with_{field}({})", self.expr(value))
            })
            .collect();
        format!("{name}{{}}{}", fields.concat())
    }
}

/// The number as Rust rounds it: NVRTC 13.0 reads `16777217.0f` as 16777218.
fn float(digits: &str, scalar: Scalar) -> String {
    let rounded = match scalar {
        Scalar::F32 => digits.parse::<f32>().map(|value| format!("{value:?}f")),
        _ => digits.parse::<f64>().map(|value| format!("{value:?}")),
    };
    rounded.unwrap_or_else(|_| digits.to_owned())
}
