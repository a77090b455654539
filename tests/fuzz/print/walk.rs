//! Walks over neighbours and questions about edges.

use super::Printer;
use crate::fuzz::language::{Carried, Expr, Lists, Query, Walk};

impl Printer<'_> {
    pub(super) fn walk(&mut self, walk: &Walk) {
        let graph = walk.graph.name();
        let (vertex, predicate) = (self.expr(&walk.vertex), self.expr(&walk.predicate));
        let name = |var: usize| self.function.vars[var].name.clone();
        let mut params = vec![name(walk.dst)];
        params.extend(walk.weight.map(name));
        let params = params.join(", ");
        if let Some(found) = walk.found {
            let var = &self.function.vars[found];
            let mutable = if var.mutable { "mut " } else { "" };
            let ty = if var.annotated { ": u32" } else { "" };
            let head = format!(
                "let {mutable}{}{ty} = find_neighbor({graph}, {vertex}, {predicate}, |{params}| ",
                var.name
            );
            return self.braced(&head, &walk.body, ");");
        }
        match &walk.lists {
            Lists::All => {
                let head = format!("for_each_neighbor({graph}, {vertex}, {predicate}, |{params}| ");
                self.braced(&head, &walk.body, ");");
            }
            Lists::Common(other) => {
                let other = self.expr(other);
                let head = format!(
                    "for_each_common_neighbor({graph}, {vertex}, {other}, {predicate}, |{params}| "
                );
                self.braced(&head, &walk.body, ");");
            }
            Lists::Buckets => {
                self.line(&format!("for list in 0..bucket_count({graph}, {vertex}) {{"));
                let head =
                    format!("for_each_bucket({graph}, {vertex}, list, {predicate}, |{params}| ");
                self.depth += 1;
                self.braced(&head, &walk.body, ");");
                self.depth -= 1;
                self.line("}");
            }
            Lists::Places => self.by_places(walk, &vertex, &predicate),
        }
    }

    fn by_places(&mut self, walk: &Walk, vertex: &str, predicate: &str) {
        let graph = walk.graph.name();
        let name = |var: usize| self.function.vars[var].name.clone();
        let (dst, weight) = (name(walk.dst), walk.weight.map(name));
        self.line(&format!("if {predicate} {{"));
        self.line(&format!("    let walked = {vertex};"));
        self.line(&format!("    for place in 0..out_degree({graph}, walked) {{"));
        self.line(&format!("        let {dst} = nth_neighbor({graph}, walked, place);"));
        if let Some(weight) = weight {
            let bits = format!("find_edge_alone({graph}, walked, {dst}) as u32");
            self.line(&format!("        let {weight} = edge_weight({graph}, {bits});"));
        }
        self.depth += 2;
        self.statements(&walk.body);
        self.depth -= 2;
        self.line("    }");
        self.line("}");
    }

    pub(super) fn query(&self, query: Query, graph: Carried, args: &[Expr]) -> String {
        let graph = graph.name();
        let list = args.iter().map(|arg| self.expr(arg)).collect::<Vec<_>>().join(", ");
        match query {
            Query::OutDegree => format!("out_degree({graph}, {list})"),
            Query::HasEdge => format!("has_edge({graph}, {list})"),
            Query::FindEdge => format!("find_edge_alone({graph}, {list})"),
            Query::EdgeWeight => format!("edge_weight({graph}, {list})"),
            Query::NoNth => format!("(nth_neighbor({graph}, {list}) == u32::MAX)"),
            Query::HasRandom => {
                let vertex = self.expr(&args[0]);
                let chosen = format!("random_neighbor({graph}, {list})");
                format!(
                    "((out_degree({graph}, {vertex}) != 0) && has_edge({graph}, {vertex}, {chosen}))"
                )
            }
        }
    }
}
