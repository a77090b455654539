//! Types left out, as people leave them out: literals lose their suffixes and `let`s
//! their annotations wherever Rust's inference finds the type that the tree has.
//!
//! The tree's types are known, so inference is a walk in rustc's order that joins what
//! must have one type and notes what is resolved. What stays open is an `i32` or an
//! `f64`; if the tree has another type there, or if a method is called on it too early,
//! one of the suffixes or annotations comes back and the walk begins again.

mod generic;
mod stmt;

use crate::fuzz::language::{Collective, Expr, Function, Kind, Op, Scalar, Ty, Var};
use crate::fuzz::random::Random;

/// Leaves out what a reader could find out.
pub(super) fn write(function: &mut Function, random: &mut Random) {
    let kept = random.pick(&[0, 15, 50, 90]);
    let mut written = Vec::new();
    loop {
        let mut walk = Walk {
            random: &mut *random,
            kept,
            written: &mut written,
            next: 0,
            nodes: function.vars.iter().map(|var| known(var.ty)).collect(),
            vars: std::mem::take(&mut function.vars),
            open: vec![Class { resolved: true, ..Class::default() }],
            joined: vec![SETTLED],
            missing: None,
        };
        walk.function(&mut function.body);
        function.vars = walk.vars;
        match walk.missing {
            Some(site) => written[site] = true,
            None => return,
        }
    }
}

/// Something whose type may be written or not, by its number in the walk.
type Site = usize;
/// What has one type with others.
type Node = usize;

const SETTLED: Node = 0;

#[derive(Clone, Debug, Default)]
struct Class {
    resolved: bool,
    /// Whether Rust falls back to the type that it has.
    falls_back: bool,
    /// Where its type could be written.
    sites: Vec<Site>,
}

struct Walk<'a> {
    random: &'a mut Random,
    /// How many of a hundred are written.
    kept: usize,
    written: &'a mut Vec<bool>,
    next: Site,
    /// For each variable a node for each part; a struct has none.
    nodes: Vec<Vec<Node>>,
    vars: Vec<Var>,
    open: Vec<Class>,
    joined: Vec<Node>,
    /// Where a type has to be written after all.
    missing: Option<Site>,
}

