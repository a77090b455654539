//! Calls: of the language's words, of functions, of methods.

use super::{Precedence, Writer};
use crate::ir::intrinsics::{Effect, Intrinsic, Method, TILE_STAGE_FRONTIER};
use crate::ir::{Callee, Expr};
use quote::format_ident;
use syn::parse_quote;

impl Writer<'_> {
    /// Of a device function. Which instance of it that is, the mark says (`table.rs`).
    pub(super) fn call(&self, whole: &Expr, callee: &Callee, args: &[Expr]) -> String {
        format!("{}({})", self.table.function(callee, whole.slot), self.list(args))
    }

    pub(super) fn intrinsic(
        &self,
        whole: &Expr,
        intrinsic: &Intrinsic,
        group: u32,
        args: &[Expr],
    ) -> String {
        if intrinsic.is_library() {
            let name = format_ident!("{}", intrinsic.library_name(group));
            let callee = Callee::Function(parse_quote!(::meerkat_runtime::frontier::#name));
            // Only vertices are staged: that function is not generic.
            let slot = whole.slot.filter(|_| intrinsic.name != TILE_STAGE_FRONTIER.name);
            return format!("{}({})", self.table.function(&callee, slot), self.list(args));
        }
        let group = if intrinsic.shape.is_tiled() { format!("<{group}>") } else { String::new() };
        format!("{}{group}({})", intrinsic.name, self.list(args))
    }

    /// Methods of memory stay methods; those of numbers are functions.
    pub(super) fn method(&self, receiver: &Expr, method: &Method, args: &[Expr]) -> String {
        if method.effect != Effect::Pure || method.name == "len" {
            let receiver = self.at(receiver, Precedence::Postfix);
            return format!("{receiver}.{}({})", method.name, self.list(args));
        }
        let mut all = vec![self.expr(receiver)];
        all.extend(args.iter().map(|arg| self.expr(arg)));
        format!("{}({})", method.name, all.join(", "))
    }
}
