//! The vertices of a file: dense indices and the ids that the file uses.

use rayon::prelude::*;

use super::label::Label;
use super::limits::MAX_VERTICES;
use super::names::{Interner, Names};
use super::number::parse_id;

/// Ids count as dense while their range is at most this many times the number
/// of records, plus [`DENSE_RANGE`].
const DENSE_FACTOR: u64 = 8;
const DENSE_RANGE: u64 = 1024;

/// The one-to-one map of dense vertex indices `0..n` and the ids of a file,
/// ascending by id: numbers by value, text by its bytes. The order of the records and
/// the number of threads play no part.
///
/// Takes no memory when the ids are contiguous numbers, and 8 bytes a vertex otherwise;
/// text takes its own length as well, all of it in one allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexIds(Ids);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Ids {
    /// `first..first + n`
    Contiguous { first: u64, n: u32 },
    /// Ascending, each once, at least one gap.
    Listed(Vec<u64>),
    /// Ascending, each once.
    Text(Names),
}

/// More vertices than [`MAX_VERTICES`]: this many.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooManyVertices(pub u64);

impl VertexIds {
    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> u32 {
        match &self.0 {
            Ids::Contiguous { n, .. } => *n,
            Ids::Listed(ids) => ids.len() as u32,
            Ids::Text(names) => names.len() as u32,
        }
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the ids are text, and not numbers.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self.0, Ids::Text(_))
    }

    /// The id of a vertex, in constant time.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`VertexIds::len`].
    #[must_use]
    pub fn label(&self, vertex: u32) -> Label<'_> {
        assert!(vertex < self.len(), "vertex {vertex} of a graph of {}", self.len());
        match &self.0 {
            Ids::Contiguous { first, .. } => Label::Number(first + u64::from(vertex)),
            Ids::Listed(ids) => Label::Number(ids[vertex as usize]),
            Ids::Text(names) => Label::Text(names.get(vertex as usize)),
        }
    }

    /// The vertex that somebody calls `name`, or `None` if the file has no such vertex.
    /// Where ids are numbers, `name` must be one. Constant time for contiguous numbers, a
    /// binary search otherwise.
    #[must_use]
    pub fn vertex_named(&self, name: &str) -> Option<u32> {
        match &self.0 {
            Ids::Text(names) => names.search(name).map(|vertex| vertex as u32),
            _ => self.vertex_of(parse_id(name.trim().as_bytes()).ok()?),
        }
    }

    /// The id of a vertex whose file has numbers, in constant time; see
    /// [`label`](Self::label) for all files.
    ///
    /// # Panics
    ///
    /// If `vertex` is not below [`VertexIds::len`], or the ids are
    /// [text](Self::is_text).
    #[must_use]
    pub fn id_of(&self, vertex: u32) -> u64 {
        match self.label(vertex) {
            Label::Number(id) => id,
            Label::Text(name) => panic!("the id `{name}` is not a number"),
        }
    }

    /// The vertex of a number, or `None` if the file has no such vertex. Costs as much as
    /// [`vertex_named`](Self::vertex_named).
    #[must_use]
    pub fn vertex_of(&self, id: u64) -> Option<u32> {
        match &self.0 {
            Ids::Contiguous { first, n } => {
                let offset = u32::try_from(id.checked_sub(*first)?).ok()?;
                (offset < *n).then_some(offset)
            }
            Ids::Listed(ids) => ids.binary_search(&id).ok().map(|vertex| vertex as u32),
            Ids::Text(_) => self.vertex_named(&id.to_string()),
        }
    }

    /// The vertices of all names, and the vertex of each of their numbers.
    pub(super) fn from_names(names: Interner) -> (Self, Vec<u32>) {
        let (names, vertices) = names.into_sorted();
        (Self(Ids::Text(names)), vertices)
    }

    /// The vertices `1..=n` that a header declares.
    pub(super) fn declared(n: u64) -> Result<Self, TooManyVertices> {
        let n = vertex_count(n)?;
        Ok(Self(Ids::Contiguous { first: 1, n }))
    }

    /// The ids in `ids`, ascending and each once.
    pub(super) fn from_ascending(ids: Vec<u64>) -> Result<Self, TooManyVertices> {
        let n = vertex_count(ids.len() as u64)?;
        match (ids.first(), ids.last()) {
            (Some(&first), Some(&last)) if last - first >= u64::from(n) => {
                Ok(Self(Ids::Listed(ids)))
            }
            (first, _) => {
                Ok(Self(Ids::Contiguous { first: first.copied().unwrap_or_default(), n }))
            }
        }
    }

    /// Every id that occurs as an endpoint.
    pub(super) fn from_endpoints(a: &[u64], b: &[u64]) -> Result<Self, TooManyVertices> {
        let smallest = a.par_iter().chain(b).copied().min().unwrap_or_default();
        let largest = a.par_iter().chain(b).copied().max().unwrap_or_default();
        let ids = if is_dense(largest - smallest, a.len()) {
            let mut present = Bits::new((largest - smallest) as usize + 1);
            a.iter().chain(b).for_each(|id| present.set((id - smallest) as usize));
            present.ones().map(|offset| smallest + offset as u64).collect()
        } else {
            let mut ids = [a, b].concat();
            ids.par_sort_unstable();
            ids.dedup();
            ids
        };
        Self::from_ascending(ids)
    }

    /// A faster [`VertexIds::vertex_of`] for about `queries` queries.
    pub(super) fn lookup(&self, queries: usize) -> Lookup<'_> {
        let kind = match &self.0 {
            Ids::Contiguous { first, .. } => LookupKind::Offset(*first),
            Ids::Listed(ids) => Self::lookup_listed(ids, queries),
            Ids::Text(_) => LookupKind::Search(&[]),
        };
        Lookup { ids: self, kind }
    }

    fn lookup_listed(ids: &[u64], queries: usize) -> LookupKind<'_> {
        let (Some(&first), Some(&last)) = (ids.first(), ids.last()) else {
            return LookupKind::Search(ids);
        };
        if !is_dense(last - first, queries.max(ids.len())) {
            return LookupKind::Search(ids);
        }
        let mut vertices = vec![0; (last - first) as usize + 1];
        for (vertex, id) in ids.iter().enumerate() {
            vertices[(id - first) as usize] = vertex as u32;
        }
        LookupKind::Table { first, vertices }
    }
}