impl Walk<'_> {
    fn site(&mut self) -> (Site, bool) {
        let site = self.next;
        self.next += 1;
        if site == self.written.len() {
            let written = self.random.percent(self.kept);
            self.written.push(written);
        }
        (site, self.written[site])
    }

    fn root(&self, mut node: Node) -> Node {
        while self.joined[node] != node {
            node = self.joined[node];
        }
        node
    }

    fn join(&mut self, a: &[Node], b: &[Node]) {
        for (&a, &b) in a.iter().zip(b) {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            let (from, to) = if a == SETTLED { (b, a) } else { (a, b) };
            self.joined[from] = to;
            let from = std::mem::take(&mut self.open[from]);
            let to = &mut self.open[to];
            to.resolved |= from.resolved;
            to.falls_back |= from.falls_back;
            to.sites.extend(from.sites);
        }
    }

    fn resolve(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|&node| self.join(&[node], &[SETTLED]));
    }

    /// The type must be known at this point.
    fn demand(&mut self, nodes: &[Node]) {
        for &node in nodes {
            let class = &self.open[self.root(node)];
            if !class.resolved && self.missing.is_none() {
                let at = self.random.below(class.sites.len());
                self.missing = Some(class.sites[at]);
            }
        }
    }

    fn literal(&mut self, scalar: Scalar, kind: &mut Kind) -> Vec<Node> {
        let (Kind::Lit(bits) | Kind::Bare(bits)) = *kind else { unreachable!("a literal") };
        let (site, written) = self.site();
        if written || !scalar.has_bare(bits) {
            *kind = Kind::Lit(bits);
            return vec![SETTLED];
        }
        *kind = Kind::Bare(bits);
        vec![self.fresh(scalar, site)]
    }

    fn fresh(&mut self, scalar: Scalar, site: Site) -> Node {
        let falls_back = matches!(scalar, Scalar::I32 | Scalar::F64);
        self.open.push(Class { resolved: false, falls_back, sites: vec![site] });
        self.joined.push(self.joined.len());
        self.joined.len() - 1
    }

    /// A value under a cast: of the cast's type if it is a number of the same kind.
    fn under_cast(&mut self, value: &mut Expr, to: Scalar) -> Vec<Node> {
        let scalar = value.ty.scalar();
        match &mut value.kind {
            Kind::Neg(a) | Kind::Not(a) => self.under_cast(a, to),
            Kind::Lit(_) | Kind::Bare(_) => {
                let site = self.next;
                let nodes = self.literal(scalar, &mut value.kind);
                let same_kind =
                    scalar.is_integer() && to.is_integer() || scalar.is_float() && to.is_float();
                if !same_kind || nodes == [SETTLED] {
                    return nodes;
                }
                if scalar != to {
                    self.missing.get_or_insert(site);
                }
                vec![SETTLED]
            }
            _ => self.expr(value),
        }
    }

    /// A value of a type that is known from where it stands.
    fn resolved(&mut self, value: &mut Expr) {
        let nodes = self.expr(value);
        self.resolve(&nodes);
    }

    fn all_settled(&mut self, values: &mut [Expr]) -> Vec<Node> {
        values.iter_mut().for_each(|value| self.resolved(value));
        vec![SETTLED]
    }

    /// The nodes of the parts of an expression's type.
    fn expr(&mut self, expr: &mut Expr) -> Vec<Node> {
        let ty = expr.ty;
        match &mut expr.kind {
            Kind::Lit(_) | Kind::Bare(_) => self.literal(ty.scalar(), &mut expr.kind),
            Kind::Named(..) | Kind::NamedStruct(..) | Kind::Output | Kind::Word(_) => known(ty),
            Kind::NumberConstant(_) | Kind::FamilyConstant(..) | Kind::Constant => known(ty),
            Kind::GenericCall(call) => self.generic_call(call, ty),
            Kind::Var(var) => self.nodes[*var].clone(),
            Kind::Field(base, at) => {
                let of = base.ty;
                let parts = self.expr(base);
                vec![match of {
                    Ty::Tuple(_) => parts[*at],
                    Ty::Couple(_) if *at != 1 => parts[0],
                    _ => SETTLED,
                }]
            }
            Kind::Elem(base, at) => {
                let items = self.expr(base);
                self.resolved(at);
                items
            }
            Kind::Input(at) => {
                self.resolved(at);
                known(ty)
            }
            Kind::Neg(a) | Kind::Not(a) => self.expr(a),
            Kind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                if !matches!(op, Op::Shl | Op::Shr) {
                    self.join(&left, &right);
                }
                if ty == Ty::Scalar(Scalar::Bool) { vec![SETTLED] } else { left }
            }
            Kind::Cast(a) if ty.param().is_some() || a.ty.param().is_some() => {
                self.resolved(a);
                vec![SETTLED]
            }
            Kind::Cast(a) => {
                self.under_cast(a, ty.scalar());
                vec![SETTLED]
            }
            Kind::Method(_, receiver, args) => {
                let nodes = self.expr(receiver);
                self.demand(&nodes);
                self.all_settled(args)
            }
            Kind::Select(c, a, b) | Kind::SelectBoth(c, a, b) => {
                self.resolved(c);
                let (left, right) = (self.expr(a), self.expr(b));
                self.join(&left, &right);
                left
            }
            Kind::Generic { written, args, .. } => {
                let [first, a, b] = &mut args[..] else { unreachable!("three arguments") };
                self.resolved(first);
                let (left, right) = (self.expr(a), self.expr(b));
                self.join(&left, &right);
                if *written {
                    self.resolve(&left);
                }
                left
            }
            Kind::Struct(args) if matches!(ty, Ty::Couple(_)) => self.couple(args),
            Kind::Call(_, args)
            | Kind::Struct(args)
            | Kind::Private(_, args)
            | Kind::Query(_, _, args) => {
                self.all_settled(args);
                known(ty)
            }
            Kind::Array(items) => {
                let nodes: Vec<_> = items.iter_mut().map(|item| self.expr(item)).collect();
                nodes.windows(2).for_each(|pair| self.join(&pair[0], &pair[1]));
                nodes[0].clone()
            }
            Kind::Repeat(item, _) => self.expr(item),
            Kind::Tuple(parts) => parts.iter_mut().flat_map(|part| self.expr(part)).collect(),
            Kind::Collective(name, _, args) => {
                let (value, others) = args.split_first_mut().expect("a collective has a value");
                let nodes = self.expr(value);
                self.all_settled(others);
                match name {
                    Collective::Ballot | Collective::Any | Collective::All => vec![SETTLED],
                    _ => nodes,
                }
            }
            Kind::Dequeue(_, var) => {
                let nodes = self.nodes[*var].clone();
                self.resolve(&nodes);
                vec![SETTLED]
            }
            Kind::Shared(_, at, value) => {
                self.resolved(at);
                self.resolved(value);
                vec![SETTLED]
            }
            Kind::If(..) | Kind::Match(..) | Kind::Block(_) => self.rich(expr),
        }
    }
}

/// A node for each part of a type that is known.
fn known(ty: Ty) -> Vec<Node> {
    match ty {
        Ty::Unit | Ty::Struct(_) => Vec::new(),
        Ty::Scalar(_) | Ty::Array(..) | Ty::Param(_) | Ty::Couple(_) | Ty::Row(_) => vec![SETTLED],
        Ty::Tuple(_) => vec![SETTLED; ty.parts().len()],
    }
}
