//! `Self` in an `impl`, which a free function does not know: by its name.

use proc_macro2::Ident;
use quote::quote;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;

/// `self` and `Self` by their names.
pub(super) struct SelfTypes<'a> {
    /// What `Self` stands for.
    pub(super) ty: syn::Type,
    /// The trait that is implemented, and the names of what the `impl` has of it.
    pub(super) of_trait: Option<(&'a syn::Path, Vec<Ident>)>,
}

impl SelfTypes<'_> {
    /// `Self::Name` as `<Node as Trait>::Name`, or `<Node>::Name`.
    fn qualified(&self, path: &syn::Path) -> Option<(syn::QSelf, syn::Path)> {
        let mut rest = path.segments.iter().skip(1).peekable();
        let next = rest.peek()?;
        if path.segments.first()?.ident != "Self" {
            return None;
        }
        let of_trait = self.of_trait.as_ref();
        let of_trait = of_trait.filter(|(_, names)| names.contains(&next.ident));
        let whole = of_trait.map(|(of, _)| (*of).clone());
        let mut whole = whole.unwrap_or(syn::Path {
            leading_colon: Some(Default::default()),
            segments: Default::default(),
        });
        let position = whole.segments.len();
        whole.segments.extend(rest.cloned());
        let ty = Box::new(self.ty.clone());
        let qself = syn::QSelf {
            lt_token: Default::default(),
            ty,
            position,
            as_token: (position > 0).then(Default::default),
            gt_token: Default::default(),
        };
        Some((qself, whole))
    }

    fn replace(&self, path: &mut syn::Path, in_expression: bool) {
        let alone = path.segments.len() == 1;
        let Some(first) = path.segments.first_mut() else { return };
        if first.ident == "self" && alone {
            first.ident = Ident::new("self_", first.ident.span());
        } else if first.ident == "Self"
            && let syn::Type::Path(ty) = &self.ty
        {
            let rest: Vec<_> = path.segments.iter().skip(1).cloned().collect();
            *path = ty.path.clone();
            for segment in &mut path.segments {
                if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                    arguments.colon2_token = in_expression.then(Default::default);
                }
            }
            path.segments.extend(rest);
        }
    }
}

impl VisitMut for SelfTypes<'_> {
    /// Assertions have expressions in them.
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let list = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(mut args) = list.parse2(call.tokens.clone()) {
            args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            call.tokens = quote!(#args);
        }
    }

    fn visit_expr_path_mut(&mut self, expr: &mut syn::ExprPath) {
        if expr.qself.is_none()
            && let Some((qself, path)) = self.qualified(&expr.path)
        {
            (expr.qself, expr.path) = (Some(qself), path);
            return;
        }
        syn::visit_mut::visit_expr_path_mut(self, expr);
        self.replace(&mut expr.path, true);
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty
            && path.qself.is_none()
        {
            if path.path.is_ident("Self") {
                *ty = self.ty.clone();
                return;
            }
            if let Some((qself, inner)) = self.qualified(&path.path) {
                (path.qself, path.path) = (Some(qself), inner);
                return;
            }
        }
        syn::visit_mut::visit_type_mut(self, ty);
        if let syn::Type::Path(path) = ty {
            self.replace(&mut path.path, false);
        }
    }

    fn visit_expr_struct_mut(&mut self, literal: &mut syn::ExprStruct) {
        syn::visit_mut::visit_expr_struct_mut(self, literal);
        self.replace(&mut literal.path, true);
    }

    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        syn::visit_mut::visit_pat_mut(self, pattern);
        if let syn::Pat::Struct(pattern) = pattern {
            self.replace(&mut pattern.path, true);
        }
    }
}
