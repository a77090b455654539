//! Values that are written out: numbers, constants, structs, parts of tuples.

use super::{Precedence, Writer};
use crate::infer::is_of_number;
use crate::ir::{Expr, ExprKind, Literal, Scalar, Slot, Type};

impl Writer<'_> {
    pub(super) fn literal(&self, literal: &Literal, ty: &Type) -> String {
        match (literal, ty.scalar()) {
            (Literal::Bool(value), _) => value.to_string(),
            (Literal::Int { value, .. }, Some(scalar)) => match scalar {
                Scalar::F32 | Scalar::F64 => float(&value.to_string(), scalar),
                Scalar::U32 => format!("{value}u"),
                Scalar::U64 => format!("{value}ull"),
                Scalar::I64 => format!("{value}ll"),
                Scalar::I32 => value.to_string(),
                small => format!("{}({value})", small.name()),
            },
            (Literal::Float { digits, .. }, Some(scalar)) => float(digits, scalar),
            (Literal::Int { value, .. }, None) => self.table.number_of(&value.to_string(), ty),
            (Literal::Float { digits, .. }, None) => self.table.number_of(&pointed(digits), ty),
        }
    }

    /// A negative number of its own type: C++ negates after choosing one.
    pub(super) fn negative(&self, literal: &Expr) -> String {
        let ExprKind::Literal(Literal::Int { value, .. }) = &literal.kind else {
            return String::new();
        };
        match literal.ty.scalar() {
            Some(scalar) if scalar.is_float() => {
                format!("({})", float(&format!("-{value}"), scalar))
            }
            // The smallest number has no literal of its own type.
            Some(Scalar::I64) if *value == 1 << 63 => format!("(-{}ll - 1)", value - 1),
            Some(Scalar::I32) if *value == 1 << 31 => format!("(-{} - 1)", value - 1),
            Some(Scalar::I64) => format!("(-{value}ll)"),
            Some(Scalar::I32) => format!("(-{value})"),
            Some(small) => format!("{}(-{value})", small.name()),
            None => self.table.number_of(&format!("-{value}"), &literal.ty),
        }
    }

    /// `u32::MAX` is in the prelude; another constant is declared in front of the
    /// program, with the value that it has for this instance.
    pub(super) fn constant(&self, path: &syn::ExprPath) -> String {
        let segments: Vec<_> =
            path.path.segments.iter().map(|part| part.ident.to_string()).collect();
        match &segments[..] {
            [owner, last]
                if Scalar::from_name(owner).is_some_and(|scalar| is_of_number(scalar, last)) =>
            {
                format!("Limits<{owner}>::{last}")
            }
            _ => self.table.constant(path),
        }
    }

    /// A value whose type C++ goes by, as a part of a tuple or a side of `?:`: `a | b` of
    /// `bool` would be an `int`.
    pub(super) fn exact(&self, part: &Expr, least: Precedence) -> String {
        let text = self.at(part, least);
        let may_widen = match &part.kind {
            ExprKind::Binary(op, ..) => !op.is_comparison() && !op.is_logical(),
            kind => kind.is_control_flow(),
        };
        let is_bool = part.ty.value() == &Type::BOOL;
        if is_bool && may_widen { format!("bool({})", self.expr(part)) } else { text }
    }

    // expands to: Edge<u32>{}.with_src(a).with_dst(b).with_weight(c)
    // which keeps the user's order of fields and of evaluation.
    pub(super) fn struct_literal(
        &self,
        slot: Option<Slot>,
        fields: &[(proc_macro2::Ident, Expr)],
    ) -> String {
        let name = slot.map_or(String::new(), |slot| self.table.slot(slot));
        let fields: Vec<_> = fields
            .iter()
            .filter(|(_, value)| !is_phantom(value))
            .map(|(field, value)| format!(".with_‹={field}›({})", self.expr(value)))
            .collect();
        format!("{name}{{}}{}", fields.concat())
    }
}

/// `PhantomData`: a field that CUDA's struct does not have.
fn is_phantom(value: &Expr) -> bool {
    let ExprKind::Const(path) = &value.kind else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == "PhantomData")
}

/// The digits of a float, which a point tells from those of an integer.
fn pointed(digits: &str) -> String {
    if digits.contains(['.', 'e', 'E']) { digits.to_lowercase() } else { format!("{digits}.0") }
}

/// The number as Rust rounds it: NVRTC 13.0 reads `16777217.0f` as 16777218.
fn float(digits: &str, scalar: Scalar) -> String {
    let rounded = match scalar {
        Scalar::F32 => digits.parse::<f32>().map(|value| format!("{value:?}f")),
        _ => digits.parse::<f64>().map(|value| format!("{value:?}")),
    };
    rounded.unwrap_or_else(|_| digits.to_owned())
}
