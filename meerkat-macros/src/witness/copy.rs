//! The copy of a function that its witnesses are tied in. It is only ever checked:
//! what matters is that each expression has the type that it has in the user's
//! function. Values go through `__if_typed`, so that an error that rustc reports of the
//! user's own tokens is not reported again for these.

use super::ident;
use crate::infer::{number_under_cast, takes_cast};
use crate::ir::intrinsics::{Effect, Intrinsic};
use crate::ir::names::unique_names;
use crate::ir::{
    Block, Callee, Expr, ExprKind, ForEachNeighbor, Function, Lists, Literal, LoopId, Slot, Stmt,
    Type, VarId, callee,
};
use crate::tokens::{ident as variable, length_tokens, member, type_tokens};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// A closure with the parameters and the body of the function.
pub(super) fn closure(function: &Function) -> TokenStream {
    let copy = Copy { function, names: unique_names(function) };
    let params = function.params.iter().map(|&var| {
        let (name, ty) = (copy.name(var), copy.typed(&function.var(var).ty));
        quote!(mut #name: #ty)
    });
    let ret = copy.typed(&function.ret);
    let body = copy.block(&function.body);
    let place = function.place.map(|var| {
        let name = copy.name(var);
        quote!(let mut #name: __G<u32> = __any();)
    });
    quote!(|#(#params),*| -> #ret { #place #body })
}

struct Copy<'a> {
    function: &'a Function,
    names: Vec<String>,
}

impl Copy<'_> {
    fn name(&self, var: VarId) -> Ident {
        variable(&self.names[var.0], self.function.var(var))
    }

    /// The type, if the user's own tokens have no errors.
    fn typed(&self, ty: &Type) -> TokenStream {
        let ty = type_tokens(ty);
        quote!(__G<#ty>)
    }

    fn block(&self, block: &Block) -> TokenStream {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt));
        let tail = block.tail.as_ref().map(|tail| self.value(tail));
        quote!({ #(#stmts)* #tail })
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Expr(expr) => {
                let value = self.value(expr);
                quote!(#value;)
            }
            Stmt::Let { var, init, .. } => {
                let name = self.name(*var);
                let value = match init {
                    Some(init) => self.value(init),
                    None => quote!(__any()),
                };
                match &self.function.var(*var).ty {
                    Type::Rustc(slot, _) => {
                        let witness = ident(*slot);
                        quote!(let mut #name = #value; __tie(#witness, &#name);)
                    }
                    known => {
                        let ty = self.typed(known);
                        quote!(let mut #name: #ty = #value;)
                    }
                }
            }
        }
    }

    /// An expression where a value is wanted.
    fn value(&self, expr: &Expr) -> TokenStream {
        let span = Span::call_site().located_at(expr.span);
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, expr),
            ExprKind::Const(path) => self.confirmed(expr, quote!(#path)),
            ExprKind::Unary(op, a) => {
                let (op, a) = (op.token(), self.value(a));
                quote!((#op #a))
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.value(a), self.value(b));
                let symbol: TokenStream = op.symbol().parse().unwrap_or_default();
                if op.is_comparison() {
                    let comparable = quote_spanned!(span=> ::meerkat_runtime::typed::comparable);
                    return quote_spanned!(span=> (#comparable(#left) #symbol #comparable(#right)));
                }
                quote!((#left #symbol #right))
            }
            ExprKind::Cast(a, ty) => {
                // A number of the other kind is an `i32` or an `f64`, as its witness finds.
                let value = match number_under_cast(a) {
                    Some(literal) if takes_cast(literal, ty) => self.bare(a),
                    _ => self.value(a),
                };
                let ty = self.typed(ty);
                quote!((#value as #ty))
            }
            ExprKind::Field(..) | ExprKind::Index(..) => self.confirmed(expr, self.place(expr)),
            ExprKind::Struct { path, fields, .. } => {
                let fields = fields.iter().map(|(name, value)| {
                    let value = self.value(value);
                    quote!(#name: #value)
                });
                self.tied(expr.slot, quote!(#path { #(#fields),* }))
            }
            ExprKind::Array(items) => {
                let items = items.iter().map(|item| self.value(item));
                self.tied(expr.slot, quote!([#(#items),*]))
            }
            ExprKind::Repeat(item, length) => {
                let (item, length) = (self.value(item), length_tokens(length));
                self.tied(expr.slot, quote!([#item; #length]))
            }
            ExprKind::Tuple(items) => {
                let items = items.iter().map(|item| self.value(item));
                quote!((#(#items),*))
            }
            ExprKind::Intrinsic { intrinsic, group, args } => {
                self.intrinsic(expr, intrinsic, *group, args)
            }
            ExprKind::Shared { element, .. } => {
                let element = type_tokens(element);
                quote!(__any::<::meerkat_runtime::DeviceSlice<::meerkat_runtime::Atomic<#element>>>())
            }
            ExprKind::Call { callee, args } => {
                let witness = expr.slot.map(ident);
                let args = args.iter().map(|arg| self.value(arg));
                let call = match callee {
                    Callee::Method(name) => {
                        let probe = callee::probe(name);
                        let function = callee::member_of_call(callee, "witness_of");
                        let (names, values) = bound(args);
                        quote!({ #values __if_typed(__0.#probe().#function(#witness))(#(#names),*) })
                    }
                    _ => {
                        let function = callee::member_of_call(callee, "witness");
                        quote!(__if_typed(#function(#witness))(#(#args),*))
                    }
                };
                self.confirmed(expr, call)
            }
            ExprKind::Method { receiver, method, name, args, of } => {
                let receiver = match method.effect {
                    Effect::Pure => self.value(receiver),
                    _ => self.place(receiver),
                };
                let args = args.iter().map(|arg| self.value(arg));
                let call = match of {
                    Some(scalar) => {
                        let owner = Ident::new(scalar.name(), Span::call_site());
                        quote!(__if_typed(#owner::#name)(#receiver #(, #args)*))
                    }
                    // A method of the user's own of this name would be another one. Slices have
                    // a length, and weights have bits.
                    None if method.effect == Effect::Pure
                        && !matches!(method.name, "len" | "to_bits") =>
                    {
                        let number = quote_spanned!(name.span()=> ::meerkat_runtime::typed::number);
                        // An error of it stands on the method.
                        let mut value = Group::new(Delimiter::Brace, receiver);
                        value.set_span(name.span());
                        quote!(#number(#value).#name(#(#args),*))
                    }
                    None => quote!((#receiver).#name(#(#args),*)),
                };
                // A reference to an atomic is no value.
                if method.effect == Effect::Place { call } else { self.confirmed(expr, call) }
            }
            _ => self.control_flow(expr),
        }
    }

    /// Something in memory, or a value that a method is called on.
    fn place(&self, expr: &Expr) -> TokenStream {
        let place = match &expr.kind {
            ExprKind::Local(var) => {
                let name = self.name(*var);
                quote!(#name)
            }
            ExprKind::Field(base, name) => {
                let (base, name) = (self.place(base), member(name));
                quote!((#base).#name)
            }
            ExprKind::Index(base, at) => {
                let base = self.place(base);
                match &at.kind {
                    ExprKind::Literal(Literal::Int { value, suffix: None }) => {
                        let at = proc_macro2::Literal::u128_unsuffixed(*value);
                        quote!((#base)[#at])
                    }
                    _ => {
                        let at = self.value(at);
                        quote!((#base)[::meerkat_runtime::typed::at(#at)])
                    }
                }
            }
            _ => return self.value(expr),
        };
        match (&expr.kind, &expr.ty) {
            (ExprKind::Field(..), Type::Rustc(slot, _)) => {
                let witness = ident(*slot);
                quote!((*__tied(#witness, &#place)))
            }
            _ => place,
        }
    }

    /// A number in the type that the macro knows, or tied to its witness.
    fn literal(&self, literal: &Literal, expr: &Expr) -> TokenStream {
        let number = bare_literal(literal);
        match (literal, &expr.ty) {
            (Literal::Bool(value), _) => quote!(__if_typed(#value)),
            (_, Type::Rustc(slot, _)) => self.tied(Some(*slot), number),
            _ => self.confirmed(expr, number),
        }
    }

    /// Numbers, signs and braces without any wrapper, which would hide the cast.
    fn bare(&self, expr: &Expr) -> TokenStream {
        match &expr.kind {
            ExprKind::Literal(literal) => bare_literal(literal),
            ExprKind::Unary(op, a) => {
                let (op, a) = (op.token(), self.bare(a));
                quote!((#op #a))
            }
            ExprKind::Block(Block { tail: Some(tail), .. }) => self.bare(tail),
            _ => self.value(expr),
        }
    }

    /// The value, of the scalar type that the macro goes by, if it does: rustc refuses
    /// it where the macro is wrong.
    fn confirmed(&self, expr: &Expr, value: TokenStream) -> TokenStream {
        match expr.ty.scalar() {
            Some(_) => {
                let ty = self.typed(&expr.ty);
                quote!(__same::<#ty>(#value))
            }
            None => quote!(__if_typed(#value)),
        }
    }

    fn tied(&self, slot: Option<Slot>, value: TokenStream) -> TokenStream {
        let witness = slot.map(ident);
        quote!(__is(#witness, #value))
    }

    fn intrinsic(
        &self,
        whole: &Expr,
        intrinsic: &Intrinsic,
        group: u32,
        args: &[Expr],
    ) -> TokenStream {
        if intrinsic.is_library() {
            // What is enqueued says the type, whoever enqueues it.
            let witness = whole.slot.map(ident);
            let args = args.iter().map(|arg| self.value(arg));
            return quote! {
                ::meerkat_runtime::frontier::warp_enqueue_frontier::witness(#witness)(#(#args),*)
            };
        }
        let args = args.iter().map(|arg| match &arg.kind {
            ExprKind::Local(var) if intrinsic.name.ends_with("dequeue") => {
                let name = self.name(*var);
                quote!(&mut #name)
            }
            _ => self.value(arg),
        });
        let scalar = quote!(::meerkat_runtime::scalar);
        match intrinsic.name.strip_prefix("tile_") {
            Some(word) => {
                let word = format_ident!("{word}");
                quote!(#scalar::tile::<#group>().#word(#(#args),*))
            }
            None => {
                let word = format_ident!("{}", intrinsic.name);
                quote!(__if_typed(#scalar::#word)(#(#args),*))
            }
        }
    }

    fn control_flow(&self, expr: &Expr) -> TokenStream {
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                let value = self.value(value);
                match place.kind {
                    ExprKind::Local(var) => {
                        let name = self.name(var);
                        quote!(#name = #value)
                    }
                    _ => {
                        let (arrays, place) = (self.lane_arrays(place), self.place(place));
                        quote!({ #arrays __alike(&#place, &#value) })
                    }
                }
            }
            ExprKind::AssignOp(op, place, value) => {
                let arrays = self.lane_arrays(place);
                let (place, value) = (self.place(place), self.value(value));
                let symbol: TokenStream = format!("{}=", op.symbol()).parse().unwrap_or_default();
                quote!({ #arrays let mut __place = __read(&#place); __place #symbol #value; })
            }
            ExprKind::If { condition, then, otherwise } => {
                let (condition, then) = (self.value(condition), self.block(then));
                let otherwise = otherwise.as_ref().map(|otherwise| {
                    let otherwise = self.value(otherwise);
                    quote!(else { #otherwise })
                });
                quote!(if #condition #then #otherwise)
            }
            ExprKind::While { label, condition, body } => {
                let (label, body) = (declared(label), self.block(body));
                let condition = self.value(condition);
                quote!(#label while #condition #body)
            }
            ExprKind::Loop { label, body } => {
                let (label, body) = (declared(label), self.block(body));
                quote!(#label loop #body)
            }
            ExprKind::For { label, var, from, to, inclusive, body, .. } => {
                let (label, name) = (declared(label), self.name(*var));
                let (from, to, body) = (self.value(from), self.value(to), self.block(body));
                let range = if *inclusive { quote!(#from..=#to) } else { quote!(#from..#to) };
                let tie = self.bound(*var);
                quote!(#label for mut #name in #range { #tie #body })
            }
            ExprKind::Break(label) => {
                let label = label.as_ref().map(lifetime);
                quote!(break #label)
            }
            ExprKind::Continue(label) => {
                let label = label.as_ref().map(lifetime);
                quote!(continue #label)
            }
            ExprKind::Return(value) => {
                let value = value.as_ref().map(|value| self.value(value));
                quote!(return #value)
            }
            ExprKind::Block(body) => self.block(body),
            ExprKind::Unsafe(body) => {
                let body = self.block(body);
                quote!(unsafe #body)
            }
            ExprKind::Assert(condition) => {
                let condition = self.value(condition);
                quote!(__same::<__G<bool>>(#condition))
            }
            ExprKind::ForEachNeighbor(each) => self.neighbor_loop(each),
            ExprKind::Local(_) => self.place(expr),
            // `Identity`, which operators alone have, and only when they are lowered.
            _ => quote!(__any()),
        }
    }

    /// Confirms that what is indexed in a struct of the lane's own is an array: a slice
    /// would be written by others, too.
    fn lane_arrays(&self, place: &Expr) -> TokenStream {
        let span = place.span;
        match &place.kind {
            ExprKind::Index(base, _) if matches!(base.kind, ExprKind::Field(..)) => {
                let (outer, base) = (self.lane_arrays(base), self.place(base));
                let array = Ident::new("__array", span);
                let confirm = quote_spanned!(span=> ::meerkat_runtime::typed::lane_array);
                quote!(#outer { let #array = &#base; #confirm(#array); })
            }
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => self.lane_arrays(base),
            _ => TokenStream::new(),
        }
    }

    fn neighbor_loop(&self, each: &ForEachNeighbor) -> TokenStream {
        let ForEachNeighbor { graph, vertex, lists, predicate, dst, weight, body, types, .. } =
            each;
        let witnesses = [graph.slot, types.lists, types.chunk].map(|slot| slot.map(ident));
        let [of_graph, of_lists, of_chunk] = &witnesses;
        let (graph, vertex, predicate) =
            (self.place(graph), self.value(vertex), self.value(predicate));
        let walk = match types.updated.map(|slot| slot.map(ident)) {
            [Some(ty), of_updates] => quote! {
                __if_typed(::meerkat_runtime::typed::walk_of)(
                    #of_updates,
                    #of_lists,
                    #of_chunk,
                    __if_typed(::meerkat_runtime::typed::updated_of)(#of_graph, #ty, #graph)
                )
            },
            _ => quote! {
                __if_typed(::meerkat_runtime::typed::walk_of)(#of_graph, #of_lists, #of_chunk, #graph)
            },
        };
        let bucket = match lists {
            Lists::One(bucket) => {
                let bucket = self.value(bucket);
                quote!(__same::<__G<u32>>(#bucket);)
            }
            _ => quote!(),
        };
        let dst = self.name(*dst);
        let weight = weight.map(|weight| {
            let (name, tie) = (self.name(weight), self.bound(weight));
            quote!(let mut #name = __weight; #tie)
        });
        let body = self.block(body);
        quote!({
            let mut __weight = #walk;
            __same::<__G<u32>>(#vertex);
            #bucket
            __same::<__G<bool>>(#predicate);
            let mut #dst: __G<u32> = __any();
            #weight
            #body
        })
    }

    /// Ties a variable that no `let` declares.
    fn bound(&self, var: VarId) -> TokenStream {
        let name = self.name(var);
        match &self.function.var(var).ty {
            Type::Rustc(slot, _) => {
                let witness = ident(*slot);
                quote!(__tie(#witness, &#name);)
            }
            known => {
                let ty = self.typed(known);
                quote!(let mut #name: #ty = #name;)
            }
        }
    }
}

/// Arguments by names of their own: the first says which function is called.
fn bound(args: impl Iterator<Item = TokenStream>) -> (Vec<Ident>, TokenStream) {
    let (mut names, mut values) = (Vec::new(), TokenStream::new());
    for (at, arg) in args.enumerate() {
        let name = format_ident!("__{at}");
        values.extend(quote!(let #name = #arg;));
        names.push(name);
    }
    (names, values)
}

fn bare_literal(literal: &Literal) -> TokenStream {
    let (digits, suffix) = match literal {
        Literal::Bool(value) => return quote!(#value),
        Literal::Int { value, suffix } => (value.to_string(), suffix),
        Literal::Float { digits, suffix } if digits.contains(['.', 'e', 'E']) => {
            (digits.clone(), suffix)
        }
        Literal::Float { digits, suffix } => (format!("{digits}.0"), suffix),
    };
    let suffix = suffix.map_or("", |scalar| scalar.name());
    format!("{digits}{suffix}").parse().unwrap_or_default()
}

fn lifetime(label: &LoopId) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'{}", label.0), Span::call_site())
}

fn declared(label: &Option<LoopId>) -> TokenStream {
    let label = label.as_ref().map(lifetime);
    label.map_or_else(TokenStream::new, |label| quote!(#label:))
}
