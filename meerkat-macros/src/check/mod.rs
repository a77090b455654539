//! The checker: only it makes a [`CheckedKernel`], and the writers accept
//! nothing else, so that they never meet a kernel they must refuse.

mod races;
pub(crate) mod shape;
pub(crate) mod uniformity;

use crate::diagnostics::Errors;
use crate::infer::infer;
use crate::ir::names::{scoped_names, unique_names};
use crate::ir::{BLOCK, ExprId, ExprKind, Function, Level, Literal, VarId, visit};

/// A function that keeps every promise of docs/LANGUAGE.md, with what the
/// checker learnt about it.
pub(crate) struct CheckedKernel {
    pub(crate) function: Function,
    levels: uniformity::Levels,
    names: Vec<String>,
    scoped_names: Vec<String>,
}

impl CheckedKernel {
    /// The variable's name in generated Rust.
    pub(crate) fn name(&self, var: VarId) -> &str {
        &self.names[var.0]
    }

    /// The variable's name in CUDA.
    pub(crate) fn scoped_name(&self, var: VarId) -> &str {
        &self.scoped_names[var.0]
    }

    /// Whether no variable has this name.
    pub(crate) fn is_free_name(&self, name: &str) -> bool {
        !self.names.iter().any(|taken| taken == name)
    }

    /// The groups whose collectives it uses: 1 for tiles, 2 for larger ones.
    pub(crate) fn groups(&self) -> u32 {
        let uses = |found: &dyn Fn(u32) -> bool| {
            visit::any_in_block(&self.function.body, &|expr| match &expr.kind {
                ExprKind::Intrinsic { intrinsic, group, .. } => {
                    intrinsic.shape.is_collective() && found(*group)
                }
                // It leaves the lanes of a warp apart, as collectives of tiles do.
                ExprKind::Method { method, .. } => method.is_aggregated() && found(1),
                _ => false,
            })
        };
        u32::from(uses(&|group| group < 32)) | u32::from(uses(&|group| group >= 32)) << 1
    }

    /// Whether all lanes of the warp that run the expression see one value.
    pub(crate) fn is_uniform(&self, expr: ExprId) -> bool {
        self.levels.expr(expr) <= Level::Warp
    }

    pub(crate) fn is_uniform_var(&self, var: VarId) -> bool {
        self.levels.var(var) <= Level::Warp
    }

    /// Whether the lanes of a warp leave this loop at different times.
    pub(crate) fn loop_diverges(&self, id: ExprId) -> bool {
        self.levels.is_left_apart(id)
    }

    /// How far the expression's value is the same.
    pub(crate) fn level(&self, expr: ExprId) -> Level {
        self.levels.expr(expr)
    }

    /// How far lanes agree on an argument of a call, and why no further; none where those of
    /// a warp do.
    pub(crate) fn disagreement(&self, id: ExprId) -> Option<(Level, &str)> {
        self.levels.disagreements.get(&id.0).map(|(level, why)| (*level, why.as_str()))
    }

    /// Which groups are whole at this call, and why no larger ones, if lanes may
    /// be apart there.
    pub(crate) fn divergent_call(&self, id: ExprId) -> Option<(Level, &str)> {
        self.levels.divergent_calls.get(&id.0).map(|(level, why)| (*level, why.as_str()))
    }

    /// The largest group whose collectives the function itself uses, callees
    /// aside; 0 for none.
    pub(crate) fn group(&self) -> u32 {
        let uses = |group: u32| {
            visit::any_in_block(&self.function.body, &|expr| match &expr.kind {
                ExprKind::Shared { .. } => group == BLOCK,
                ExprKind::Intrinsic { intrinsic, group: found, .. } => {
                    intrinsic.shape.is_collective() && *found == group
                }
                _ => false,
            })
        };
        [BLOCK, 32, 16, 8, 4].into_iter().find(|group| uses(*group)).unwrap_or(0)
    }

    /// Whether some lanes return while others go on.
    pub(crate) fn returns_diverge(&self) -> bool {
        self.levels.returns_diverge
    }
}

/// Checks a function; reports everything it finds wrong at once.
pub(crate) fn check(mut function: Function, errors: &Errors) -> CheckedKernel {
    shape::check(&function.body, errors);
    infer(&mut function);
    complete(&function, errors);
    let levels = uniformity::analyse(&function, errors);
    races::check(&function, errors);
    let (names, scoped_names) = (unique_names(&function), scoped_names(&function));
    CheckedKernel { function, levels, names, scoped_names }
}

/// Nothing is left for C++ to choose a type for: the writers rely on it.
fn complete(function: &Function, errors: &Errors) {
    let report = |place: crate::diagnostics::Place, what: &str| {
        errors.report(
            place,
            format!("the macro has lost the type of {what}"),
            "annotate it, and please report this",
        );
    };
    let mut declared = visit::declared(&function.body);
    declared.extend(&function.params);
    for var in declared {
        let var = function.var(var);
        if !var.ty.is_whole() {
            report(var.name.span().into(), &format!("`{}`", var.name));
        }
    }
    visit::any_in_block(&function.body, &|expr| {
        let number =
            matches!(expr.kind, ExprKind::Literal(Literal::Int { .. } | Literal::Float { .. }));
        let made = matches!(
            expr.kind,
            ExprKind::Struct { .. } | ExprKind::Array(_) | ExprKind::Repeat(..)
        );
        if number && !expr.ty.is_whole() || made && expr.slot.is_none() {
            report(expr.place(), "this value");
        }
        false
    });
}
