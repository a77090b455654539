//! Programs of the lowerings: written as in a kernel and read by the parser, like what
//! users write. Some of the names are filled in by the lowering.

use super::Parser;
use crate::diagnostics::Errors;
use crate::ir::intrinsics::{Intrinsic, intrinsic};
use crate::ir::{Block, Expr, ExprKind, Function, Literal, Scalar, Stmt, Type, VarId};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use std::cell::RefCell;
use syn::parse::Parser as _;

/// `program!(lowering, span, [vertex, turn] { let v = vertex; turn; })`: the statements of
/// a program. Each name in brackets is replaced by the Rust variable of that name: a
/// variable, an expression, statements, a type, a number, or another name.
macro_rules! program {
    ($lowering:expr, $span:expr, [$($name:ident $(= $value:expr)?),* $(,)?] { $($text:tt)* }) => {{
        let names = vec![$((stringify!($name), $crate::parse::filling!($name $(= $value)?))),*];
        $lowering.program(names, quote::quote!($($text)*), $span)
    }};
}

/// The same for one expression.
macro_rules! expression {
    ($lowering:expr, $span:expr, [$($name:ident $(= $value:expr)?),* $(,)?] $($text:tt)*) => {{
        let names = vec![$((stringify!($name), $crate::parse::filling!($name $(= $value)?))),*];
        $lowering.expression(names, quote::quote!($($text)*), $span)
    }};
}

macro_rules! filling {
    ($name:ident) => {
        $crate::parse::Filling::from($name)
    };
    ($name:ident = $value:expr) => {
        $crate::parse::Filling::from($value)
    };
}

pub(crate) use {expression, filling, program};

/// What a name of a program stands for.
pub(crate) enum Filling {
    Var(VarId),
    Expr(Box<Expr>),
    /// A statement `name;` stands for them, once.
    Stmts(RefCell<Option<Vec<Stmt>>>),
    Type(Type),
    Number(u32),
    /// A word or a method.
    Name(&'static str),
}

macro_rules! from {
    ($($from:ty: $value:ident => $filling:expr;)*) => {$(
        impl From<$from> for Filling {
            fn from($value: $from) -> Filling {
                $filling
            }
        }
    )*};
}

from! {
    VarId: var => Filling::Var(var);
    Expr: expr => Filling::Expr(Box::new(expr));
    &Expr: expr => Filling::Expr(Box::new(expr.clone()));
    Vec<Stmt>: stmts => Filling::Stmts(RefCell::new(Some(stmts)));
    Type: ty => Filling::Type(ty);
    u32: number => Filling::Number(number);
    &'static str: name => Filling::Name(name);
}

/// Whose collectives a program has: `group_any(p)` is of the lanes that walk a slab list
/// together, `step_any(p)` of the lanes that share a vertex.
#[derive(Clone, Copy)]
pub(crate) struct Collectives {
    pub(crate) group: u32,
    /// The vertex belongs to the block.
    pub(crate) in_block_step: bool,
}

impl Collectives {
    /// Of programs that are for a lane by itself.
    pub(crate) const LANE: Collectives = Collectives { group: 1, in_block_step: false };

    fn find(self, name: &str) -> Option<(&'static Intrinsic, u32)> {
        let (of_step, of_group) = (name.strip_prefix("step_"), name.strip_prefix("group_"));
        let word = of_step.or(of_group)?;
        let full = match (of_step.is_some() && self.in_block_step, self.group) {
            (true, _) if word == "lane_id" => "block_thread_id".to_owned(),
            (true, _) => format!("block_{word}"),
            (false, 32) if word == "lane_id" => "lane_id".to_owned(),
            (false, 32) => format!("warp_{word}"),
            (false, _) => format!("tile_{word}"),
        };
        let found = intrinsic(&full)?;
        let is_tiled = found.shape.is_tiled();
        Some((found, if is_tiled { self.group } else { found.group() }))
    }
}

pub(crate) struct Program {
    pub(crate) names: Vec<(&'static str, Filling)>,
    pub(crate) collectives: Collectives,
}

impl Program {
    /// Its statements, all at `span`.
    pub(crate) fn statements(
        &self,
        text: TokenStream,
        span: Span,
        function: &mut Function,
        errors: &Errors,
    ) -> Vec<Stmt> {
        let text = self.at(text, span);
        let stmts = syn::Block::parse_within.parse2(text).expect("a program of a lowering");
        let Block { mut stmts, tail } = self.parser(function, errors).statements(&stmts);
        stmts.extend(tail.map(|tail| Stmt::Expr(*tail)));
        for (name, filling) in &self.names {
            let is_left = matches!(filling, Filling::Stmts(stmts) if stmts.borrow().is_some());
            assert!(!is_left, "`{name}` is not in the program of the lowering");
        }
        stmts
    }

