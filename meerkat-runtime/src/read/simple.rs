//! The simple graph of a file's records.

use rayon::prelude::*;

use super::graph_file::GraphFile;
use crate::Direction;

/// Which of several records of one arc gives its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// The one of the smallest weight.
    #[default]
    Min,
    /// The last one of the file.
    Last,
}

/// A graph without self-loops and repeated arcs.
///
/// Arc `i` goes from `sources[i]` to `destinations[i]`; the arcs ascend by
/// (source, destination).
#[derive(Clone, Debug, PartialEq)]
pub struct SimpleGraph {
    /// Number of vertices, isolated ones included.
    pub n: u32,
    /// Source vertex of each arc.
    pub sources: Vec<u32>,
    /// Destination vertex of each arc.
    pub destinations: Vec<u32>,
    /// Weight of each arc, where the file has weights.
    pub weights: Option<Vec<f64>>,
    /// Number of distinct unordered pairs of adjacent vertices.
    pub m_undirected: u64,
}

impl SimpleGraph {
    /// Number of distinct arcs; two for each edge of an undirected graph.
    #[must_use]
    pub fn m_arcs(&self) -> u64 {
        self.sources.len() as u64
    }

    /// Largest out-degree, 0 without arcs. One pass over the arcs.
    #[must_use]
    pub fn max_out_degree(&self) -> u32 {
        let runs = self.sources.chunk_by(|a, b| a == b);
        runs.map(|arcs| arcs.len() as u32).max().unwrap_or(0)
    }

    /// Out-degree of every vertex. One pass over the arcs, 4 bytes a vertex.
    #[must_use]
    pub fn out_degrees(&self) -> Vec<u32> {
        let mut out_degrees = vec![0; self.n as usize];
        for arcs in self.sources.chunk_by(|a, b| a == b) {
            out_degrees[arcs[0] as usize] = arcs.len() as u32;
        }
        out_degrees
    }
}

impl GraphFile {
    /// The simple graph of the records, as [`simple_with`](Self::simple_with)
    /// makes it with [`Duplicates::Min`].
    #[must_use]
    pub fn simple(&self, direction: Direction) -> SimpleGraph {
        self.simple_with(direction, Duplicates::Min)
    }

    /// The simple graph of the records: self-loops are dropped and repeated
    /// arcs count once, with one of their weights. An undirected edge becomes both
    /// arcs, of one weight: records of both ways count as repeats. Times are left
    /// out.
    ///
    /// Cost: a parallel sort of the arcs, 8 bytes each and 16 with weights.
    #[must_use]
    pub fn simple_with(&self, direction: Direction, duplicates: Duplicates) -> SimpleGraph {
        let (keys, weights) = match &self.weights {
            None => (self.arc_keys(direction), None),
            Some(weights) => {
                let (keys, weights) = self.weighted_arcs(weights, direction, duplicates);
                (keys, Some(weights))
            }
        };
        SimpleGraph {
            n: self.ids.len(),
            sources: keys.par_iter().map(|key| key.source()).collect(),
            destinations: keys.par_iter().map(|key| key.destination()).collect(),
            weights,
            m_undirected: count_pairs(&keys, direction),
        }
    }

    fn arc_keys(&self, direction: Direction) -> Vec<ArcKey> {
        let mut keys: Vec<ArcKey> =
            self.arcs().flat_map(|arc| arcs_of(direction, arc)).flatten().collect();
        keys.par_sort_unstable();
        keys.dedup();
        keys
    }

    fn weighted_arcs(
        &self,
        weights: &[f64],
        direction: Direction,
        duplicates: Duplicates,
    ) -> (Vec<ArcKey>, Vec<f64>) {
        let weighted = self.arcs().zip(weights);
        let mut arcs: Vec<(ArcKey, f64)> = weighted
            .flat_map(|(arc, &weight)| arcs_of(direction, arc).map(|key| key.map(|k| (k, weight))))
            .flatten()
            .collect();
        // The first of equal arcs stays: the lightest, or in reverse order the last.
        match duplicates {
            Duplicates::Min => {
                arcs.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
                arcs.dedup_by_key(|(key, _)| *key);
            }
            Duplicates::Last => {
                arcs.par_sort_by_key(|(key, _)| *key);
                arcs.reverse();
                arcs.dedup_by_key(|(key, _)| *key);
                arcs.reverse();
            }
        }
        arcs.into_iter().unzip()
    }

    fn arcs(&self) -> impl Iterator<Item = ArcKey> {
        self.sources.iter().zip(&self.destinations).map(|(&u, &v)| ArcKey::new(u, v))
    }
}

/// Source (high 32 bits) and destination (low), so that keys sort as arcs do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ArcKey(u64);

impl ArcKey {
    fn new(source: u32, destination: u32) -> Self {
        Self(u64::from(source) << 32 | u64::from(destination))
    }

    fn source(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn destination(self) -> u32 {
        self.0 as u32
    }

    fn reverse(self) -> Self {
        Self(self.0.rotate_left(32))
    }

    fn is_self_loop(self) -> bool {
        self == self.reverse()
    }
}

/// The arcs that one record stands for.
fn arcs_of(direction: Direction, arc: ArcKey) -> [Option<ArcKey>; 2] {
    match direction {
        _ if arc.is_self_loop() => [None, None],
        Direction::Directed => [Some(arc), None],
        Direction::Undirected => [Some(arc), Some(arc.reverse())],
    }
}

/// Adjacent pairs among distinct, sorted arcs without self-loops.
fn count_pairs(keys: &[ArcKey], direction: Direction) -> u64 {
    match direction {
        Direction::Undirected => keys.len() as u64 / 2,
        Direction::Directed => {
            // Of two opposite arcs only the smaller counts.
            let is_counted = |&&key: &&ArcKey| {
                key < key.reverse() || keys.binary_search(&key.reverse()).is_err()
            };
            keys.par_iter().filter(is_counted).count() as u64
        }
    }
}
