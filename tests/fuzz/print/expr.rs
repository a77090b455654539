//! Expressions, with parentheses wherever they could matter.

use super::Printer;
use crate::fuzz::language::Slice;
use crate::fuzz::language::{
    COUPLE, COUPLE_FIELDS, Collective, Expr, Fetch, Given, Kind, Method, OWN, Op, Pattern, STRUCTS,
    Ty, Word,
};
use crate::fuzz::memory;

pub(super) fn symbol(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Rem => "%",
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "^",
        Op::Shl => "<<",
        Op::Shr => ">>",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
        Op::LogicalAnd => "&&",
        Op::LogicalOr => "||",
    }
}

fn method(method: Method) -> &'static str {
    match method {
        Method::Min => "min",
        Method::Max => "max",
        Method::Abs => "abs",
        Method::Sqrt => "sqrt",
        Method::WrappingAdd => "wrapping_add",
        Method::WrappingSub => "wrapping_sub",
        Method::WrappingMul => "wrapping_mul",
        Method::SaturatingAdd => "saturating_add",
        Method::CountOnes => "count_ones",
        Method::LeadingZeros => "leading_zeros",
        Method::TrailingZeros => "trailing_zeros",
        Method::IsNan => "is_nan",
        Method::ToBits => "to_bits",
    }
}

pub(super) fn collective(collective: Collective) -> &'static str {
    match collective {
        Collective::Ballot => "ballot",
        Collective::Any => "any",
        Collective::All => "all",
        Collective::Broadcast => "broadcast",
        Collective::Shuffle => "shuffle",
        Collective::ShuffleXor => "shuffle_xor",
        Collective::ShuffleUp => "shuffle_up",
        Collective::ShuffleDown => "shuffle_down",
        Collective::ReduceSum => "reduce_sum",
        Collective::ReduceMin => "reduce_min",
        Collective::ReduceMax => "reduce_max",
        Collective::ReduceOr => "reduce_or",
    }
}

pub(super) fn fetch(fetch: Fetch) -> &'static str {
    match fetch {
        Fetch::Load => "load",
        Fetch::Store => "store",
        Fetch::Swap => "swap",
        Fetch::CompareAndSwap => "compare_and_swap",
        Fetch::Add => "fetch_add",
        Fetch::Sub => "fetch_sub",
        Fetch::Min => "fetch_min",
        Fetch::Max => "fetch_max",
        Fetch::And => "fetch_and",
        Fetch::Or => "fetch_or",
        Fetch::Xor => "fetch_xor",
    }
}

fn of_group(name: &str, group: u32) -> String {
    if group == 32 { format!("warp_{name}") } else { format!("tile::<{group}>().{name}") }
}

