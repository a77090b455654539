//! Walks over neighbours and questions about edges, by the lists in memory: pairs of
//! neighbour and weight, in the order in which they were thrown.

use super::{Frame, Lanes, TooLong, Value, Warp, each, holds, index, lanes_of};
use crate::fuzz::language::{Carried, Expr, Lists, Query, Scalar, Slice, Walk};

/// Where there is no neighbour.
const NOBODY: u64 = u32::MAX as u64;
/// Where there is no edge.
const NOT_FOUND: u64 = 1 << 32;

impl<'k> Warp<'k, '_> {
    fn neighbors(&mut self, graph: Carried, vertex: usize) -> Vec<(u64, u64)> {
        let list = self.element(Slice::Graph(graph), vertex);
        list.chunks(2).map(|pair| (pair[0], pair[1])).collect()
    }

    /// Each lane by itself, a neighbour after another; a search ends where it finds.
    pub(super) fn walk(
        &mut self,
        f: &mut Frame<'k>,
        walk: &'k Walk,
        mask: u32,
    ) -> Result<(), TooLong> {
        let vertices = self.expr(f, &walk.vertex, mask)?;
        let others = match &walk.lists {
            Lists::Common(other) => Some(self.expr(f, other, mask)?),
            _ => None,
        };
        let mut live = holds(&self.expr(f, &walk.predicate, mask)?, mask);
        let mut lists = vec![Vec::new(); 32];
        for lane in lanes_of(live) {
            lists[lane] = self.neighbors(walk.graph, index(&vertices[lane]));
            if let Some(others) = &others {
                let known = self.neighbors(walk.graph, index(&others[lane]));
                lists[lane].retain(|(dst, _)| known.iter().any(|(other, _)| other == dst));
            }
        }
        if let Some(found) = walk.found {
            f.vars[found] = each(mask, |_| Value::One(NOBODY));
        }
        for place in 0.. {
            live =
                lanes_of(live).filter(|&lane| place < lists[lane].len()).fold(0, |m, l| m | 1 << l);
            if live == 0 {
                break;
            }
            self.step()?;
            f.vars[walk.dst] = each(live, |lane| Value::One(lists[lane][place].0));
            if let Some(weight) = walk.weight {
                f.vars[weight] = each(live, |lane| Value::One(lists[lane][place].1));
            }
            let mut inside = live;
            let tests = self.block(f, &walk.body, &mut inside)?;
            assert_eq!(inside, live, "lanes leave a walk");
            if let Some(found) = walk.found {
                let hits = holds(&tests, live);
                for lane in lanes_of(hits) {
                    f.vars[found][lane] = Value::One(lists[lane][place].0);
                }
                live &= !hits;
            }
        }
        Ok(())
    }

    pub(super) fn query(
        &mut self,
        f: &mut Frame<'k>,
        query: Query,
        graph: Carried,
        args: &'k [Expr],
        mask: u32,
    ) -> Result<Lanes, TooLong> {
        let args = self.all(f, args, mask)?;
        Ok(each(mask, |lane| {
            let arg = |at: usize| args[at][lane].bits();
            if query == Query::EdgeWeight {
                return Value::One(arg(0));
            }
            let list = self.neighbors(graph, Scalar::U32.integer(arg(0)) as usize);
            let edge = || list.iter().find(|(dst, _)| *dst == arg(1));
            Value::One(match query {
                Query::OutDegree => list.len() as u64,
                Query::HasEdge => edge().is_some().into(),
                Query::FindEdge => edge().map_or(NOT_FOUND, |(_, weight)| *weight),
                Query::NoNth => u64::from(arg(1) >= list.len() as u64),
                Query::HasRandom => u64::from(!list.is_empty()),
                Query::EdgeWeight => unreachable!("it asks no list"),
            })
        }))
    }
}
