//! The mistakes of `tests/ui` without rustc: what the macros themselves say of
//! each file is what its expected output says, word by word and at its place.
//! (`cargo test --test compiler refused` has the whole compiler say it.)
//! Of the programs in `tests/language/accepted` they say nothing.

use crate::ir::FunctionKind;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::visit::Visit;

/// Text, line and column.
type Message = (String, usize, usize);

/// What the macros say of a file.
#[derive(Default)]
struct Reported {
    errors: BTreeSet<Message>,
    /// What they expand to where they say nothing.
    expansions: String,
}

impl Reported {
    fn of(path: &Path) -> Reported {
        let text = std::fs::read_to_string(path).expect("a file of tests/ui");
        let mut reported = Reported::default();
        reported.visit_file(&syn::parse_file(&text).expect("Rust"));
        reported
    }

    fn add(&mut self, result: syn::Result<TokenStream>) {
        match result {
            Ok(expansion) => self.expansions.push_str(&expansion.to_string()),
            Err(errors) => self.errors.extend(errors.into_iter().map(|error| {
                let start = error.span().start();
                (error.to_string(), start.line, start.column + 1)
            })),
        }
    }

    fn function(&mut self, attributes: &[syn::Attribute], item: TokenStream) {
        // The first sees the others, and takes them off.
        let first = attributes.iter().enumerate();
        let first = first.filter_map(|(at, attribute)| Some((at, kind(attribute.path())?))).next();
        let Some((at, kind)) = first else { return };
        let arguments = arguments(&attributes[at]);
        if let Ok(mut function) = syn::parse2::<syn::ItemFn>(item) {
            function.attrs.remove(at);
            self.add(
                crate::checked(kind, &arguments, &function)
                    .map(|compiled| crate::expand::expand(&compiled, &function)),
            );
        }
    }
}

impl<'a> Visit<'a> for Reported {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.attrs, item.to_token_stream());
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.function(&item.attrs, item.to_token_stream());
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        if item.attrs.iter().any(|attribute| attribute.path().is_ident("device")) {
            let errors = std::cell::RefCell::new(Vec::new());
            let (expansion, result) =
                crate::expand::impls::expand(item, |function: &syn::ItemFn| {
                    let arguments = TokenStream::new();
                    let checked = crate::checked(FunctionKind::Device, &arguments, function);
                    checked.inspect_err(|error| errors.borrow_mut().push(error.clone()))
                });
            self.add(result.map(|()| expansion));
            errors.into_inner().into_iter().for_each(|error| self.add(Err(error)));
        }
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        if item.attrs.iter().any(|attribute| attribute.path().is_ident("device")) {
            let errors = std::cell::RefCell::new(Vec::new());
            let (expansion, result) =
                crate::expand::traits::expand(item, |function: &syn::ItemFn| {
                    let arguments = TokenStream::new();
                    let checked = crate::checked(FunctionKind::Device, &arguments, function);
                    checked.inspect_err(|error| errors.borrow_mut().push(error.clone()))
                });
            self.add(result.map(|()| expansion));
            errors.into_inner().into_iter().for_each(|error| self.add(Err(error)));
        }
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item(&mut self, item: &'a syn::Item) {
        let derived = |attrs: &[syn::Attribute]| {
            attrs.iter().any(|attribute| {
                attribute.path().is_ident("derive")
                    && attribute.to_token_stream().to_string().contains("DeviceStruct")
            })
        };
        let attrs = match item {
            syn::Item::Struct(item) => &item.attrs,
            syn::Item::Enum(item) => &item.attrs,
            _ => return syn::visit::visit_item(self, item),
        };
        for kind in attrs.iter().filter_map(|attribute| kind(attribute.path())) {
            let item = without_attribute(item, kind.attribute());
            self.add(Err(crate::expand::not_a_function(kind, &item)));
        }
        let view = attrs.iter().find(|attribute| attribute.path().is_ident("device_view"));
        if let Some(attribute) = view {
            let item = without_attribute(item, "device_view").to_token_stream();
            let expanded = crate::device_view::expand(arguments(attribute), item);
            self.add(expanded);
        }
        if derived(attrs) {
            let input = syn::parse2(quote!(#item)).expect("what a derive takes");
            self.add(crate::device_struct::derive(&input).map_err(|(error, _)| error));
        }
    }
}

/// What stands in the attribute's parentheses.
fn arguments(attribute: &syn::Attribute) -> TokenStream {
    match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// A struct or an enum as the attribute of this name is given it.
fn without_attribute(item: &syn::Item, name: &str) -> syn::Item {
    let mut item = item.clone();
    let attributes = match &mut item {
        syn::Item::Struct(item) => &mut item.attrs,
        syn::Item::Enum(item) => &mut item.attrs,
        _ => return item,
    };
    attributes.retain(|attribute| !attribute.path().is_ident(name));
    item
}

fn kind(path: &syn::Path) -> Option<FunctionKind> {
    let name = path.get_ident()?.to_string();
    let kinds = [
        FunctionKind::Kernel,
        FunctionKind::Device,
        FunctionKind::VertexOperator,
        FunctionKind::EdgeOperator,
    ];
    kinds.into_iter().find(|kind| kind.attribute() == name)
}

/// The errors of an expected output with no code of rustc's, and the assertions of
/// generated code.
fn expected(path: &Path) -> (BTreeSet<Message>, Vec<String>) {
    let text = std::fs::read_to_string(path.with_extension("stderr")).expect("expected output");
    let (mut errors, mut assertions) = (BTreeSet::new(), Vec::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let message = line.strip_prefix("error: ");
        let assertion = line.strip_prefix("error[E0080]: evaluation panicked: ");
        let Some(first) = message.or(assertion) else { continue };
        let mut reported = first.to_owned();
        while let Some(more) = lines.next_if(|line| !line.trim_start().starts_with("--> ")) {
            reported.push('\n');
            reported.push_str(more.trim_start());
        }
        let place = lines.next().unwrap_or_default();
        let mut place = place.rsplit(':').map(|number| number.parse().unwrap_or(0));
        let (column, line) = (place.next().unwrap_or(0), place.next().unwrap_or(0));
        match assertion {
            Some(_) => assertions.push(reported),
            None => drop(errors.insert((reported, line, column))),
        }
    }
    (errors, assertions)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests").join(folder);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    assert!(!files.is_empty(), "{} has no program", root.display());
    files
}

/// Errors without a code that rustc tells, not the macros.
const OF_RUSTC: [&str; 2] = ["literal out of range", "unused comparison"];

#[test]
fn every_mistake_is_told_in_the_words_that_were_reviewed() {
    let folders = [
        "ui/divergence",
        "ui/races",
        "ui/types",
        "ui/layout",
        "ui/launch",
        "ui/syntax",
        "ui/names",
        "ui/operators",
        "ui/traits",
    ];
    let mut wrong = Vec::new();
    for path in folders.into_iter().flat_map(files) {
        let reported = Reported::of(&path);
        let (mut errors, assertions) = expected(&path);
        errors.retain(|(text, ..)| !OF_RUSTC.iter().any(|rustc| text.starts_with(rustc)));
        if reported.errors != errors {
            wrong.push(format!("{}:\n{:#?}\nnot\n{errors:#?}", path.display(), reported.errors));
        }
        let reported = reported.expansions;
        let missing = assertions.iter().filter(|text| !reported.contains(&format!("{text:?}")));
        wrong.extend(missing.map(|text| format!("{}: no {text:?}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_said_of_what_is_right() {
    for path in files("language/accepted") {
        assert_eq!(Reported::of(&path).errors, BTreeSet::new(), "{}", path.display());
    }
}
