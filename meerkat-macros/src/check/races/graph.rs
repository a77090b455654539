//! The memory of a graph: kernels read it, and only the run time's own change it.

use super::Races;
use crate::diagnostics::Place;
use crate::ir::intrinsics::Effect;
use crate::ir::{Expr, ExprKind, Function, Type};

impl Races<'_> {
    /// The atomics of a graph hold it together: only the run time's own kernels change them.
    pub(super) fn graph_memory(&self, place: Place, rule: &str) {
        if self.in_unsafe || crate::run_time::is_compiled() {
            return;
        }
        self.errors.report(
            place,
            format!("memory of the graph {rule} in a kernel"),
            "change the graph from the host, with a batch; `unsafe { .. }` vouches that the graph \
             stays whole",
        );
    }
}

/// Whether a place is in the memory of a graph: `graph.slabs[slab].word(3)`.
pub(super) fn is_graph(function: &Function, place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Local(var) => {
            matches!(function.var(*var).ty.value(), Type::Named { name, .. } if name == "Graph")
        }
        ExprKind::Field(base, _) | ExprKind::Index(base, _) => is_graph(function, base),
        ExprKind::Method { receiver, method, .. } if method.effect == Effect::Place => {
            is_graph(function, receiver)
        }
        _ => false,
    }
}

/// Whether a field of a graph is atomics, to which another name would lead.
pub(super) fn is_shared_memory(
    function: &Function,
    base: &Expr,
    field: &proc_macro2::Ident,
) -> bool {
    (field == "degrees" || field == "slabs") && is_graph(function, base)
}
