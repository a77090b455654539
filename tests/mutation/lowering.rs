//! The rules of the lowerings and of both writers, each turned off.

use super::{Mutant, mutant};

const ORDER: &str = "order.rs";
const GUARD: &str = "operator/guard.rs";
const NEIGHBORS: &str = "operator/neighbors.rs";
const ACCUMULATE: &str = "operator/accumulate.rs";
const SLABS: &str = "operator/slabs.rs";
const SLAB_WORDS: &str = "operator/slab_words.rs";
const BLOCK: &str = "operator/block.rs";
const SLAB_LISTS: &str = "operator/slab_lists.rs";
const SCHEDULE: &str = "operator/schedule.rs";
const CUDA_EXPR: &str = "cuda/expr.rs";
const CUDA_STMT: &str = "cuda/stmt.rs";
const CUDA: &str = "cuda/mod.rs";
const NATIVE: &str = "native/mod.rs";
const NATIVE_EXPR: &str = "native/expr.rs";
const NATIVE_STMT: &str = "native/stmt.rs";
const NATIVE_CALL: &str = "native/call.rs";
const NATIVE_CONTROL: &str = "native/control.rs";

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    // Order of evaluation.
    mutant(ORDER, "if ⟪visit::any(operand, &|inner| self.is_ordered(inner, &later))⟫ {", "false"),
    mutant(ORDER, "if ⟪visit::any(value, &|inner| self.is_ordered(inner, &changes))⟫ {", "false"),
    mutant(ORDER, "if ⟪chosen && as_select(expr).is_none()⟫ {", "false"),
    mutant(ORDER, "if ⟪branches && !matches!(place.kind, ExprKind::Local(_))⟫ {", "false"),
    mutant(ORDER, "if ⟪visit::any(at, &has_effect)⟫ {", "false"),
    mutant(ORDER, "self.operand(right, &mut stmts);\n        if ⟪stmts.is_empty()⟫ {", "true"),
    mutant(ORDER, "self.value(expr, &mut stmts);\n        if ⟪stmts.is_empty()⟫ {", "true"),
    mutant(ORDER, "self.block(body);\n        if ⟪stmts.is_empty()⟫ {", "true"),
    mutant(ORDER, "BinaryOp::LogicalAnd => ⟪test⟫,", "self.function.expr(ExprKind::Unary(UnaryOp::Not, Box::new(test)), span)"),
    mutant(ORDER, "=> ⟪later.dequeues⟫ && self.function.var(*var).mutable,", "false"),
    mutant(ORDER, "_ if is_dequeue(expr) => later.changes || ⟪later.variables⟫,", "false"),
    mutant(ORDER, "has_effect(expr) && (later.changes || ⟪later.reads⟫),", "false"),
    mutant(ORDER, "ExprKind::Call { .. } | ExprKind::MethodCall { .. } => ⟪true⟫,", "false"),
    // Choices.
    mutant("parse/choice.rs", "ExprKind::Literal(_) => ⟪guard⟫,", "{ let (test, guard) = (Box::new(condition), Box::new(guard)); self.function.expr(ExprKind::Binary(BinaryOp::LogicalAnd, test, guard), span) }"),
    mutant("parse/choice.rs", "if let Some(guard) = ⟪guard⟫ {", "None::<Option<Expr>>"),
    // Operators.
    mutant(GUARD, "let condition = self.function.local(guard, span);\n        out.push(⟪self.if_then(condition, guarded, span)⟫);", "{ let _ = condition; out.extend(guarded); return }"),
    mutant(GUARD, "if ⟪any_in_stmt(&stmt, &is_collective)⟫ {", "false"),
    mutant(GUARD, "args[at] = ⟪self.and_guard(predicate, guard)⟫;", "{ let _ = guard; predicate }"),
    mutant(GUARD, "if ⟪matches!(predicate.kind, ExprKind::Literal(Literal::Bool(true)))⟫ {", "false"),
    mutant(NEIGHBORS, "⟪(!shared)⟫.then(|| path_name(expr, function))", "false"),
    mutant(NEIGHBORS, "if ⟪literal || path_name(&vertex, &self.function).is_some()⟫ {", "true"),
    mutant(ACCUMULATE, "Reduction::Sum => ⟪\"warp_reduce_sum\"⟫,", "\"warp_reduce_or\""),
    mutant(ACCUMULATE, "Reduction::Or => ⟪\"warp_reduce_or\"⟫,", "\"warp_reduce_sum\""),
    mutant(ACCUMULATE, "Reduction::Min => ⟪\"warp_reduce_min\"⟫,", "\"warp_reduce_max\""),
    mutant(ACCUMULATE, "Reduction::Max => ⟪\"warp_reduce_max\"⟫,", "\"warp_reduce_min\""),
    mutant(ACCUMULATE, "Reduction::Min if scalar.is_float() => ⟪ExprKind::Const(parse_quote!(#name::INFINITY))⟫,", "ExprKind::Const(parse_quote!(#name::MAX))"),
    mutant(ACCUMULATE, "Reduction::Min => ⟪ExprKind::Const(parse_quote!(#name::MAX))⟫,", "ExprKind::Const(parse_quote!(#name::MIN))"),
    mutant(ACCUMULATE, "Reduction::Max => ⟪ExprKind::Const(parse_quote!(#name::MIN))⟫,", "ExprKind::Const(parse_quote!(#name::MAX))"),
    mutant(ACCUMULATE, "out.push(⟪self.if_then(is_owner, vec![update], span)⟫);", "{ let _ = is_owner; update }"),
    mutant(SCHEDULE, "if ⟪lanes == 1⟫ {", "false"),
    mutant(SCHEDULE, "intrinsic.name != ⟪intrinsics::WARP_ENQUEUE_FRONTIER.name⟫", "\"\""),
    mutant(SCHEDULE, "*group = ⟪lanes⟫;", "32"),
    mutant(SLABS, "let condition = Box::new(self.binary(⟪BinaryOp::Ne⟫, now, null, span));", "BinaryOp::Eq"),
    mutant(SLABS, "let buckets = self.field_of(lists, ⟪\"buckets\"⟫, span);", "\"first\""),
    mutant(SLAB_WORDS, "self.slab_method(graph, slab, ⟪\"word\"⟫, lane, span)", "\"quad\""),
    mutant(SLAB_WORDS, "let link = self.word_at(words, ⟪count - 1⟫, span);", "0"),
    mutant(SLAB_WORDS, "let last = self.int(⟪u128::from(self.group) - 1⟫, span);", "0"),
    mutant(SLAB_WORDS, "self.int(⟪8 / u128::from(lanes)⟫, span)", "1"),
    mutant(SLAB_WORDS, "let last = self.word_at(words, ⟪3⟫, span);", "2"),
    mutant(SLAB_WORDS, "let last = self.int(⟪u128::from(lanes) - 1⟫, span);", "0"),
    mutant(SLAB_WORDS, "let (k, one) = (self.function.local(k, span), self.int(⟪1⟫, span));", "0"),
    mutant(SLAB_WORDS, "out.push(self.counted(k, (from, to), ⟪true⟫, stmts, span));", "false"),
    mutant(BLOCK, "let is_hub = self.binary(⟪BinaryOp::Ge⟫, buckets, many, span);", "BinaryOp::Lt"),
    mutant(BLOCK, "ExprKind::Unary(⟪UnaryOp::Not⟫, Box::new(hub))", "UnaryOp::Neg"),
    mutant(BLOCK, "let is_mine = self.binary(⟪BinaryOp::Eq⟫, me, now, span);", "BinaryOp::Ne"),
    mutant(BLOCK, "let condition = Box::new(self.binary(⟪BinaryOp::Ne⟫, now, none, span));", "BinaryOp::Eq"),
    mutant(BLOCK, "self.intrinsic(⟪\"block_reduce_min\"⟫, vec![bid], span)", "\"block_reduce_max\""),
    mutant(SLAB_LISTS, "Reduction::Sum => ⟪\"fetch_add\"⟫,", "\"fetch_or\""),
    mutant(SLAB_LISTS, "Reduction::Or => ⟪\"fetch_or\"⟫,", "\"fetch_add\""),
    mutant(SLAB_LISTS, "Reduction::Min => ⟪\"fetch_min\"⟫,", "\"fetch_max\""),
    mutant(SLAB_LISTS, "Reduction::Max => ⟪\"fetch_max\"⟫,", "\"fetch_min\""),
    mutant(SLAB_LISTS, "let is_first = self.binary(⟪BinaryOp::Eq⟫, lane, zero, span);", "BinaryOp::Ne"),
    mutant(SLAB_LISTS, "let offset = self.binary(⟪BinaryOp::Sub⟫, list, start, span);", "BinaryOp::Add"),
    mutant(SLAB_LISTS, "let next = self.binary(⟪BinaryOp::Add⟫, now, tiles, span);", "BinaryOp::Sub"),
    mutant(SLAB_LISTS, "let condition = Box::new(self.binary(⟪BinaryOp::Lt⟫, now, all, span));", "BinaryOp::Le"),
    // CUDA: precedence, and Rust's meaning where C++ has another.
    mutant(CUDA_EXPR, "if ⟪own < least⟫ {", "false"),
    mutant(CUDA_EXPR, "let (left, right) = (self.operand(a, b, own), self.operand(b, a, ⟪own.tighter()⟫));", "own"),
    mutant(CUDA_EXPR, "BinaryOp::Add if ⟪!plain⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Sub if ⟪!plain⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Mul if ⟪!plain⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Div if ⟪!(float || plain && by_number)⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Rem if ⟪float || !(plain && by_number)⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::And if ⟪self.is_narrow(scalar)⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Or if ⟪self.is_narrow(scalar)⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Xor if ⟪self.is_narrow(scalar)⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Shl if ⟪!self.shift_in_range(a, b)⟫ =>", "false"),
    mutant(CUDA_EXPR, "BinaryOp::Shr if ⟪!self.shift_in_range(a, b)⟫ =>", "false"),
    mutant(CUDA_EXPR, "⟪*value < u128::from(scalar.bits())⟫", "true"),
    mutant(CUDA_EXPR, "Some(from) if ⟪from.is_float() && integer⟫ =>", "false"),
    mutant(CUDA_EXPR, "(UnaryOp::Not, Some(scalar)) if ⟪scalar.bits() >= 32⟫ =>", "true"),
    mutant(CUDA_EXPR, "(UnaryOp::Neg, Some(scalar)) if ⟪scalar.is_float()⟫ =>", "true"),
    mutant(CUDA_EXPR, "if ⟪inner.starts_with('-')⟫ {", "false"),
    mutant(CUDA_EXPR, "Some(Scalar::I32) if ⟪*value == 1 << 31⟫ =>", "false"),
    mutant(CUDA_EXPR, "Some(Scalar::I64) if ⟪*value == 1 << 63⟫ =>", "false"),
    mutant(CUDA_EXPR, "if ⟪is_bare_number(a) && !known(a) && !is_bare_number(other)⟫ {", "false"),
    mutant(CUDA_EXPR, "Some(Scalar::U32) => ⟪format!(\"{value}u\")⟫,", "value.to_string()"),
    mutant(CUDA_STMT, "Target::Nowhere if ⟪matches!(expr.kind, ExprKind::Cast(..))⟫ =>", "false"),
    mutant(CUDA_EXPR, "if ⟪is_bool && may_widen⟫ {", "false"),
    mutant(CUDA_STMT, "match ⟪init.map(simple_block)⟫ {", "init"),
    mutant(CUDA_STMT, "let constant = if ⟪declared.mutable⟫ {", "true"),
    mutant(CUDA_STMT, "let ty = if known { ty } else { ⟪self.type_of_branches(init)⟫ };", "ty"),
    mutant(CUDA_STMT, "ExprKind::Local(var) => ⟪!self.checked.function.var(*var).mutable⟫,", "true"),
    mutant(CUDA_STMT, "let end = ⟪self.unused_name(&format!(\"{name}_end\"))⟫;", "format!(\"{name}_end\")"),
    mutant(CUDA_STMT, "⟪format!(\"{}_{number}\", label.0)⟫", "label.0.clone()"),
    mutant(CUDA_STMT, "match ⟪continues⟫ {", "false"),
    mutant(CUDA_STMT, "if ⟪breaks⟫ {", "false"),
    mutant(CUDA, "if ⟪text.len() + indent <= 100 || fields < 4⟫ {", "true"),
    mutant(CUDA, "text[at..].starts_with(\".with_\") && ⟪depth <= outermost⟫ =>", "true"),
    mutant(CUDA, "ty if ⟪declared.mutable⟫ =>", "false"),
    mutant(CUDA, "if args.is_empty() && ⟪is_weighted_container(name)⟫ =>", "false"),
    mutant("ir/names.rs", "if ⟪TAKEN.contains(&plain)⟫ {", "false"),
    mutant("ir/names.rs", "while ⟪!taken.insert(name.clone())⟫ {", "false"),
    // Lock step: masks, and what runs once.
    mutant(NATIVE_CONTROL, "if ⟪self.checked.is_uniform(condition.id)⟫ {", "false"),
    mutant(NATIVE_CONTROL, "self.pop_mask_to(⟪outer⟫);\n        quote! { #before let #taken", "self.mask"),
    mutant(NATIVE_CONTROL, "let diverges = self.checked.loop_diverges(whole.id);\n        let name = self.open_loop(label, ⟪diverges⟫);", "false"),
    mutant(NATIVE_CONTROL, "if ⟪self.checked.is_uniform_var(var)⟫ {\n            return self.joint_range", "false"),
    mutant(NATIVE_CONTROL, "let some = ⟪uniform⟫.then", "false"),
    mutant(NATIVE_CONTROL, "let until = if ⟪inclusive⟫ {", "false"),
    mutant(NATIVE_CONTROL, "let last = ⟪inclusive⟫.then(|| {", "false"),
    mutant(NATIVE_CONTROL, "let mut leave = self.leave_loops(⟪target + 1⟫, &mask);", "self.loops.len()"),
    mutant(NATIVE_CONTROL, "self.leave_loops(⟪0⟫, &mask)", "self.loops.len()"),
    mutant(NATIVE_CONTROL, "if ⟪breaks⟫ {\n            leave.extend", "false"),
    mutant(NATIVE_CONTROL, "let stop = (⟪self.mask == 0⟫).then", "false"),
    mutant(NATIVE_CONTROL, "if ⟪self.checked.returns_diverge()⟫ {\n            gone.push", "false"),
    mutant(NATIVE_STMT, "⟪intrinsic.shape.is_collective()⟫ || intrinsic.is_library()", "true"),
    mutant(NATIVE_STMT, "if ⟪!self.can_part(first)⟫ ||", "true"),
    mutant(NATIVE_STMT, "let ty = if ⟪uniform⟫ { ty } else {", "false"),
    mutant(NATIVE_STMT, "let value = if ⟪uniform⟫ { self.scalar(init) }", "true"),
    mutant(NATIVE_STMT, "if ⟪once⟫ {", "false"),
    mutant(NATIVE_EXPR, "if ⟪is_total(expr)⟫ {\n            quote_spanned!", "true"),
    mutant(NATIVE_EXPR, "if ⟪is_total(expr)⟫ {\n            quote!((#mask", "true"),
    mutant(NATIVE_EXPR, "if ⟪!visit::any(b, &needs_warp)⟫ {", "true"),
    mutant(NATIVE_EXPR, "if ⟪visit::any(then, &needs_warp) || visit::any(otherwise, &needs_warp)⟫ =>", "false"),
    mutant(NATIVE_EXPR, "BinaryOp::Add => ⟪\"add\"⟫,", "\"sub\""),
    mutant(NATIVE_EXPR, "BinaryOp::Shl => ⟪\"shl\"⟫,", "\"shr\""),
    mutant(NATIVE_CALL, "if ⟪is_total(value)⟫ ||", "true"),
    mutant(NATIVE_CALL, "if ⟪self.checked.is_uniform(whole.id)⟫ {\n                    quote!(#result)", "false"),
    mutant(NATIVE_CALL, "if ⟪self.checked.is_uniform(whole.id)⟫ {\n            self.before", "false"),
    mutant(NATIVE, "Some(Level::Warp) => ⟪quote!(::meerkat_runtime::lanes::WarpUniform::value)⟫,", "quote!(::meerkat_runtime::lanes::LaneValue::lanes)"),
    mutant("expand/dependencies.rs", "let own = ⟪checked.group()⟫;", "0u32"),
    mutant("check/mod.rs", "⟪*found == group⟫", "false"),
];
