//! Statements: `let`, assignment, and expressions for their effect.

use super::Native;
use crate::ir::select::as_select;
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Stmt, Type, VarId, visit};
use crate::tokens::{member, type_tokens};
use proc_macro2::TokenStream;
use quote::quote;

/// Where the value of control flow goes.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Nowhere,
    Variable(VarId),
    Return,
    /// The function's value, lane by lane, where branches part at its end.
    Result,
}

impl Native<'_> {
    pub(super) fn block_as_result(&mut self, body: &Block) -> TokenStream {
        let target =
            if self.checked.function.ret == Type::Unit { Target::Nowhere } else { Target::Return };
        if let Some(tail) = body.tail.as_deref()
            && self.parts_at_end(tail)
        {
            let before = self.statements(&body.stmts, None, Target::Nowhere);
            let value = self.parted_value(tail);
            return quote! { #before #value };
        }
        let block = self.block(body, target);
        // The tail of a function without parted returns is its value already.
        let parted = self.returns_diverge();
        let unit = self.checked.function.ret == Type::Unit;
        match (parted, unit) {
            (true, false) => {
                let result = self.parted_result();
                quote! { #block #result }
            }
            _ => block,
        }
    }

    /// Whether a value comes from branches that lanes take apart.
    pub(super) fn parts_at_end(&self, value: &Expr) -> bool {
        let function = &self.checked.function;
        let branches =
            matches!(value.kind, ExprKind::If { .. } | ExprKind::Block(_) | ExprKind::Unsafe(_));
        let uniform = function.ret_level == Some(crate::ir::Level::Warp);
        let is_value = branches && function.ret != Type::Unit && !uniform;
        is_value && !self.alone && !self.returns_diverge()
    }

    // expands to:
    //   let mut __result = Lanes::zeroed(); <branches that fill it>; return __result;
    pub(super) fn parted_value(&mut self, value: &Expr) -> TokenStream {
        let branches = self.store(value, Target::Result);
        quote! {
            let mut __result = ::meerkat_runtime::lanes::Lanes::zeroed();
            #branches
            return __result;
        }
    }

    /// A block's statements. After one that can part lanes for good, the rest
    /// runs only if some are left.
    pub(super) fn block(&mut self, block: &Block, target: Target) -> TokenStream {
        self.statements(&block.stmts, block.tail.as_deref(), target)
    }

    fn statements(&mut self, stmts: &[Stmt], tail: Option<&Expr>, target: Target) -> TokenStream {
        let Some((first, rest)) = stmts.split_first() else {
            return match tail {
                Some(tail) => {
                    let (typing, value) = (self.typing(tail), self.store(tail, target));
                    quote! { #typing #value }
                }
                None => quote!(),
            };
        };
        let (typing, this) = (self.typing_of(first), self.stmt(first));
        let this = quote! { #typing #this };
        if !self.can_part(first) || (rest.is_empty() && tail.is_none()) {
            let rest = self.statements(rest, tail, target);
            return quote! { #this #rest };
        }
        let mask = self.current_mask();
        let gone = self.gone_lanes();
        let rest = self.statements(rest, tail, target);
        quote! {
            #this
            #mask &= !(#gone);
            if #mask != 0 { #rest }
        }
    }

    /// Whether lanes leave a loop or the function inside the statement while
    /// others go on after it.
    fn can_part(&self, stmt: &Stmt) -> bool {
        let leaves = |expr: &Expr| match &expr.kind {
            ExprKind::Break(_) | ExprKind::Continue(_) => {
                self.loops.last().is_some_and(|innermost| innermost.diverges)
            }
            ExprKind::Return(_) => self.returns_diverge(),
            _ => false,
        };
        visit::any_in_stmt(stmt, &leaves)
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { var, init, .. } => self.declaration(*var, init.as_ref()),
            Stmt::Expr(expr) => self.store(expr, Target::Nowhere),
        }
    }

    fn declaration(&mut self, var: VarId, init: Option<&Expr>) -> TokenStream {
        let name = self.var(var);
        let uniform = self.is_uniform_var(var);
        let ty = type_tokens(&self.checked.function.var(var).ty);
        let ty = if uniform { ty } else { quote!(::meerkat_runtime::lanes::Lanes<#ty>) };
        let ty = quote!(__Typed<#ty>);
        let branches = |init: &Expr| init.kind.is_control_flow() && as_select(init).is_none();
        match init {
            None if self.alone => {
                quote! { let mut #name: #ty = ::meerkat_runtime::lanes::zeroed(); }
            }
            None => quote! { let mut #name: #ty = ::meerkat_runtime::lanes::Lanes::zeroed(); },
            Some(init) if branches(init) => {
                let store = self.store(init, Target::Variable(var));
                let zero = if uniform {
                    quote!(::meerkat_runtime::lanes::zeroed())
                } else {
                    quote!(::meerkat_runtime::lanes::Lanes::zeroed())
                };
                quote! { let mut #name: #ty = #zero; #store }
            }
            Some(init) => {
                let value = if uniform { self.scalar(init) } else { self.lanes(init) };
                let before = self.take_before();
                quote! { #before let mut #name: #ty = #value; }
            }
        }
    }

    /// An expression as statements that leave its value in `target`.
    pub(super) fn store(&mut self, expr: &Expr, target: Target) -> TokenStream {
        if let Target::Nowhere = target
            && let Some(alone) = self.lane_by_lane(expr)
        {
            return alone;
        }
        match &expr.kind {
            ExprKind::If { condition, then, otherwise } => {
                self.if_else(condition, then, otherwise.as_deref(), target)
            }
            ExprKind::While { label, condition, body } => {
                self.while_loop(expr, label.as_ref(), Some(condition), body)
            }
            ExprKind::Loop { label, body } => self.while_loop(expr, label.as_ref(), None, body),
            ExprKind::For { label, var, from, to, inclusive, body, .. } => {
                self.for_loop(expr, label.as_ref(), *var, (from, to, *inclusive), body)
            }
            ExprKind::Break(label) => self.leave(label.as_ref(), true),
            ExprKind::Continue(label) => self.leave(label.as_ref(), false),
            ExprKind::Return(value) => self.return_(value.as_deref()),
            ExprKind::Block(body) | ExprKind::Unsafe(body) => {
                let body = self.block(body, target);
                quote! { { #body } }
            }
            ExprKind::Assign(place, value) if value.kind.is_control_flow() => match place.kind {
                ExprKind::Local(var) => self.store(value, Target::Variable(var)),
                _ => self.assign(place, value),
            },
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp(op, place, value) => self.assign_op(*op, place, value),
            ExprKind::Assert(condition) => self.assertion(condition),
            _ => self.plain(expr, target),
        }
    }

    /// Every lane looks for itself; the first that finds it wrong stops the launch.
    fn assertion(&mut self, condition: &Expr) -> TokenStream {
        let value = self.scalar(condition);
        let (before, mask, span) = (self.take_before(), self.current_mask(), condition.span);
        let check = quote::quote_spanned!(span=> ::meerkat_runtime::lanes::assert(#value););
        if self.alone {
            return quote! { #before #check };
        }
        quote! {
            #before
            for __l in ::meerkat_runtime::lanes::active(#mask) { #check }
        }
    }

    fn plain(&mut self, expr: &Expr, target: Target) -> TokenStream {
        match target {
            Target::Nowhere => self.effect(expr),
            Target::Return => self.return_(Some(expr)),
            Target::Result => {
                let value = self.scalar(expr);
                let (before, mask) = (self.take_before(), self.current_mask());
                quote! {
                    #before
                    for __l in ::meerkat_runtime::lanes::active(#mask) { __result[__l] = #value; }
                }
            }
            Target::Variable(var) => {
                let name = self.var(var);
                if self.is_uniform_var(var) {
                    let value = self.scalar(expr);
                    let before = self.take_before();
                    return quote! { #before #name = #value; };
                }
                let value = self.scalar(expr);
                let (before, mask) = (self.take_before(), self.current_mask());
                quote! {
                    #before
                    for __l in ::meerkat_runtime::lanes::active(#mask) { #name[__l] = #value; }
                }
            }
        }
    }

    /// An expression for its effect: once for the warp, or in every lane.
    fn effect(&mut self, expr: &Expr) -> TokenStream {
        let once = match &expr.kind {
            ExprKind::Call { .. } => true,
            // `select` is a value of each lane, and its operands may act.
            ExprKind::Intrinsic { intrinsic, .. } => {
                intrinsic.shape.is_collective() || intrinsic.is_library()
            }
            _ => false,
        };
        let value = self.scalar(expr);
        let (before, mask) = (self.take_before(), self.current_mask());
        if once {
            return before;
        }
        if self.alone {
            return quote! { #before let _ = #value; };
        }
        quote! {
            #before
            for __l in ::meerkat_runtime::lanes::active(#mask) { let _ = #value; }
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr) -> TokenStream {
        let value = self.scalar(value);
        self.assign_value(place, value)
    }

    fn assign_op(&mut self, op: BinaryOp, place: &Expr, value: &Expr) -> TokenStream {
        let whole = ExprKind::Binary(op, Box::new(place.clone()), Box::new(value.clone()));
        let value = self.scalar(&Expr { kind: whole, ..place.clone() });
        self.assign_value(place, value)
    }

    fn assign_value(&mut self, place: &Expr, value: TokenStream) -> TokenStream {
        let uniform = match visit::root(place) {
            Some(var) => {
                self.is_uniform_var(var)
                    && !matches!(self.checked.function.var(var).ty, Type::Slice(..) | Type::Ref(_))
            }
            _ => false,
        };
        let (index, target) = self.assigned_place(place);
        let (before, mask) = (self.take_before(), self.current_mask());
        if uniform || self.alone {
            return quote! { #before { #index #target = #value; } };
        }
        quote! {
            #before
            for __l in ::meerkat_runtime::lanes::active(#mask) {
                let __value = #value;
                #index
                #target = __value;
            }
        }
    }

    /// A place to assign to, and what must run before: its index, which may read
    /// what the place borrows.
    fn assigned_place(&mut self, place: &Expr) -> (TokenStream, TokenStream) {
        match &place.kind {
            ExprKind::Index(base, at) => {
                let (before, base) = self.assigned_place(base);
                let at = self.scalar(at);
                let (span, index) = (place.span, self.temporary());
                let place = quote::quote_spanned!(span=> *(#base).at_own_item(#index));
                (quote! { #before let #index = #at; }, place)
            }
            ExprKind::Field(base, name) => {
                let (before, base) = self.assigned_place(base);
                let name = member(name);
                (before, quote!((#base).#name))
            }
            _ => (quote!(), self.scalar(place)),
        }
    }
}
