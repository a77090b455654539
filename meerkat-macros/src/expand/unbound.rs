//! Type parameters without a bound: the parser refuses them once, and with a bound rustc does
//! not refuse each of their uses.

use crate::parse::signature::without_bound;
use proc_macro2::Ident;
use syn::visit::Visit;

/// Gives them a bound: `Weight` where `Graph` or `Edge` takes them, else `DeviceType`.
pub(crate) fn give_bounds(generics: &mut syn::Generics, uses: impl FnOnce(&mut Weights)) {
    let mut weights = Weights(Vec::new());
    uses(&mut weights);
    let unbound = without_bound(generics);
    for param in generics.type_params_mut() {
        if unbound.contains(&param.ident) {
            param.bounds.push(match weights.0.contains(&param.ident) {
                true => syn::parse_quote!(::meerkat_runtime::Weight),
                false => syn::parse_quote!(::meerkat_runtime::DeviceType),
            });
        }
    }
}

/// The names in `Graph<K>` and `Edge<K>`.
pub(crate) struct Weights(Vec<Ident>);

impl<'a> Visit<'a> for Weights {
    fn visit_path_segment(&mut self, segment: &'a syn::PathSegment) {
        if let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments
            && (segment.ident == "Graph" || segment.ident == "Edge")
        {
            let types = arguments.args.iter().filter_map(|argument| match argument {
                syn::GenericArgument::Type(syn::Type::Path(ty)) => ty.path.get_ident().cloned(),
                _ => None,
            });
            self.0.extend(types);
        }
        syn::visit::visit_path_segment(self, segment);
    }
}