impl Printer<'_> {
    pub(super) fn pattern(&self, pattern: &Pattern, ty: Ty, bare: bool) -> String {
        let literal = |bits: u64| {
            let scalar = ty.scalar();
            let text = if bare { scalar.bare(bits) } else { scalar.literal(bits) };
            text.trim_matches(['(', ')']).to_owned()
        };
        match *pattern {
            Pattern::Any => "_".to_owned(),
            Pattern::Bind(var) => self.function.vars[var].name.clone(),
            Pattern::Is(bits) => literal(bits),
            Pattern::Range(from, to) => format!("{}..={}", literal(from), literal(to)),
            Pattern::Named(name, _) => name.to_owned(),
            Pattern::Until(from, to) => format!("{}..{}", literal(from), literal(to)),
        }
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            Kind::Lit(bits) => expr.ty.scalar().literal(*bits),
            Kind::Bare(bits) => expr.ty.scalar().bare(*bits),
            Kind::Named(text, _) | Kind::NamedStruct(text, _) => (*text).to_owned(),
            Kind::Var(var) => self.function.vars[*var].name.clone(),
            Kind::Field(base, at) => {
                let field = match base.ty {
                    Ty::Struct(of) => STRUCTS[of].fields[*at].0.to_owned(),
                    Ty::Couple(_) => COUPLE_FIELDS[*at].0.to_owned(),
                    _ => at.to_string(),
                };
                format!("({}).{field}", self.expr(base))
            }
            Kind::Elem(base, at) => format!("{}[{}]", self.expr(base), self.expr(at)),
            Kind::Input(at) => {
                format!("{}[{}]", memory::name(Slice::Input(expr.ty)), self.expr(at))
            }
            Kind::Output => format!("{}[me]", memory::name(Slice::Output(expr.ty))),
            Kind::Word(word) => word_text(*word),
            Kind::Neg(a) => format!("(-{})", self.expr(a)),
            Kind::Not(a) => format!("(!{})", self.expr(a)),
            Kind::Binary(op, a, b) => {
                format!("({} {} {})", self.expr(a), symbol(*op), self.expr(b))
            }
            Kind::Cast(a) => self.cast(a, expr.ty),
            Kind::Method(name, receiver, args) => {
                format!("{}.{}({})", self.expr(receiver), method(*name), self.list(args))
            }
            Kind::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                format!("(if {c} {{ {a} }} else {{ {b} }})")
            }
            Kind::SelectBoth(c, a, b) => {
                format!("select({}, {}, {})", self.expr(c), self.expr(a), self.expr(b))
            }
            Kind::Generic { name, written, args } => {
                let types =
                    if *written { format!("::<{}>", self.ty(expr.ty)) } else { String::new() };
                format!("{name}{types}({})", self.list(args))
            }
            Kind::Call(at, args) => self.call(*at, args),
            Kind::GenericCall(call) => self.generic_call(call),
            Kind::NumberConstant(at) => self.number_constant(*at, expr.ty),
            Kind::FamilyConstant(at, of, qualified) => self.family_constant(*at, *of, *qualified),
            Kind::Constant => self.constant(),
            Kind::Array(items) => format!("[{}]", self.list(items)),
            Kind::Repeat(item, Given::Fixed(length)) => format!("[{}; {length}]", self.expr(item)),
            Kind::Repeat(item, _) => format!("[{}; N]", self.expr(item)),
            Kind::Struct(fields) => self.struct_literal(expr.ty, fields),
            Kind::Tuple(parts) => format!("({})", self.list(parts)),
            Kind::Collective(name, group, args) => {
                format!("{}({})", of_group(collective(*name), *group), self.list(args))
            }
            Kind::Query(query, graph, args) => self.query(*query, *graph, args),
            Kind::Dequeue(group, var) => {
                let queue = &self.function.vars[*var].name;
                format!("{}(&mut {queue})", of_group("dequeue", *group))
            }
            Kind::Shared(name, at, value) => {
                let slice = memory::name(Slice::Shared(value.ty.scalar()));
                format!("{slice}[{}].{}({})", self.expr(at), fetch(*name), self.expr(value))
            }
            Kind::Private(name, args) => {
                let scalar = args.first().map_or(expr.ty, |value| value.ty).scalar();
                let slice = memory::name(Slice::Private(scalar));
                format!("{slice}[me].{}({})", fetch(*name), self.list(args))
            }
            Kind::If(..) | Kind::Match(..) | Kind::Block(_) => {
                unreachable!("statements inside an expression")
            }
        }
    }

    fn list(&self, args: &[Expr]) -> String {
        args.iter().map(|arg| self.expr(arg)).collect::<Vec<_>>().join(", ")
    }

    fn call(&self, at: usize, args: &[Expr]) -> String {
        let callee = &self.kernel.functions[at];
        let name = &callee.name;
        if !callee.is_method {
            let module = callee.module.as_ref().map_or(String::new(), |name| format!("{name}::"));
            return format!("{module}{name}({})", self.arguments(callee, args));
        }
        if self.choices.borrow_mut().percent(30) {
            return format!("{}::{name}({})", STRUCTS[OWN].name, self.arguments(callee, args));
        }
        let receiver = self.expr(&args[0]);
        format!("({receiver}).{name}({})", self.arguments(callee, &args[1..]))
    }

    fn struct_literal(&self, ty: Ty, fields: &[Expr]) -> String {
        let (owner, names): (_, Vec<_>) = match ty {
            Ty::Struct(of) => {
                (STRUCTS[of].name, STRUCTS[of].fields.iter().map(|(name, _)| *name).collect())
            }
            _ => (COUPLE, COUPLE_FIELDS.iter().map(|(name, _)| *name).collect()),
        };
        let fields: Vec<_> = names
            .iter()
            .zip(fields)
            .map(|(name, value)| format!("{name}: {}", self.expr(value)))
            .collect();
        let owner = self.as_self(ty).unwrap_or_else(|| owner.to_owned());
        format!("{owner} {{ {} }}", fields.join(", "))
    }
}

fn word_text(word: Word) -> String {
    match word {
        Word::LaneId => "lane_id()".to_owned(),
        Word::Me => "me".to_owned(),
        Word::ThreadId => "thread_id()".to_owned(),
        Word::LanesBelow => "lanes_below()".to_owned(),
        Word::GlobalWarpId => "global_warp_id()".to_owned(),
        Word::WarpCount => "warp_count()".to_owned(),
        Word::TileLaneId(group) => of_group("lane_id()", group),
    }
}
