//! Control flow: plain where lanes agree, masks where they part.

use super::stmt::Target;
use super::{Native, OpenLoop, mask_ident};
use crate::ir::{Block, Expr, Level, LoopId, Type, VarId};
use crate::tokens::type_tokens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// What lanes must pass to take another turn of a loop.
enum Head<'a> {
    Endless,
    Condition(&'a Expr),
    /// Statements that take lanes out of the live mask.
    Test(TokenStream),
}

impl Native<'_> {
    pub(super) fn push_mask(&mut self) -> Ident {
        self.masks += 1;
        self.mask = self.masks;
        mask_ident(self.mask)
    }

    /// Back to the mask that was current before [`Self::push_mask`].
    pub(super) fn pop_mask_to(&mut self, outer: usize) {
        self.mask = outer;
    }

    pub(super) fn if_else(
        &mut self,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        target: Target,
    ) -> TokenStream {
        if self.is_uniform(condition.id) {
            let test = self.scalar(condition);
            let before = self.take_before();
            let then = self.block(then, target);
            let otherwise = otherwise.map(|otherwise| {
                let otherwise = self.store(otherwise, target);
                quote! { else { #otherwise } }
            });
            return quote! { #before if #test { #then } #otherwise };
        }
        // expands to:
        //   let __t1 = <lanes where the condition holds>;
        //   { let mut __m1 = __m0 & __t1; if __m1 != 0 { then } }
        //   { let mut __m2 = __m0 & !__t1; if __m2 != 0 { otherwise } }
        let outer = self.mask;
        let mask = self.current_mask();
        let holds = self.bits(condition, &mask);
        let before = self.take_before();
        let taken = self.temporary();
        let inner = self.push_mask();
        let then = self.block(then, target);
        let then = quote! {
            { let mut #inner: u32 = #mask & #taken; if #inner != 0 { #then } }
        };
        let otherwise = otherwise.map(|otherwise| {
            let inner = self.push_mask();
            let otherwise = self.store(otherwise, target);
            quote! {
                { let mut #inner: u32 = #mask & !#taken; if #inner != 0 { #otherwise } }
            }
        });
        self.pop_mask_to(outer);
        quote! { #before let #taken: u32 = #holds; #then #otherwise }
    }

    pub(super) fn while_loop(
        &mut self,
        whole: &Expr,
        label: Option<&LoopId>,
        condition: Option<&Expr>,
        body: &Block,
    ) -> TokenStream {
        let diverges = self.loop_diverges(whole.id);
        let name = self.open_loop(label, diverges);
        let looped = if diverges {
            let head = condition.map_or(Head::Endless, Head::Condition);
            self.masked_loop(&name, quote!(), head, body, quote!())
        } else {
            let exit = condition.map(|condition| {
                let test = self.scalar(condition);
                let before = self.take_before();
                quote! { #before if !(#test) { break; } }
            });
            let body = self.block(body, Target::Nowhere);
            quote! { #name: loop { #exit #body } }
        };
        self.loops.pop();
        looped
    }

    // expands to:
    //   let mut __live1 = __m0;                 // lanes still in the loop
    //   '__loop1: loop {
    //       __live1 &= <lanes where the condition holds>;
    //       if __live1 == 0 { break; }
    //       let mut __out1 = 0;                 // lanes done with this turn
    //       let mut __m1 = __live1;
    //       body
    //   }
    fn masked_loop(
        &mut self,
        name: &syn::Lifetime,
        start: TokenStream,
        head: Head<'_>,
        body: &Block,
        step: TokenStream,
    ) -> TokenStream {
        let outer = self.mask;
        let entering = self.current_mask();
        let number = self.loops.last().map_or(0, |innermost| innermost.number);
        let (live, out) = (format_ident!("__live{number}"), format_ident!("__out{number}"));
        let inner = self.push_mask();
        let test = match head {
            Head::Endless => quote!(),
            Head::Test(test) => test,
            Head::Condition(condition) => {
                let holds = self.bits(condition, &inner);
                let before = self.take_before();
                // One value for all lanes is computed only while there are some.
                let uniform = self.is_uniform(condition.id);
                let some = uniform.then(|| quote! { if #live == 0 { break; } });
                quote! { #some #before #live = #holds; }
            }
        };
        let body = self.block(body, Target::Nowhere);
        self.pop_mask_to(outer);
        quote! {
            #start
            let mut #live: u32 = #entering;
            #name: loop {
                let mut #inner: u32 = #live;
                #test
                if #live == 0 { break; }
                let mut #out = 0u32;
                #inner = #live;
                { #body }
                #step
            }
        }
    }

    pub(super) fn for_loop(
        &mut self,
        whole: &Expr,
        label: Option<&LoopId>,
        var: VarId,
        (from, to, inclusive): (&Expr, &Expr, bool),
        body: &Block,
    ) -> TokenStream {
        let name = self.var(var);
        let diverges = self.loop_diverges(whole.id);
        if !diverges {
            let (from, to) = (self.scalar(from), self.scalar(to));
            let before = self.take_before();
            let label = self.open_loop(label, false);
            let body = self.block(body, Target::Nowhere);
            self.loops.pop();
            let range = if inclusive { quote!(#from..=#to) } else { quote!(#from..#to) };
            return quote! { #before #label: for #name in #range { #body } };
        }
        if self.is_uniform_var(var) {
            return self.joint_range(label, &name, (from, to, inclusive), body);
        }
        let ty = type_tokens(&self.checked.function.var(var).ty);
        let end = self.temporary();
        let (from, to) = (self.lanes(from), self.lanes(to));
        let before = self.take_before();
        let label = self.open_loop(label, true);
        let number = self.loops.last().map_or(0, |innermost| innermost.number);
        let live = format_ident!("__live{number}");
        let until = if inclusive { quote!(<=) } else { quote!(<) };
        let start = quote! {
            let mut #name: ::meerkat_runtime::lanes::Lanes<#ty> = #from;
            let #end: ::meerkat_runtime::lanes::Lanes<#ty> = #to;
        };
        // Testing at the head, stepping at the end, as the range does. A lane at
        // the end of `..=` leaves: the next number may not exist.
        let last = inclusive.then(|| {
            quote! { if #name[__l] == #end[__l] { #live &= !(1u32 << __l); continue; } }
        });
        let step = quote! {
            for __l in ::meerkat_runtime::lanes::active(#live) {
                #last
                #name[__l] = __ops::add(#name[__l], 1);
            }
        };
        let head = quote! {
            #live &= ::meerkat_runtime::lanes::dense_bits(|__l: usize| #name[__l] #until #end[__l]);
        };
        let looped = self.masked_loop(&label, start, Head::Test(head), body, step);
        self.loops.pop();
        quote! { #before #looped }
    }

    // expands to:
    //   let mut __live1 = __m0;
    //   '__loop1: for i in from..to {
    //       if __live1 == 0 { break; }
    //       let mut __out1 = 0;
    //       let mut __m1 = __live1;
    //       body
    //   }
    /// A range that all lanes take alike, though some leave it early.
    fn joint_range(
        &mut self,
        label: Option<&LoopId>,
        name: &Ident,
        (from, to, inclusive): (&Expr, &Expr, bool),
        body: &Block,
    ) -> TokenStream {
        let (from, to) = (self.scalar(from), self.scalar(to));
        let before = self.take_before();
        let looped = self.open_loop(label, true);
        let number = self.loops.last().map_or(0, |innermost| innermost.number);
        let (live, out) = (format_ident!("__live{number}"), format_ident!("__out{number}"));
        let (outer, entering) = (self.mask, self.current_mask());
        let inner = self.push_mask();
        let body = self.block(body, Target::Nowhere);
        self.pop_mask_to(outer);
        self.loops.pop();
        let range = if inclusive { quote!(#from..=#to) } else { quote!(#from..#to) };
        quote! {
            #before
            let mut #live: u32 = #entering;
            #looped: for #name in #range {
                if #live == 0 { break; }
                let mut #out = 0u32;
                let mut #inner: u32 = #live;
                { #body }
            }
        }
    }

    fn open_loop(&mut self, label: Option<&LoopId>, diverges: bool) -> syn::Lifetime {
        self.loop_count += 1;
        self.left_apart += usize::from(diverges);
        let number = self.loop_count;
        self.loops.push(OpenLoop { label: label.cloned(), number, diverges });
        syn::Lifetime::new(&format!("'__loop{number}"), Span::call_site())
    }

    /// `break` and `continue`: jumps where lanes agree, mask arithmetic where
    /// they part.
    pub(super) fn leave(&mut self, label: Option<&LoopId>, breaks: bool) -> TokenStream {
        let is_target = |open: &OpenLoop| label.is_none() || open.label.as_ref() == label;
        let Some(target) = self.loops.iter().rposition(is_target) else { return quote!() };
        if !self.loops[target].diverges {
            let number = self.loops[target].number;
            let name = syn::Lifetime::new(&format!("'__loop{number}"), Span::call_site());
            return if breaks { quote!(break #name;) } else { quote!(continue #name;) };
        }
        let mask = self.current_mask();
        let mut leave = self.leave_loops(target + 1, &mask);
        let number = self.loops[target].number;
        let (live, out) = (format_ident!("__live{number}"), format_ident!("__out{number}"));
        if breaks {
            leave.extend(quote! { #live &= !#mask; });
        }
        quote! { #leave #out |= #mask; #mask = 0; }
    }

    /// Takes the lanes of `mask` out of all masked loops from `outermost` in.
    fn leave_loops(&self, outermost: usize, mask: &Ident) -> TokenStream {
        let mut leave = TokenStream::new();
        for open in self.loops[outermost..].iter().filter(|open| open.diverges) {
            let live = format_ident!("__live{}", open.number);
            let out = format_ident!("__out{}", open.number);
            leave.extend(quote! { #live &= !#mask; #out |= #mask; });
        }
        leave
    }

    /// The lanes that have left the current turn of a loop, or the function.
    pub(super) fn gone_lanes(&self) -> TokenStream {
        let mut gone = vec![quote!(0u32)];
        for open in self.loops.iter().filter(|open| open.diverges) {
            let out = format_ident!("__out{}", open.number);
            gone.push(quote!(#out));
        }
        if self.returns_diverge() {
            gone.push(quote!(__returned));
        }
        quote!(#(#gone)|*)
    }

    pub(super) fn return_(&mut self, value: Option<&Expr>) -> TokenStream {
        let unit = self.checked.function.ret == Type::Unit;
        if let Some(value) = value
            && value.kind.is_control_flow()
            && crate::ir::select::as_select(value).is_none()
        {
            if self.parts_at_end(value) {
                return self.parted_value(value);
            }
            return self.store(value, Target::Return);
        }
        if !self.returns_diverge() {
            let value = value.filter(|_| !unit).map(|value| self.result_value(value));
            let before = self.take_before();
            return quote! { #before return #value; };
        }
        let mask = self.current_mask();
        let keep = value.filter(|_| !unit).map(|value| {
            let value = self.scalar(value);
            quote! { for __l in ::meerkat_runtime::lanes::active(#mask) { __ret[__l] = #value; } }
        });
        let before = self.take_before();
        let leave = self.leave_loops(0, &mask);
        let result = self.parted_result();
        let stop = (self.mask == 0).then(|| quote!(return #result;));
        quote! { #before #keep #leave __returned |= #mask; #mask = 0; #stop }
    }

    /// What a function returns whose lanes have returned apart.
    pub(super) fn parted_result(&self) -> TokenStream {
        if self.checked.function.ret == Type::Unit { quote!() } else { quote!(__ret) }
    }

    fn result_value(&mut self, value: &Expr) -> TokenStream {
        match self.checked.function.ret_level {
            _ if self.alone => self.scalar(value),
            Some(Level::Warp) => {
                let value = self.scalar(value);
                quote!(::meerkat_runtime::lanes::WarpValue(#value))
            }
            _ => self.lanes(value),
        }
    }
}
