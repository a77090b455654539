//! The checker: only it makes a [`CheckedKernel`], and the writers accept
//! nothing else, so that they never meet a kernel they must refuse.

pub(crate) mod infer;
mod methods;
mod races;
pub(crate) mod shape;
pub(crate) mod uniformity;

use crate::diagnostics::Errors;
use crate::ir::{BLOCK, ExprId, ExprKind, Function, Level, Type, VarId, visit};

/// A function that keeps every promise of docs/LANGUAGE.md, with what the
/// checker learnt about it.
pub(crate) struct CheckedKernel {
    pub(crate) function: Function,
    types: Vec<Type>,
    levels: uniformity::Levels,
    names: Vec<String>,
}

impl CheckedKernel {
    /// The variable's name in generated code.
    pub(crate) fn name(&self, var: VarId) -> &str {
        &self.names[var.0]
    }

    /// Whether no variable has this name.
    pub(crate) fn is_free_name(&self, name: &str) -> bool {
        !self.names.iter().any(|taken| taken == name)
    }

    /// What the macro knows of the expression's type.
    pub(crate) fn ty(&self, expr: ExprId) -> &Type {
        self.types.get(expr.0).unwrap_or(&Type::Unknown)
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

/// Fills in what is known of the variables' types, for a stage that writes code by
/// them; [`check`] reports what is wrong with them.
pub(crate) fn know_types(mut function: Function) -> Function {
    let errors = Errors::new();
    infer::infer(&mut function, &errors);
    drop(errors.check());
    function
}

/// Checks a function; reports everything it finds wrong at once.
pub(crate) fn check(mut function: Function, errors: &Errors) -> CheckedKernel {
    shape::check(&function.body, errors);
    let types = infer::infer(&mut function, errors);
    methods::resolve(&mut function, &types, errors);
    let levels = uniformity::analyse(&function, errors);
    races::check(&function, errors);
    let names = crate::ir::names::unique_names(&function);
    CheckedKernel { function, types, levels, names }
}
