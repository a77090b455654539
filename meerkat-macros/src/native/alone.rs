//! Lanes alone: where lanes part in a loop that neither writes what others see nor waits for
//! them, nobody can tell in which order they run. There they run one after another, each in
//! plain Rust: PageRank took a half to a third of its time in lock step.

use super::{Native, imports};
use crate::ir::effects::Effects;
use crate::ir::intrinsics::{Effect, ResultType};
use crate::ir::{
    Block, Callee, Expr, ExprId, ExprKind, Function, LoopId, Stmt, Type, VarId, visit,
};
use proc_macro2::TokenStream;
use quote::quote;

/// Whether one lane can run the function by itself, where nobody sees in which order lanes do.
/// Without views it has nothing to write to, whatever it calls.
pub(super) fn can_run(function: &Function) -> bool {
    let params = || function.params.iter().map(|var| function.var(*var));
    let has_views = params().any(|var| var.ty.is_view());
    let is_call = |part: &Expr| matches!(part.kind, ExprKind::Call { .. });
    function.ret_level.is_none()
        && params().all(|var| var.ty.is_view() || var.declared.is_none())
        && !visit::any_in_block(&function.body, &|part| {
            acts(function, part) && (has_views || !is_call(part))
        })
}

/// Whether a call gives each lane what it gives it alone, so that it can stand in the lane's
/// own code: functions of types wait for nobody.
pub(super) fn is_of_lane(callee: &Callee, args: &[Expr]) -> bool {
    let is_of_type = !matches!(callee, Callee::Function(_));
    callee.only_reads_graph() || is_of_type && args.iter().all(is_plain)
}

/// Whether others see what the expression does, its parts aside, or it waits for them.
fn acts(function: &Function, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { callee, args } => !only_looks(callee, args),
        // A variable of the lane, or an element of its array.
        ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
            visit::root(place).is_none_or(|var| function.var(var).ty.is_view())
        }
        ExprKind::Method { method, .. } => {
            matches!(method.effect, Effect::AtomicUpdate | Effect::UncheckedWrite)
        }
        ExprKind::Intrinsic { intrinsic, .. } => {
            // A fence gives no value.
            intrinsic.result == ResultType::Unit || Effects::of(expr).acts()
        }
        ExprKind::Shared { .. } | ExprKind::ForEachNeighbor(_) => true,
        _ => false,
    }
}

/// Whether a call writes nothing, since it is given nothing that it could write to.
fn only_looks(callee: &Callee, args: &[Expr]) -> bool {
    callee.only_reads_graph() || args.iter().all(is_plain)
}

/// Whether a value is a number or made of numbers, to which nobody can write. A struct may
/// hold views, but not one that is read from memory.
fn is_plain(value: &Expr) -> bool {
    let is_read = match &value.kind {
        // Of atomics it is the place, not the value.
        ExprKind::Index(..) => matches!(value.ty, Type::Scalar(_) | Type::Param(_)),
        ExprKind::Method { method, .. } => method.effect == Effect::AtomicLoad,
        _ => false,
    };
    is_read || is_plain_type(&value.ty)
}

fn is_plain_type(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Array(element, _) => is_plain_type(element),
        Type::Tuple(parts) => parts.iter().all(is_plain_type),
        _ => false,
    }
}