fn vertex_count(n: u64) -> Result<u32, TooManyVertices> {
    if n > MAX_VERTICES { Err(TooManyVertices(n)) } else { Ok(n as u32) }
}

fn is_dense(range: u64, records: usize) -> bool {
    range <= DENSE_FACTOR * records as u64 + DENSE_RANGE
}

/// Finds vertices by id for one pass over the records.
pub(super) struct Lookup<'a> {
    ids: &'a VertexIds,
    kind: LookupKind<'a>,
}

enum LookupKind<'a> {
    Offset(u64),
    /// `vertices[id - first]`, and 0 where there is no such id.
    Table {
        first: u64,
        vertices: Vec<u32>,
    },
    Search(&'a [u64]),
}

impl Lookup<'_> {
    /// The vertices of ids that are all known.
    pub(super) fn known_vertices(&self, ids: &[u64]) -> Vec<u32> {
        ids.par_iter().map(|&id| self.known_vertex(id)).collect()
    }

    /// The vertex of an id that may be unknown.
    #[inline]
    pub(super) fn vertex_of(&self, id: u64) -> Option<u32> {
        match &self.kind {
            LookupKind::Table { first, vertices } => {
                let offset = usize::try_from(id.checked_sub(*first)?).ok()?;
                let vertex = *vertices.get(offset)?;
                // An id in a gap leads to vertex 0, whose id is another one.
                (self.ids.id_of(vertex) == id).then_some(vertex)
            }
            LookupKind::Offset(_) | LookupKind::Search(_) => self.ids.vertex_of(id),
        }
    }

    fn known_vertex(&self, id: u64) -> u32 {
        match &self.kind {
            LookupKind::Offset(first) => (id - first) as u32,
            LookupKind::Table { first, vertices } => vertices[(id - first) as usize],
            LookupKind::Search(ids) => ids.partition_point(|&smaller| smaller < id) as u32,
        }
    }
}

/// A set of small numbers.
struct Bits(Vec<u64>);

impl Bits {
    fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn ones(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit)
        })
    }
}
