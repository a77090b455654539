//! Attributes inside a function: rustc applies them to the function's own form only, the
//! two programs made of it would not follow, so what changes the meaning is refused.

use crate::diagnostics::{Errors, Place};
use syn::visit::Visit;

pub(super) fn check(item: &syn::ItemFn, errors: &Errors) {
    for attribute in item.attrs.iter().filter(|attribute| is_of_language(attribute)) {
        errors.report(
            Place::of(attribute),
            "a function has one attribute of the language",
            "leave one out: `#[device]` for what kernels call, the others for what the host \
             launches",
        );
    }
    let mut attributes = Attributes { errors };
    attributes.visit_signature(&item.sig);
    attributes.visit_block(&item.block);
}

/// Takes the other attributes of the language off a function, which has one.
pub(crate) fn take_others(item: &mut syn::ItemFn) {
    item.attrs.retain(|attribute| !is_of_language(attribute));
}

fn is_of_language(attribute: &syn::Attribute) -> bool {
    let names = ["device", "kernel", "vertex_operator", "edge_operator", "device_view"];
    attribute.path().segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name))
}

struct Attributes<'a> {
    errors: &'a Errors,
}

impl<'a> Visit<'a> for Attributes<'_> {
    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if changes_nothing(attribute.path()) {
            return;
        }
        let name = attribute
            .path()
            .segments
            .last()
            .map_or_else(String::new, |last| last.ident.to_string());
        self.errors.report(
            Place::of(attribute),
            format!("`#[{name}]` inside a kernel would be ignored"),
            "put the attribute on the whole function; what differs goes into a `const` or a \
             `#[device]` function outside",
        );
    }

    /// Refused as a whole.
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Comments, lint levels, and what only tools read.
fn changes_nothing(path: &syn::Path) -> bool {
    let first = path.segments.first().map(|first| first.ident.to_string());
    let names = ["doc", "allow", "expect", "warn", "deny", "forbid", "rustfmt", "clippy"];
    first.is_some_and(|first| names.contains(&first.as_str()))
}
