//! `assert!` and its kin.

use super::Parser;
use crate::diagnostics::Place;
use crate::ir::effects::{self, Effects};
use crate::ir::{BinaryOp, Expr, ExprKind};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

/// The macros, and what each compares its first two arguments by.
const ASSERTIONS: [(&str, Option<BinaryOp>); 6] = [
    ("assert", None),
    ("debug_assert", None),
    ("assert_eq", Some(BinaryOp::Eq)),
    ("debug_assert_eq", Some(BinaryOp::Eq)),
    ("assert_ne", Some(BinaryOp::Ne)),
    ("debug_assert_ne", Some(BinaryOp::Ne)),
];

fn known(call: &syn::Macro) -> Option<Option<BinaryOp>> {
    let found = ASSERTIONS.iter().find(|(name, _)| call.path.is_ident(name));
    found.map(|(_, comparison)| *comparison)
}

pub(super) fn is_assertion(call: &syn::Macro) -> bool {
    known(call).is_some()
}

impl Parser<'_> {
    /// The condition; a message has no one to read it on a device.
    pub(super) fn assertion(&mut self, call: &syn::Macro) -> Option<Expr> {
        let arguments = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let arguments = match arguments.parse2(call.tokens.clone()) {
            Ok(arguments) => arguments,
            Err(error) => {
                self.errors.push(error);
                return None;
            }
        };
        let span = call.span();
        let comparison = known(call).flatten();
        let mut values = arguments.iter();
        let (first, second) = (values.next(), comparison.and_then(|_| values.next()));
        let condition = match (comparison, first, second) {
            (None, Some(condition), _) => self.expr(condition)?,
            (Some(op), Some(left), Some(right)) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
                let mut whole = self.function.expr(kind, span);
                whole.end = Place::of(call).end;
                whole
            }
            _ => {
                let help = "write `assert!(condition);` or `assert_eq!(a, b);`";
                self.errors.report(Place::of(call), "this assertion has no condition", help);
                return None;
            }
        };
        if effects::any(&condition, Effects::acts) {
            self.errors.report(
                Place::of(call),
                "an assertion is not evaluated in every mode, so it must have no side effects",
                "bind what it tests before it: `let before = ..; assert!(before == 0);`",
            );
        }
        Some(self.function.expr(ExprKind::Assert(Box::new(condition)), span))
    }
}
