//! `syn::ItemFn` to [`ir::Function`]: names resolved, unsupported syntax refused.

mod assertion;
pub(crate) mod attributes;
mod call;
pub(crate) mod choice;
mod control;
mod expr;
pub(crate) mod foreign;
pub(crate) mod fragments;
mod hygiene;
mod pattern;
mod program;
pub(crate) mod signature;
#[cfg(test)]
mod tests;
mod types;
mod walk;

use crate::diagnostics::{Errors, Place};
use crate::ir::{self, Block, Function, FunctionKind, Level, LoopId, Stmt, Type, Var, VarId};
use proc_macro2::Ident;
pub(crate) use program::{Collectives, Filling, Program, expression, filling, program};
use syn::ext::IdentExt;

/// Reads one function; what it cannot read it reports and leaves out.
pub(crate) fn parse(kind: FunctionKind, item: &syn::ItemFn, errors: &Errors) -> Function {
    let mut function = Function::new(kind, &item.sig.ident);
    let mut parser = Parser::new(&mut function, errors);
    parser.check_function_name(&item.sig.ident);
    // Not part of the signature: callers of a function refused for this alone find it whole.
    signature::check_bounds(&item.sig.generics, errors);
    attributes::check(item, errors);
    parser.signature(item);
    parser.function.body = parser.block(&item.block);
    function
}

/// The signature alone, if there is nothing wrong with it.
pub(crate) fn signature(kind: FunctionKind, item: &syn::ItemFn) -> Option<Function> {
    signature_or(kind, item).ok()
}

/// [`signature`], or what callers can go by where `const` and the like, or the type of the
/// result is refused.
pub(crate) fn signature_for_callers(kind: FunctionKind, item: &syn::ItemFn) -> Option<Function> {
    let mut item = item.clone();
    (item.sig.constness, item.sig.asyncness, item.sig.unsafety) = (None, None, None);
    item.sig.abi = None;
    signature(kind, &item).or_else(|| {
        let any = syn::parse_quote!(::meerkat_runtime::typed::AnyDeviceType);
        item.sig.output = syn::ReturnType::Type(Default::default(), Box::new(any));
        signature(kind, &item)
    })
}

/// The signature alone, or what is wrong with it.
pub(crate) fn signature_or(kind: FunctionKind, item: &syn::ItemFn) -> syn::Result<Function> {
    let errors = Errors::new();
    let mut function = Function::new(kind, &item.sig.ident);
    Parser::new(&mut function, &errors).signature(item);
    errors.check().map(|()| function)
}

use assertion::is_assertion;
pub(crate) use call::is_word;
use walk::search;

/// Collectives of the language that take a closure.
pub(crate) const NEIGHBOR_LOOPS: [&str; 5] = [
    "for_each_neighbor",
    "for_each_bucket",
    "for_each_updated_neighbor",
    "for_each_common_neighbor",
    "find_neighbor",
];

struct Parser<'a> {
    errors: &'a Errors,
    function: &'a mut Function,
    /// Innermost scope last; within one, later declarations shadow earlier.
    scopes: Vec<Vec<(Ident, VarId)>>,
    loops: Vec<Option<LoopId>>,
    /// Inside a neighbour loop, whose closure is not a function to return from.
    closures: usize,
    /// Variables whose first value was refused: what is wrong with them is known.
    refused: Vec<VarId>,
    /// What stands for names of a lowering's program, if that is what is read.
    program: Option<&'a Program>,
}

impl<'a> Parser<'a> {
    fn new(function: &'a mut Function, errors: &'a Errors) -> Self {
        Parser {
            errors,
            function,
            scopes: vec![Vec::new()],
            loops: Vec::new(),
            closures: 0,
            refused: Vec::new(),
            program: None,
        }
    }

    fn unsupported(&self, place: impl Into<Place>, what: &str, help: &str) {
        self.errors.report(place, format!("{what} is not supported in a kernel"), help);
    }

