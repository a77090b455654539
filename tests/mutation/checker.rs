//! The rules of the checker, each turned off.

use super::{Mutant, mutant};

const UNIFORMITY: &str = "check/uniformity.rs";
const CONTROL: &str = "check/uniformity/control.rs";
const REFUSALS: &str = "check/uniformity/refusals.rs";
const RACES: &str = "check/races.rs";
const SHAPE: &str = "check/shape.rs";
const INFER: &str = "infer/mod.rs";

#[rustfmt::skip]
pub(super) const MUTANTS: &[Mutant] = &[
    // What varies, and how far.
    mutant(UNIFORMITY, "None if var.parameter => ⟪Level::Lane⟫,", "Level::Grid"),
    mutant(UNIFORMITY, "Some(Level::Warp) => ⟪Level::Grid⟫,", "Level::Lane"),
    mutant(UNIFORMITY, "Some(wanted) if ⟪is_function_call(expr)⟫ =>", "false"),
    mutant(UNIFORMITY, "if ⟪callee.function().is_some()⟫)", "true"),
    mutant("check/uniformity/refusals.rs", "if ⟪level > Level::Warp⟫ {\n                let why", "false"),
    mutant("expand/calls.rs", "Some(known) if ⟪known.1 < level⟫ =>", "false"),
    mutant("expand/calls.rs", "if ⟪level == Level::Lane⟫ {", "false"),
    mutant("expand/associated.rs", "let taken = ⟪signature.ident == \"join\"⟫ &&", "false"),
    mutant(UNIFORMITY, "if memory { ⟪Level::Lane⟫ } else { level }", "level"),
    mutant(UNIFORMITY, "if callee.only_reads_graph() => ⟪self.all(args)⟫,", "Level::Grid"),
    mutant(UNIFORMITY, "self.note_arguments(args);\n                ⟪Level::Lane⟫", "Level::Grid"),
    mutant(UNIFORMITY, "let level = ⟪level.min(declared)⟫;", "level"),
    mutant(UNIFORMITY, "if ⟪self.levels.vars[var.0] < level⟫ {", "false"),
    mutant(CONTROL, "⟪level.max(then).max(otherwise)⟫", "level.max(then)"),
    // Where lanes part.
    mutant(UNIFORMITY, "let right = self.within(⟪left⟫, a,", "Level::Grid"),
    mutant(CONTROL, "let then = self.within(⟪level⟫, condition,", "Level::Grid"),
    mutant(CONTROL, "Some(otherwise) => self.within(⟪level⟫, condition,", "Level::Grid"),
    mutant(CONTROL, "this.raise_loop(expr.id, ⟪level⟫, cause);", "Level::Grid"),
    mutant(CONTROL, "let cause = self.cause(why);\n                self.raise_loop(expr.id, ⟪level⟫, cause);", "Level::Grid"),
    mutant(CONTROL, "self.raise_loop(id, ⟪level⟫, cause);", "Level::Grid"),
    mutant(CONTROL, "self.part_loops(⟪0⟫, usize::MAX);", "usize::MAX"),
    mutant(CONTROL, "self.gone = ⟪Some((level, cause))⟫;", "{ let _ = (level, cause); None }"),
    mutant(CONTROL, "self.levels.returns_diverge |= ⟪level > Level::Warp⟫;", "false"),
    mutant(CONTROL, "self.raise_var(var, value.max(⟪apart⟫).max(chosen), why);", "Level::Grid"),
    mutant(CONTROL, "let chosen = if whole { Level::Grid } else { ⟪chosen⟫ };", "Level::Grid"),
    mutant(CONTROL, "this.raise_var(*var, ⟪level⟫, from);", "Level::Grid"),
    mutant(CONTROL, "if at != target && ⟪self.control_from(outermost) > Level::Warp⟫ {", "false"),
    mutant(CONTROL, "std::mem::replace(&mut self.in_unsafe, ⟪true⟫)", "false"),
    mutant(REFUSALS, "if ⟪level > declared⟫ {", "false"),
    mutant(REFUSALS, "self.divergence(⟪declared⟫)", "Level::Lane"),
    mutant(REFUSALS, "if ⟪intrinsic.shape.is_collective()⟫ {", "false"),
    mutant(REFUSALS, "Shape::TileToTile => ⟪shared⟫,", "Level::Warp"),
    mutant(REFUSALS, "Shape::BlockValue | Shape::BlockToBlock => ⟪Level::Block⟫,", "Level::Lane"),
    mutant(REFUSALS, "self.check_converged(expr.place(), \"block_shared\", BLOCK, ⟪Level::Block⟫);", "Level::Lane"),
    mutant(REFUSALS, "Shape::WarpValue | Shape::WarpToWarp => ⟪Level::Warp⟫,", "Level::Lane"),
    mutant(REFUSALS, "self.raise_var(*var, ⟪apart.max(shared)⟫, arg);", "Level::Grid"),
    mutant(REFUSALS, "if ⟪varies && rule != ArgRule::Lane⟫", "false"),
    mutant(REFUSALS, "if let Some(cause) = self.divergence(⟪shared⟫) {", "Level::Lane"),
    mutant(REFUSALS, "self.divergence(⟪Level::Warp⟫).or_else", "Level::Lane"),
    // Races.
    mutant(RACES, "if ⟪is_thread⟫ && !operator", "true"),
    mutant(RACES, "⟪!operator⟫ && !self.function.var(*var).mutable", "true"),
    mutant(RACES, "⟪!self.function.var(*var).mutable⟫", "true"),
    mutant(RACES, "if ⟪self.is_own(index)⟫ ||", "true"),
    mutant(RACES, "matches!(index.kind, ExprKind::Local(var) if ⟪self.own.contains(&var)⟫)", "true"),
    mutant(RACES, "std::mem::replace(&mut self.in_unsafe, ⟪true⟫)", "false"),
    mutant(RACES, "_ if ⟪indexes(place)⟫ &&", "false"),
    mutant(RACES, "&& ⟪!self.is_own_array(place)⟫ =>", "true"),
    mutant(RACES, "effect == Effect::UncheckedWrite && ⟪!self.in_unsafe⟫", "false"),
    // Shape and types.
    mutant(SHAPE, "if ⟪expr.kind.is_control_flow()⟫ {", "false"),
    mutant("ir/select.rs", "(⟪simple(tail) && simple(otherwise)⟫).then_some", "true"),
    mutant(INFER, "BinaryOp::Shl | BinaryOp::Shr => ⟪self.distance(value)⟫,", "self.expr(value, &place)"),
    mutant(INFER, "_ if ⟪is_bare_number(distance)⟫ => Type::Scalar(Scalar::I32),", "true"),
    mutant("witness/mod.rs", "if ⟪!ty.is_whole() || *unsure && !ty.is_sure()⟫ {", "false"),
    mutant("witness/mod.rs", "if ⟪!expr.ty.is_whole() && is_own(base, function)⟫ =>", "false"),
    mutant("check/mod.rs", "if ⟪!var.ty.is_whole()⟫ {", "false"),
    mutant(INFER, "let known = if left.is_known() { ⟪left.clone()⟫ } else", "wanted.clone()"),
    mutant(INFER, "left = ⟪self.expr(a, &right)⟫.value().clone();", "right.clone()"),
    // Patterns and names.
    mutant("parse/choice.rs", "name.contains(|c: char| c.is_uppercase()) && ⟪!name.contains(|c: char| c.is_lowercase())⟫", "false"),
    mutant("parse/call.rs", "if last == self.function.in_rust && ⟪here⟫ && whole.qself.is_none() {", "false"),
    mutant("parse/control.rs", "Some(_) => ⟪self.loops.contains(&wanted)⟫,", "true"),
    mutant("parse/pattern.rs", "Bound::Ignored(span) => ⟪self.function.fresh_var(\"ignored\", ty, false, span)⟫,", "self.declare(&Ident::new(\"ignored\", span), false, ty, None)"),
    // Functions of types and traits.
    mutant("expand/impls.rs", "if ⟪is_parameter⟫ {", "false"),
    mutant("expand/impls.rs", "if ⟪!is_value⟫ {", "false"),
    mutant("expand/associated.rs", "if ⟪result > 0 || params.iter().any(|&lanes| lanes > 0)⟫ {", "false"),
    mutant("parse/signature.rs", "syn::GenericParam::Const(param) if ⟪marker_of_const(&param.ty).is_some()⟫ => {}", "true"),
    mutant("parse/signature.rs", "filter(|param| ⟪param.bounds.is_empty()⟫)", "true"),
    mutant("parse/signature.rs", "filter(|name| ⟪!is_bounded(name)⟫)", "true"),
    mutant("device_view.rs", "if ⟪derives.iter().any(is_derived)⟫ {", "false"),
    mutant("infer/methods.rs", "⟪METHODS.contains(&name)⟫", "false"),
    mutant(RACES, "⟪!(var.parameter && self.function.kind.is_launched())⟫", "true"),
    mutant(RACES, "let help = match ⟪indexes(place)⟫ {", "false"),
    mutant(RACES, "_ if !owner.mutable && ⟪owner.name == \"self_\"⟫ => {", "false"),
];
