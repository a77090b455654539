//! Device functions as calls name them: `module::f`, `Node::f` of a type or a trait,
//! `node.f()`.

use super::Scalar;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// How names end that rustc shows where an attribute is missing: they tell it.
const OF_FUNCTION: &str = "_needs_device_above_it";
const OF_TRAIT: &str = "_needs_device_above_trait_and_impl";
const OF_METHOD: &str = "_needs_device_above_its_impl";
const EXPLANATIONS: [&str; 3] = [OF_FUNCTION, OF_TRAIT, OF_METHOD];

/// What a call names.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// `f`, `module::f::<W>`
    Function(syn::Path),
    /// `Node::f`, `D::f` of a type parameter, `<D as Distance>::f`: a function of a type.
    Associated(syn::ExprPath),
    /// `a.f(b)`: a function of the first argument's type, which rustc finds.
    Method(Ident),
}

impl Callee {
    /// What a path names: types are written in upper case, or are numbers.
    pub(crate) fn of_path(path: syn::ExprPath) -> Callee {
        let owner = path.path.segments.iter().rev().nth(1).map(|owner| owner.ident.to_string());
        let is_type = owner.is_some_and(|owner| {
            owner.starts_with(char::is_uppercase) || Scalar::from_name(&owner).is_some()
        });
        match is_type || path.qself.is_some() {
            true => Callee::Associated(path),
            false => Callee::Function(path.path),
        }
    }

    /// The function's own name.
    pub(crate) fn name(&self) -> Option<&Ident> {
        match self {
            Callee::Function(path) => path.segments.last().map(|last| &last.ident),
            Callee::Associated(path) => path.path.segments.last().map(|last| &last.ident),
            Callee::Method(name) => Some(name),
        }
    }

    /// What stands for the function of the run time's `Neighbors` that is called, whatever graph
    /// it is of: by those, walks read a graph, and do nothing else.
    pub(crate) fn reads_graph(&self) -> Option<Ident> {
        let Callee::Associated(path) = self else { return None };
        let path = Some(&path.path).filter(|path| path.leading_colon.is_some())?;
        let words: Vec<_> = path.segments.iter().map(|segment| &segment.ident).collect();
        match &words[..] {
            [run_time, owner, name]
                if *run_time == "meerkat_runtime"
                    && (*owner == "Neighbors" || *owner == "UpdatedNeighbors") =>
            {
                Some(format_ident!("__{owner}_{name}"))
            }
            _ => None,
        }
    }

    /// Whether it is such a function.
    pub(crate) fn only_reads_graph(&self) -> bool {
        self.reads_graph().is_some()
    }

    /// The path of a function that is no type's: only such may wait for other lanes.
    pub(crate) fn function(&self) -> Option<&syn::Path> {
        match self {
            Callee::Function(path) => Some(path),
            _ => None,
        }
    }
}

// expands to:
//   { use module::f as f_needs_device_above_it; <f_needs_device_above_it>::lanes }
// so that rustc's error names the cause where `f` is a function and no type.
/// `f::lanes`: what the macro left beside a function.
pub(crate) fn member(path: &syn::Path, member: &str) -> TokenStream {
    member_with(path, member, None)
}

fn member_with(path: &syn::Path, member: &str, arguments: Option<TokenStream>) -> TokenStream {
    let Some(name) = path.segments.last().map(|last| last.ident.clone()) else { return quote!() };
    let span = name.span();
    let mut owner = path.clone();
    if let Some(last) = owner.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    let member = Ident::new(member, span);
    // The run time's own are there.
    if path.leading_colon.is_some() {
        return quote_spanned!(span=> #owner::#member #arguments);
    }
    let shown = format_ident!("{}{}", name, OF_FUNCTION, span = span);
    quote_spanned!(span=> { use #owner as #shown; <#shown>::#member #arguments })
}

/// The name of a member that stands for a function of a type.
pub(crate) fn associated(function: &Ident, member: &str) -> Ident {
    format_ident!("{}_{}{}", function, member, OF_TRAIT, span = function.span())
}

/// What a call by a value names first: it reads as its own explanation where there is no
/// such function.
pub(crate) fn probe(function: &Ident) -> Ident {
    format_ident!("{}{}", function, OF_METHOD, span = function.span())
}

/// Generated Rust as people read it: names without explanations, nor imports for them.
pub(crate) fn readable(tokens: TokenStream) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) => {
            let text = name.to_string();
            let plain = EXPLANATIONS.iter().find_map(|ending| text.strip_suffix(ending));
            let plain = plain.map(|plain| {
                syn::parse_str(plain).unwrap_or_else(|_| Ident::new_raw(plain, name.span()))
            });
            plain.unwrap_or(name).into_token_stream()
        }
        TokenTree::Group(group) => imported(&group).unwrap_or_else(|| {
            Group::new(group.delimiter(), readable(group.stream())).into_token_stream()
        }),
        other => other.into_token_stream(),
    });
    each.collect()
}

/// `f::lanes` of `{ use f as g; <g>::lanes }`, if it is that.
fn imported(block: &Group) -> Option<TokenStream> {
    let tokens: Vec<_> = block.stream().into_iter().collect();
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let renamed = (word(0) == "use").then(|| (1..tokens.len()).find(|at| word(*at) == "as"))??;
    if !word(renamed + 1).ends_with(OF_FUNCTION) {
        return None;
    }
    // Behind `as g; <g>`.
    let (path, member) = (&tokens[1..renamed], tokens.get(renamed + 6..)?);
    Some(quote!(#(#path)* #(#member)*))
}

/// [`member`], or that of a type's function, with the type arguments that the call names:
/// `f::lanes::<W>`, `Node::f_lanes_..::<W>`.
pub(crate) fn member_of_call(callee: &Callee, name: &str) -> TokenStream {
    match callee {
        Callee::Function(path) => {
            let arguments = path.segments.last().map(|last| &last.arguments);
            member_with(path, name, arguments.and_then(turbofish))
        }
        Callee::Associated(path) => {
            let mut path = path.clone();
            let mut arguments = None;
            if let Some(last) = path.path.segments.last_mut() {
                let of_function = associated(&last.ident, name);
                arguments = turbofish(&std::mem::replace(last, of_function.into()).arguments);
            }
            // A number has what the user's own tokens say, or rustc has reported that it has not.
            if let [owner, function] = path.path.segments.iter().collect::<Vec<_>>()[..]
                && Scalar::from_name(&owner.ident.to_string()).is_some()
            {
                let alias = format_ident!("{}", if name == "witness" { "__G" } else { "__Typed" });
                return quote!(<#alias<#owner>>::#function #arguments);
            }
            quote!(#path #arguments)
        }
        Callee::Method(function) => associated(function, name).into_token_stream(),
    }
}

fn turbofish(arguments: &syn::PathArguments) -> Option<TokenStream> {
    let syn::PathArguments::AngleBracketed(arguments) = arguments else { return None };
    let arguments = &arguments.args;
    Some(quote!(::<#arguments>))
}

/// The name in Rust of a method's free function: `Node__name`.
pub(crate) fn method_name(owner: &str, method: &Ident) -> Ident {
    format_ident!("{}__{}", owner, method, span = method.span())
}

/// What it is called in CUDA: `Node_name`.
pub(super) fn shown_name(name: &Ident) -> Ident {
    let text = name.to_string();
    let parts = text.split_once("__").filter(|(owner, _)| owner.starts_with(char::is_uppercase));
    let Some((owner, method)) = parts else { return name.clone() };
    format_ident!("{}_{}", owner, method, span = name.span())
}
