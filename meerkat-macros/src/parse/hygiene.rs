//! Who wrote a name: a user, or a `macro_rules!`, whose variables are others.

use proc_macro2::Ident;

/// Whether two names of one spelling were written in one place, as far as that is known.
pub(super) fn are_alike(a: &Ident, b: &Ident) -> bool {
    context(a) == context(b)
}

/// The number that rustc has for the macro that wrote the name. Nothing but the `Debug` form
/// of its span tells: `#0 bytes(7..9)`. Where it should look otherwise one day, variables go
/// by their spelling.
fn context(name: &Ident) -> Option<u32> {
    let span = format!("{:?}", name.span());
    span.strip_prefix('#')?.split_once(' ')?.0.parse().ok()
}