    /// It as an expression at `span`.
    pub(crate) fn expression(
        &self,
        text: TokenStream,
        span: Span,
        function: &mut Function,
        errors: &Errors,
    ) -> Expr {
        let expr = syn::parse2(self.at(text, span)).expect("an expression of a lowering");
        self.parser(function, errors).expr(&expr).expect("an expression of a lowering")
    }

    fn parser<'a>(&'a self, function: &'a mut Function, errors: &'a Errors) -> Parser<'a> {
        let mut parser = Parser::new(function, errors);
        let vars = self.names.iter().filter_map(|(name, filling)| match filling {
            Filling::Var(var) => Some((Ident::new(name, Span::call_site()), *var)),
            _ => None,
        });
        parser.scopes = vec![vars.collect()];
        parser.program = Some(self);
        parser
    }

    /// The text at a place of the user's, with its words and methods filled in. Its names
    /// are looked up where the attribute stands: the place may be in a `macro_rules`.
    fn at(&self, text: TokenStream, span: Span) -> TokenStream {
        let span = span.resolved_at(Span::call_site());
        let each = text.into_iter().map(|token| match token {
            TokenTree::Ident(ident) => match self.find(&ident.to_string()) {
                Some(Filling::Name(name)) => Ident::new(name, span).into(),
                _ => Ident::new(&ident.to_string(), span).into(),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self.at(group.stream(), span));
                inner.set_span(span);
                inner.into()
            }
            mut other => {
                other.set_span(span);
                other
            }
        });
        each.collect()
    }

    fn find(&self, name: &str) -> Option<&Filling> {
        self.names.iter().find(|(known, _)| *known == name).map(|(_, filling)| filling)
    }
}

/// What the parser asks of the program that it reads, if it reads one.
impl Parser<'_> {
    fn filling(&self, path: &syn::Path) -> Option<&Filling> {
        self.program?.find(&path.get_ident()?.to_string())
    }

    /// The variable that a declaration means.
    pub(super) fn filled_var(&self, name: &str) -> Option<VarId> {
        match self.program?.find(name)? {
            Filling::Var(var) => Some(*var),
            _ => None,
        }
    }

    pub(super) fn filled_type(&self, path: &syn::Path) -> Option<Type> {
        match self.filling(path)? {
            Filling::Type(ty) => Some(ty.clone()),
            _ => None,
        }
    }

    pub(super) fn filled_expr(&mut self, expr: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Path(path) = expr else { return None };
        match self.filling(&path.path)? {
            Filling::Expr(expr) => Some(self.function.copy_of_expr(&expr.clone())),
            Filling::Number(value) => {
                let (value, suffix) = (u128::from(*value), Some(Scalar::U32));
                let span = path.path.segments[0].ident.span();
                Some(self.function.expr(ExprKind::Literal(Literal::Int { value, suffix }), span))
            }
            _ => None,
        }
    }

    pub(super) fn filled_stmts(&self, expr: &syn::Expr) -> Option<Vec<Stmt>> {
        let syn::Expr::Path(path) = expr else { return None };
        match self.filling(&path.path)? {
            Filling::Stmts(stmts) => Some(stmts.take().expect("used once")),
            _ => None,
        }
    }

    pub(super) fn group_word(&self, name: &str) -> Option<(&'static Intrinsic, u32)> {
        self.program?.collectives.find(name)
    }

    /// The statements of a program of the parser's own.
    pub(super) fn program(
        &mut self,
        names: Vec<(&'static str, Filling)>,
        text: TokenStream,
        span: Span,
    ) -> Vec<Stmt> {
        let program = Program { names, collectives: Collectives::LANE };
        program.statements(text, span, self.function, self.errors)
    }
}