    fn declare(&mut self, name: &Ident, mutable: bool, ty: Type, declared: Option<Level>) -> VarId {
        let name = name.clone();
        self.check_reserved(&name);
        let text = name.to_string();
        if let Some(var) = self.filled_var(&text) {
            return var;
        }
        self.function.vars.push(Var {
            name,
            mutable,
            ty,
            declared,
            parameter: false,
            own_item: false,
            deferred: false,
            described: None,
            unsure: false,
            made: false,
        });
        let var = VarId(self.function.vars.len() - 1);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((self.function.vars[var.0].name.clone(), var));
        }
        var
    }

    fn check_reserved(&self, name: &Ident) {
        let text = name.to_string();
        if text.starts_with("__") || text.starts_with("meerkat_") {
            self.errors.report(
                name.span(),
                format!("the name `{text}` is reserved for generated code"),
                "names that start with `__` or `meerkat_` are the macro's own; choose another",
            );
        } else if ir::intrinsics::intrinsic(&text).is_some()
            || (NEIGHBOR_LOOPS.contains(&text.as_str()) || text == "block_shared")
        {
            self.errors.report(
                name.span(),
                format!("`{text}` is a name of the language"),
                "a variable of this name would hide it; choose another",
            );
        }
    }

    /// A function of this name would be the language's word in CUDA.
    fn check_function_name(&self, name: &Ident) {
        let word = ir::intrinsics::intrinsic(&name.to_string());
        if word.is_some_and(|word| !word.is_library()) {
            self.errors.report(
                name.span(),
                format!("`{name}` is a word of the language"),
                "give the function a name of its own",
            );
        }
    }

    /// The variable that a name means: the nearest of that name that was written where it
    /// was, by a user or by one `macro_rules!`; or else the nearest.
    fn lookup(&self, name: &Ident) -> Option<VarId> {
        let known = || {
            let all = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
            all.filter(|(known, _)| known.unraw() == name.unraw())
        };
        let alike = known().find(|(known, _)| hygiene::are_alike(known, name));
        alike.or_else(|| known().next()).map(|(_, var)| *var)
    }

    fn block(&mut self, block: &syn::Block) -> Block {
        self.scopes.push(Vec::new());
        let parsed = self.statements(&block.stmts);
        self.scopes.pop();
        parsed
    }

    fn statements(&mut self, stmts: &[syn::Stmt]) -> Block {
        let mut block = Block::default();
        for (at, stmt) in stmts.iter().enumerate() {
            let last = at + 1 == stmts.len();
            match stmt {
                syn::Stmt::Local(local) => self.local(local, &mut block.stmts),
                syn::Stmt::Expr(expr, semi) => {
                    if let Some(stmts) = self.filled_stmts(expr) {
                        block.stmts.extend(stmts);
                    } else if let Some(expr) = self.expr(expr) {
                        if last && semi.is_none() {
                            block.tail = Some(Box::new(expr));
                        } else {
                            block.stmts.push(Stmt::Expr(expr));
                        }
                    }
                }
                syn::Stmt::Item(item) => self.unsupported(
                    Place::of(item),
                    "an item",
                    "declare it outside, beside the kernel",
                ),
                syn::Stmt::Macro(call) if is_assertion(&call.mac) => {
                    let stmt = self.assertion(&call.mac);
                    block.stmts.extend(stmt.map(Stmt::Expr));
                }
                syn::Stmt::Macro(call) => {
                    self.unsupported(Place::of(call), "a macro call", foreign::of_macro(&call.mac))
                }
            }
        }
        block
    }

    fn local(&mut self, local: &syn::Local, out: &mut Vec<Stmt>) {
        let (pattern, annotated) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        let Some(init) = &local.init else {
            return self.errors.report(
                Place::of(local),
                "a variable without a first value",
                "give it one: `let mut found = 0u32;`",
            );
        };
        if let Some((_, diverge)) = &init.diverge {
            self.unsupported(
                Place::of(diverge),
                "`let ... else`",
                "use an `if` around what follows",
            );
        }
        if let Some(search) = search(&init.expr) {
            return self.bound_search(pattern, search, local, out);
        }
        // The initializer sees the scope before the new names shadow it.
        let value = self.expr(&init.expr);
        let span = local.let_token.span;
        match value {
            Some(value) => {
                let annotation = annotated.map_or((Type::Unknown, None), |ty| self.value_type(ty));
                self.bind(pattern, value, annotation, span, out);
            }
            // What was refused still has its names, so that they are known below.
            None => self.declare_names(pattern),
        }
    }

    fn declare_names(&mut self, pattern: &syn::Pat) {
        if let syn::Pat::Ident(binding) = pattern {
            let mutable = binding.mutability.is_some();
            let var = self.declare(&binding.ident, mutable, Type::Unknown, None);
            self.refused.push(var);
        }
    }
}

/// The type that a variable has by the look of its first value.
fn literal_type(value: &ir::Expr) -> Type {
    use ir::{ExprKind, Literal, UnaryOp};
    match &value.kind {
        ExprKind::Literal(Literal::Bool(_)) => Type::BOOL,
        ExprKind::Literal(Literal::Int { suffix, .. } | Literal::Float { suffix, .. }) => {
            suffix.map_or(Type::Unknown, Type::Scalar)
        }
        ExprKind::Unary(UnaryOp::Neg | UnaryOp::Not, inner) => literal_type(inner),
        ExprKind::Binary(op, ..) if op.is_comparison() || op.is_logical() => Type::BOOL,
        ExprKind::Cast(_, ty) => ty.clone(),
        // `f32::INFINITY` is an `f32`.
        ExprKind::Const(path) => crate::infer::const_type(path, &Type::Unknown),
        _ => Type::Unknown,
    }
}
