//! Calls: words of the language, device functions, methods. What runs once for
//! the warp goes in front of the expression that uses its result.

use super::Native;
use super::alone::is_of_lane;
use crate::ir::intrinsics::{Effect, Intrinsic, Method};
use crate::ir::{Callee, Expr, Type, callee};
use crate::tokens::type_tokens;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

impl Native<'_> {
    pub(super) fn intrinsic(
        &mut self,
        whole: &Expr,
        intrinsic: &'static Intrinsic,
        group: u32,
        args: &[Expr],
    ) -> TokenStream {
        if intrinsic.is_library() {
            return self.library(whole, intrinsic, group, args);
        }
        if intrinsic.shape.is_tiled() {
            return self.tiled(whole, intrinsic, group, args);
        }
        let span = whole.span;
        let (warp, l, mask) = (own("__warp"), own("__l"), self.current_mask());
        let name = proc_macro2::Ident::new(intrinsic.name, Span::call_site());
        match (intrinsic.name, args) {
            ("lane_id", _) => quote!((__l as u32)),
            ("thread_id", _) => quote!(__warp.thread_id(__l)),
            ("lanes_below", _) => quote!(::meerkat_runtime::lanes::lanes_below(__l)),
            ("block_thread_id", _) => quote!((__l as u32)),
            ("block_barrier" | "warp_barrier", _) => {
                self.before.push(quote_spanned!(span=> #warp.#name(#mask);));
                quote!(())
            }
            ("warp_dequeue", [queue]) => {
                let queue = self.scalar(queue);
                let result = self.temporary();
                self.before.push(quote_spanned! {span=>
                    let #result: u32 = #warp.warp_dequeue(#mask, &mut #queue);
                });
                quote!(#result)
            }
            ("warp_ballot" | "warp_any" | "warp_all" | "block_any" | "block_all", [predicate]) => {
                let votes = self.bits(predicate, &mask);
                let result = self.temporary();
                self.before.push(quote_spanned! {span=>
                    let #result = #warp.#name(#mask, #votes);
                });
                quote!(#result)
            }
            ("select", [condition, then, otherwise]) => {
                let condition = self.scalar(condition);
                let (then, otherwise) = (self.scalar(then), self.scalar(otherwise));
                quote!(__ops::select(#condition, #then, #otherwise))
            }
            ("warp_broadcast" | "block_broadcast", [value, lane]) => {
                let lane = self.scalar(lane);
                let value = self.gathered(value);
                let result = self.temporary();
                self.before.push(quote_spanned! {span=>
                    let #result = {
                        let #l: usize = #warp.source_lane(#mask, #lane);
                        #value
                    };
                });
                quote!(#result)
            }
            (_, [value, rest @ ..]) => {
                let value = self.lanes(value);
                let rest: Vec<_> = rest.iter().map(|arg| self.argument(arg)).collect();
                let result = self.temporary();
                self.before.push(quote_spanned! {span=>
                    let #result = #warp.#name(#mask, #value #(, #rest)*);
                });
                if self.is_uniform(whole.id) { quote!(#result) } else { quote!(#result[__l]) }
            }
            (_, []) => quote!(__warp.#name()),
        }
    }

    /// The value of lane `__l`, of which a collective reads some. One that is
    /// harmless is computed where it is read; else every lane computes its own.
    fn gathered(&mut self, value: &Expr) -> TokenStream {
        if self.is_total(value) || self.is_uniform(value.id) {
            return self.scalar(value);
        }
        let lanes = self.lanes(value);
        let all = self.temporary();
        self.before.push(quote! { let #all = #lanes; });
        quote!(#all[__l])
    }

    /// Atomics in the memory of the warp, which is a block of its own.
    pub(super) fn shared(&mut self, element: &Type, length: &str, span: Span) -> TokenStream {
        let (warp, mask) = (own("__warp"), self.current_mask());
        let element = type_tokens(element);
        let length: TokenStream = length.parse().unwrap_or_default();
        quote_spanned!(span=> #warp.block_shared::<#element>(#mask, (#length) as usize))
    }

    /// A collective that is a device function of the run time.
    fn library(
        &mut self,
        whole: &Expr,
        intrinsic: &'static Intrinsic,
        group: u32,
        args: &[Expr],
    ) -> TokenStream {
        let (span, warp, mask) = (whole.span, own("__warp"), self.current_mask());
        let name = proc_macro2::Ident::new(&intrinsic.library_name(group), Span::call_site());
        let args: Vec<_> = args.iter().map(|arg| self.argument(arg)).collect();
        self.before.push(quote_spanned! {span=>
            ::meerkat_runtime::frontier::#name::lanes(#warp, #mask, (#(#args,)*));
        });
        quote!(())
    }

    /// A collective of tiles: each tile of the mask is whole, or absent.
    fn tiled(
        &mut self,
        whole: &Expr,
        intrinsic: &'static Intrinsic,
        group: u32,
        args: &[Expr],
    ) -> TokenStream {
        let (span, mask) = (whole.span, self.current_mask());
        let (warp, l) = (own("__warp"), own("__l"));
        let name = proc_macro2::Ident::new(intrinsic.name, Span::call_site());
        let result = self.temporary();
        let value = match (intrinsic.name, args) {
            ("tile_lane_id", _) => return quote!((__l as u32 % #group)),
            ("tile_ballot" | "tile_any" | "tile_all", [predicate]) => {
                let votes = self.bits(predicate, &mask);
                quote_spanned!(span=> #warp.#name::<#group>(#mask, #votes))
            }
            ("tile_dequeue", [queue]) => {
                let queue = self.scalar(queue);
                quote_spanned! {span=>
                    #warp.tile_dequeue::<#group>(#mask, |#l: usize| {
                        let __before: u32 = #queue;
                        #queue = __before & __before.wrapping_sub(1);
                        __before
                    })
                }
            }
            ("tile_broadcast" | "tile_shuffle", [value, lane]) => {
                let value = self.gathered(value);
                let lane = self.gathered(lane);
                quote_spanned! {span=>
                    #warp.tile_gather::<#group, _>(#mask, |#l: usize| #lane, |#l: usize| #value)
                }
            }
            (_, [value]) => {
                let value = self.lanes(value);
                quote_spanned!(span=> #warp.#name::<#group, _>(#mask, #value))
            }
            _ => quote!(()),
        };
        self.before.push(quote! { let #result = #value; });
        quote!(#result[__l])
    }

    /// An argument of a function of the warp: a `T` or a `Lanes<T>`.
    pub(super) fn argument(&mut self, arg: &Expr) -> TokenStream {
        match self.is_uniform(arg.id) {
            true => self.scalar(arg),
            false => self.lanes(arg),
        }
    }

    pub(super) fn call(&mut self, whole: &Expr, callee: &Callee, args: &[Expr]) -> TokenStream {
        let span = whole.span;
        if !self.alone && self.is_uniform(whole.id) && callee.only_reads_graph() {
            // Asked once, by the first lane for all.
            let args: Vec<_> = args.iter().map(|arg| self.scalar(arg)).collect();
            return call_of_lane(callee, &args, &quote!(0usize), span);
        }
        if !self.is_uniform(whole.id) && !self.in_place && is_of_lane(callee, args) {
            // No lane needs the others: the call stands where the user wrote it.
            let args: Vec<_> = args.iter().map(|arg| self.scalar(arg)).collect();
            return call_of_lane(callee, &args, &own("__l").into_token_stream(), span);
        }
        let args: Vec<_> = args.iter().map(|arg| self.argument(arg)).collect();
        if self.alone {
            let l = own("__l").into_token_stream();
            let (call, result) = (call_of_lane(callee, &args, &l, span), self.temporary());
            let ty = type_tokens(&whole.ty);
            self.before.push(quote_spanned!(span=> let #result: #ty = #call;));
            return quote!(#result);
        }
        let (warp, mask) = (own("__warp"), self.current_mask());
        let call = match (callee, &args[..]) {
            (Callee::Method(name), [receiver, rest @ ..]) => {
                let probe = callee::probe(name);
                // Rust finds the function by a value of the receiver's type.
                let function = callee::member_of_call(callee, "lanes_of");
                let this = self.temporary();
                self.before.push(quote_spanned!(span=> let #this = #receiver;));
                quote_spanned! {span=>
                    ::meerkat_runtime::lanes::LaneValue::sample(&#this)
                        .#probe()
                        .#function(#warp, #mask, (#this, #(#rest,)*))
                }
            }
            _ => {
                let function = callee::member_of_call(callee, "lanes");
                quote_spanned!(span=> #function(#warp, #mask, (#(#args,)*)))
            }
        };
        self.result_of(whole, &call)
    }

    /// The result of a call: one value, or one a lane.
    fn result_of(&mut self, whole: &Expr, call: &TokenStream) -> TokenStream {
        let span = whole.span;
        let result = self.temporary();
        let ty = type_tokens(&whole.ty);
        if self.is_uniform(whole.id) {
            self.before.push(quote_spanned! {span=>
                let #result: #ty = ::meerkat_runtime::lanes::LaneValue::sample(&#call);
            });
            quote!(#result)
        } else {
            self.before.push(quote_spanned! {span=>
                let #result = ::meerkat_runtime::lanes::LaneValue::lanes(#call);
            });
            quote!(#result[__l])
        }
    }

    pub(super) fn method(
        &mut self,
        receiver: &Expr,
        method: &'static Method,
        args: &[Expr],
        span: Span,
    ) -> TokenStream {
        let name = proc_macro2::Ident::new(method.name, Span::call_site());
        let receiver = if method.effect == Effect::Pure {
            self.scalar(receiver)
        } else {
            self.place(receiver)
        };
        let args: Vec<_> = args.iter().map(|arg| self.scalar(arg)).collect();
        match method.name {
            "f64_to_bits" => return quote_spanned!(span=> f64::to_bits(#receiver)),
            "f32_from_bits" => return quote_spanned!(span=> f32::from_bits(#receiver)),
            "f64_from_bits" => return quote_spanned!(span=> f64::from_bits(#receiver)),
            // What panics in Rust, or takes its arguments by another type.
            "abs" | "abs_diff" | "clamp" | "pow" | "rotate_left" | "rotate_right" => {
                let name = proc_macro2::Ident::new(method.name, span);
                return quote!(__ops::#name(#receiver #(, #args)*));
            }
            _ => {}
        }
        if method.effect == Effect::UncheckedWrite {
            // The user's `unsafe` block, which the checker has seen, vouches for it.
            return quote!(unsafe { (#receiver).#name(#(#args),*) });
        }
        quote_spanned!(span=> (#receiver).#name(#(#args),*))
    }
}

/// The call of the function for lane `l`.
fn call_of_lane(callee: &Callee, args: &[TokenStream], l: &TokenStream, span: Span) -> TokenStream {
    let warp = own("__warp");
    match (callee, args) {
        (Callee::Method(name), [receiver, rest @ ..]) => {
            let (probe, this) = (callee::probe(name), own("__this"));
            let function = callee::member_of_call(callee, "alone_of");
            // Rust finds the function by a value of the receiver's type.
            quote_spanned! {span=>
                { let #this = #receiver; #this.#probe().#function(#warp, #l, (#this, #(#rest,)*)) }
            }
        }
        _ => {
            let function = callee::member_of_call(callee, "alone");
            quote_spanned!(span=> #function(#warp, #l, (#(#args,)*)))
        }
    }
}

/// A name of the macro's own among code with a span of the user's. Such a span may be
/// that of a `macro_rules!` argument, where the macro's names are not known.
fn own(name: &str) -> proc_macro2::Ident {
    proc_macro2::Ident::new(name, Span::call_site())
}
