//! Random sequences, and those that are hard on algorithms: paths, stars,
//! cliques, bridges cut and restored, self-loops.

use super::Sequence;
use crate::Direction;
use crate::Weight;
use crate::graph::{Batch, Edge, Update};
pub use fastrand::Rng;

/// Which updates a sequence has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Insertions only, from a graph that may be empty.
    Incremental,
    /// Deletions only, until little is left.
    Decremental,
    /// Both, in one batch.
    Mixed,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Incremental, Kind::Decremental, Kind::Mixed];
}

/// What the graph's lasting edges look like.
#[derive(Clone, Copy, Debug)]
enum GraphShape {
    Random,
    Path,
    Cycle,
    Star,
    Clique,
    /// Cliques in a row, an edge between one and the next.
    Bridges,
    Grid,
    Tree,
}

const SHAPES: [GraphShape; 8] = [
    GraphShape::Random,
    GraphShape::Path,
    GraphShape::Cycle,
    GraphShape::Star,
    GraphShape::Clique,
    GraphShape::Bridges,
    GraphShape::Grid,
    GraphShape::Tree,
];

/// The sequence of a seed: up to 64 vertices and up to 10 batches of up to 32
/// updates, the same every time. Sources of searches belong at vertex 0, from
/// which the shapes grow.
pub fn sequence<W: Weight>(
    seed: u64,
    kind: Kind,
    direction: Direction,
    weight: impl Fn(&mut Rng) -> W,
) -> Sequence<W> {
    let mut rng = Rng::with_seed(seed ^ 0x6d65_6572_6b61_7400);
    let shape = SHAPES[(seed % SHAPES.len() as u64) as usize];
    let vertices = match rng.u32(0..10) {
        0 => rng.u32(1..4),
        _ => rng.u32(4..=64),
    };
    let skeleton = skeleton(shape, vertices, direction, &mut rng);
    let mut writer = Writer { rng, vertices, skeleton, weight, cut: Vec::new() };
    let start = writer.start(kind);
    let batches = (0..writer.rng.usize(1..=10)).map(|_| writer.batch(kind)).collect();
    Sequence { vertices, direction, start, batches }
}

/// The pairs of vertices that a shape joins.
fn skeleton(shape: GraphShape, n: u32, direction: Direction, rng: &mut Rng) -> Vec<(u32, u32)> {
    let clique = |first: u32, last: u32| {
        (first..last).flat_map(move |a| (first..last).map(move |b| (a, b))).filter(|(a, b)| a != b)
    };
    let mut pairs: Vec<_> = match shape {
        GraphShape::Random => {
            let count = rng.u32(0..=3 * n);
            (0..count).map(|_| (rng.u32(0..n), rng.u32(0..n))).collect()
        }
        GraphShape::Path => (1..n).map(|v| (v - 1, v)).collect(),
        GraphShape::Cycle => (0..n).map(|v| (v, (v + 1) % n)).collect(),
        GraphShape::Star => (1..n).map(|v| (0, v)).collect(),
        GraphShape::Clique => clique(0, n.min(12)).collect(),
        GraphShape::Bridges => {
            let size = rng.u32(2..=6).min(n);
            let firsts = || (0..n).step_by(size as usize);
            let cliques = firsts().flat_map(|first| clique(first, (first + size).min(n)));
            cliques.chain(firsts().skip(1).map(|first| (first - 1, first))).collect()
        }
        GraphShape::Grid => {
            let width = rng.u32(1..=8);
            let right = (0..n).filter(|v| (v + 1) % width != 0 && v + 1 < n).map(|v| (v, v + 1));
            right.chain((width..n).map(|v| (v - width, v))).collect()
        }
        GraphShape::Tree => (1..n).map(|v| (rng.u32(0..v), v)).collect(),
    };
    // Directed shapes with ways back close cycles that deletions then leave behind.
    if direction == Direction::Directed && rng.bool() {
        let back: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
        pairs.extend(back);
    }
    pairs
}

struct Writer<F> {
    rng: Rng,
    vertices: u32,
    skeleton: Vec<(u32, u32)>,
    weight: F,
    /// Edges that the batch before deleted, to be restored.
    cut: Vec<(u32, u32)>,
}

impl<W: Weight, F: Fn(&mut Rng) -> W> Writer<F> {
    fn edge(&mut self, (src, dst): (u32, u32)) -> Edge<W> {
        Edge { src, dst, weight: (self.weight)(&mut self.rng) }
    }

    /// Half of the shape for insertions to complete, all of it for deletions.
    fn start(&mut self, kind: Kind) -> Vec<Edge<W>> {
        let mut pairs = self.skeleton.clone();
        if kind == Kind::Incremental {
            let rng = &mut self.rng;
            let share = rng.u32(0..=4);
            pairs.retain(|_| rng.u32(0..4) < share);
        } else {
            let extra = self.rng.u32(0..=self.vertices);
            pairs.extend((0..extra).map(|_| self.anywhere()));
        }
        pairs.into_iter().map(|pair| self.edge(pair)).collect()
    }

    fn batch(&mut self, kind: Kind) -> Batch<W> {
        let restored = if kind == Kind::Mixed { std::mem::take(&mut self.cut) } else { Vec::new() };
        let mut batch: Batch<W> =
            restored.into_iter().map(|pair| Update::Insert(self.edge(pair))).collect();
        let size = if self.rng.u32(0..4) == 0 { 1 } else { self.rng.usize(1..=32) };
        for _ in 0..size {
            let pair = self.pair();
            let edge = self.edge(pair);
            let deletes = match kind {
                Kind::Incremental => false,
                Kind::Decremental => true,
                Kind::Mixed => self.rng.bool(),
            };
            if deletes && self.rng.bool() {
                self.cut.push(pair);
            }
            batch.push(if deletes { Update::Delete(edge) } else { Update::Insert(edge) });
        }
        batch
    }

    /// Mostly an edge of the shape, sometimes its reverse, a loop or any pair.
    fn pair(&mut self) -> (u32, u32) {
        let of_shape = self.rng.choice(&self.skeleton).copied();
        match (self.rng.u32(0..10), of_shape) {
            (0..=5, Some(pair)) => pair,
            (6, Some((a, b))) => (b, a),
            (7, _) => {
                let v = self.rng.u32(0..self.vertices);
                (v, v)
            }
            _ => self.anywhere(),
        }
    }

    fn anywhere(&mut self) -> (u32, u32) {
        (self.rng.u32(0..self.vertices), self.rng.u32(0..self.vertices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_one_sequence_and_kinds_keep_to_their_updates() {
        for seed in 0..200 {
            for kind in Kind::ALL {
                let make = || sequence(seed, kind, Direction::Directed, |rng| rng.u32(0..9));
                let found = make();
                assert_eq!(found, make());
                assert!(found.largest_vertex().is_none_or(|largest| largest < found.vertices));
                let updates = || found.batches.iter().flat_map(Batch::updates);
                let inserts =
                    updates().filter(|update| matches!(update, Update::Insert(_))).count();
                match kind {
                    Kind::Incremental => assert_eq!(inserts, updates().count()),
                    Kind::Decremental => assert_eq!(inserts, 0),
                    Kind::Mixed => {}
                }
            }
        }
    }
}
