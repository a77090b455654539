//! What evaluating an expression does besides giving a value, its parts aside: computed
//! here alone, asked by ordering, guards, accumulation, assertions and the writers.

use super::intrinsics::Effect;
use super::{BinaryOp, Expr, ExprKind, visit};

/// What one expression does, its parts aside.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effects {
    /// It changes what others see, or may: a call is taken to. Not so an enqueue, which
    /// waits and has no value that could be read too early.
    pub(crate) changes: bool,
    /// It reads memory, or may.
    pub(crate) reads: bool,
    /// It reads what others may change meanwhile.
    pub(crate) looks: bool,
    /// It waits for other lanes.
    pub(crate) waits: bool,
    /// It may end the lane: an index, a division, an assertion.
    pub(crate) traps: bool,
}

impl Effects {
    pub(crate) fn of(expr: &Expr) -> Effects {
        let none = Effects::default();
        match &expr.kind {
            // The macro sees no body but the one at hand.
            ExprKind::Call { .. } => {
                Effects { changes: true, reads: true, looks: true, traps: true, waits: false }
            }
            ExprKind::Index(..) => Effects { reads: true, traps: true, ..none },
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => Effects { traps: true, ..none },
            ExprKind::Assert(_) => Effects { traps: true, ..none },
            ExprKind::Method { method, .. } => Effects {
                changes: matches!(method.effect, Effect::AtomicUpdate | Effect::UncheckedWrite),
                reads: true,
                looks: method.effect == Effect::AtomicLoad,
                traps: method.effect != Effect::Pure,
                waits: false,
            },
            ExprKind::Intrinsic { intrinsic, .. } => Effects {
                changes: intrinsic.name.ends_with("dequeue"),
                waits: intrinsic.shape.is_collective() || intrinsic.is_library(),
                ..none
            },
            ExprKind::ForEachNeighbor(_) | ExprKind::Shared { .. } => {
                Effects { waits: visit::is_collective(expr), reads: true, ..none }
            }
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                Effects { changes: !matches!(place.kind, ExprKind::Local(_)), ..none }
            }
            _ => none,
        }
    }

    /// Whether others can tell that it was evaluated.
    pub(crate) fn acts(self) -> bool {
        self.changes || self.waits
    }
}

/// Whether any part of an expression does what is asked for.
pub(crate) fn any(expr: &Expr, asked: impl Fn(Effects) -> bool) -> bool {
    visit::any(expr, &|part| asked(Effects::of(part)))
}