impl Native<'_> {
    pub(super) fn is_uniform(&self, expr: ExprId) -> bool {
        self.alone || self.checked.is_uniform(expr)
    }

    pub(super) fn is_uniform_var(&self, var: VarId) -> bool {
        self.alone || self.checked.is_uniform_var(var)
    }

    pub(super) fn loop_diverges(&self, id: ExprId) -> bool {
        !self.alone && self.checked.loop_diverges(id)
    }

    pub(super) fn returns_diverge(&self) -> bool {
        !self.alone && self.checked.returns_diverge()
    }

    /// The body of the function for lane `__l`.
    pub(super) fn lane_body(&mut self) -> TokenStream {
        self.alone = true;
        let function = &self.checked.function;
        let params = function.params.iter().filter(|var| !function.var(**var).ty.is_view());
        let params: Vec<_> = params.map(|var| self.var(*var)).collect();
        let (imports, body) = (imports(), self.block_as_result(&function.body));
        quote! {
            #imports
            #(let mut #params = #params;)*
            #body
        }
    }

    // expands to:
    //   {
    //       let __t1 = &mut sum;
    //       for __l in active(__m0) {
    //           let v = v[__l];
    //           let mut sum = __t1[__l];
    //           <the statement in plain Rust>
    //           __t1[__l] = sum;
    //       }
    //   }
    /// A statement in which lanes part and loop, lane by lane, if nobody can tell.
    pub(super) fn lane_by_lane(&mut self, expr: &Expr) -> Option<TokenStream> {
        if self.alone || self.in_place || !self.parts(expr) || !is_closed(expr) {
            return None;
        }
        let function = &self.checked.function;
        if visit::any(expr, &|part| acts(function, part)) {
            return None;
        }
        let Outer { read, assigned } = self.outer(expr)?;
        let read: Vec<_> = read.into_iter().map(|var| self.var(var)).collect();
        let assigned: Vec<_> = assigned.into_iter().map(|var| self.var(var)).collect();
        let lanes: Vec<_> = assigned.iter().map(|_| self.temporary()).collect();
        let mask = self.current_mask();
        let loops = std::mem::take(&mut self.loops);
        self.run_alone += 1;
        self.alone = true;
        let body = self.store(expr, super::stmt::Target::Nowhere);
        self.alone = false;
        self.loops = loops;
        Some(quote! {
            {
                #(let #lanes = &mut #assigned;)*
                for __l in ::meerkat_runtime::lanes::active(#mask) {
                    #(let #read = #read[__l];)*
                    #(let mut #assigned = #lanes[__l];)*
                    #body
                    #(#lanes[__l] = #assigned;)*
                }
            }
        })
    }

    /// Whether lanes take a statement apart that has a loop.
    fn parts(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::If { condition, .. } => {
                !self.is_uniform(condition.id) && visit::any(expr, &is_loop)
            }
            _ => is_loop(expr) && self.loop_diverges(expr.id),
        }
    }

    /// The variables of lanes that a statement takes from outside; none if it assigns one
    /// that is the same in all lanes.
    fn outer(&self, expr: &Expr) -> Option<Outer> {
        let own =
            visit::declared(&Block { stmts: vec![Stmt::Expr(expr.clone())], ..Block::default() });
        let mut outer = Outer::default();
        let mut mentioned = Vec::new();
        locals(expr, &mut mentioned);
        let mut assigned = Vec::new();
        assignments(expr, &mut assigned);
        for var in mentioned {
            let is_assigned = assigned.contains(&var);
            if own.contains(&var) || self.checked.is_uniform_var(var) {
                if is_assigned && !own.contains(&var) {
                    return None;
                }
                continue;
            }
            if self.checked.function.var(var).ty.is_view() {
                continue;
            }
            let list = if is_assigned { &mut outer.assigned } else { &mut outer.read };
            if !list.contains(&var) {
                list.push(var);
            }
        }
        Some(outer)
    }
}

#[derive(Default)]
struct Outer {
    read: Vec<VarId>,
    assigned: Vec<VarId>,
}

fn is_loop(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::While { .. } | ExprKind::Loop { .. } | ExprKind::For { .. })
}

fn locals(expr: &Expr, found: &mut Vec<VarId>) {
    match expr.kind {
        ExprKind::Local(var) | ExprKind::Identity(var) => found.push(var),
        _ => {}
    }
    visit::children(expr, &mut |child| locals(child, found));
}

fn assignments(expr: &Expr, found: &mut Vec<VarId>) {
    if let ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) = &expr.kind {
        found.extend(visit::root(place));
    }
    visit::children(expr, &mut |child| assignments(child, found));
}

/// Whether all that leaves a loop in the statement leaves one of its own, and nothing returns.
fn is_closed(expr: &Expr) -> bool {
    fn leaves(expr: &Expr, labels: &mut Vec<Option<LoopId>>) -> bool {
        let label = match &expr.kind {
            ExprKind::Return(_) => return true,
            ExprKind::Break(label) | ExprKind::Continue(label) => {
                return match label {
                    Some(_) => !labels.contains(label),
                    None => labels.is_empty(),
                };
            }
            ExprKind::While { label, .. }
            | ExprKind::Loop { label, .. }
            | ExprKind::For { label, .. } => Some(label.clone()),
            _ => None,
        };
        let is_loop = label.is_some();
        labels.extend(label);
        let mut found = false;
        visit::children(expr, &mut |child| found = found || leaves(child, labels));
        if is_loop {
            labels.pop();
        }
        found
    }
    !leaves(expr, &mut Vec::new())
}
