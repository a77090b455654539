//! What a walk asks of a graph, whatever holds its edges: the container trait of reading.
//!
//! ```text
//! vertex --lists_of--> lists --first_chunk--> chunk --read--> words --is_neighbor--> neighbours
//!                                               ^------next_chunk------'
//! ```
//!
//! `for_each_neighbor` and its kin are lowered once for each schedule, to calls of the functions
//! of [`Neighbors`]; rustc finds the container's own. None of them writes, and each gives lanes
//! that agree on its arguments the same value, since nothing changes a graph that operators read.

use crate::{DeviceType, Weight};
use meerkat_macros::device;

/// What schedules and launches go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many vertices there are, from 0.
    pub vertices: u32,
    /// Edges a vertex, rounded up.
    pub average_degree: u32,
    /// The most lists of one vertex.
    pub most_lists: u32,
}

/// A graph as an operator reads it: `fn f<G: Neighbors>(v: Vertex, graph: &G, ..)`.
///
/// The neighbours of a vertex lie in *lists*, which groups of lanes may share out. A list is read
/// in *chunks* of up to 32 words, one after another; some of the words are neighbours. Nothing
/// may change what an operator reads while it runs.
///
/// A container of one's own has `read_word` and `weight_at`, and gets from them what reads two or four
/// words, or their weights. Where these are one load of 8 or 16 bytes, walks are faster.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no graph: nothing says where its neighbours are",
    label = "walked like a graph",
    note = "help: walk `&Graph<W>`, `&Rows<W>`, or with a type parameter `G: Neighbors` any \
            container; for a container of your own write `#[device] impl Neighbors for {Self}`"
)]
#[device]
pub trait Neighbors {
    /// What edges carry.
    type Carried: Weight;
    /// What a vertex says of its lists.
    type Lists: DeviceType;
    /// Where a walk is in a list, or its end.
    type Chunk: DeviceType;

    /// How many neighbours a vertex has.
    fn degree_of(&self, v: u32) -> u32;
    /// About how many, from what is read first: a choice between two ways goes by it.
    #[doc(hidden)]
    fn about_degree_of(&self, v: u32) -> u32 {
        self.degree_of(v)
    }
    /// No fewer than a vertex has neighbours: a walk by a lane ends there. Where lists end with their last
    /// neighbour, or have to be counted, it is `u32::MAX`, and nothing is counted.
    #[doc(hidden)]
    fn bound_of(&self, v: u32) -> u32 {
        self.degree_of(v)
    }
    /// The same, of a vertex for which `few_of` gave this number.
    #[doc(hidden)]
    fn bound_of_few(&self, few: u32) -> u32 {
        few
    }
    /// No fewer than a vertex has neighbours, if a lane is to walk them by itself rather than a
    /// group; else `u32::MAX`.
    #[doc(hidden)]
    fn few_of(&self, v: u32) -> u32 {
        let degree = self.degree_of(v);
        if degree <= FEW_NEIGHBORS { degree } else { u32::MAX }
    }
    /// The lists of a vertex.
    fn lists_of(&self, v: u32) -> Self::Lists;
    /// How many there are.
    fn count_lists(&self, lists: Self::Lists) -> u32;
    /// Where a list begins.
    fn first_chunk(&self, lists: Self::Lists, list: u32) -> Self::Chunk;
    /// Whether the list goes on here; nothing is read of a chunk where it does not.
    fn is_chunk(&self, chunk: Self::Chunk) -> bool;
    /// How many words a chunk has: up to 32, and a multiple of 4.
    fn words_of(&self, chunk: Self::Chunk) -> u32;
    /// The word at a place of a chunk; what is no neighbour behind its last.
    fn read_word(&self, chunk: Self::Chunk, place: u32) -> u32;
    /// The words `2 * part` and on.
    fn read_duo(&self, chunk: Self::Chunk, part: u32) -> [u32; 2] {
        [self.read_word(chunk, 2 * part), self.read_word(chunk, 2 * part + 1)]
    }
    /// The words `4 * part` and on.
    fn read_quad(&self, chunk: Self::Chunk, part: u32) -> [u32; 4] {
        let first = 4 * part;
        [
            self.read_word(chunk, first),
            self.read_word(chunk, first + 1),
            self.read_word(chunk, first + 2),
            self.read_word(chunk, first + 3),
        ]
    }
    /// Whether the word that was read at a place is a neighbour.
    fn is_neighbor_at(&self, chunk: Self::Chunk, place: u32, word: u32) -> bool;
    /// Whether a word may be a neighbour by its place alone, which is counted from one of even number: not
    /// where weights stand between neighbours. What may not be one is not looked at.
    #[doc(hidden)]
    fn may_be_neighbor(&self, _place: u32) -> bool {
        true
    }
    /// The weight of the neighbour at a place; anything where there is none.
    fn weight_at(&self, chunk: Self::Chunk, place: u32) -> Self::Carried;
    /// The bits of the weights at the places `2 * part` and on, where these words were read.
    #[doc(hidden)]
    fn weights_of_duo(&self, chunk: Self::Chunk, part: u32, _words: [u32; 2]) -> [u32; 2] {
        let first = 2 * part;
        [self.weight_at(chunk, first).to_bits(), self.weight_at(chunk, first + 1).to_bits()]
    }
    /// The bits of the weights at the places `4 * part` and on, where these words were read.
    #[doc(hidden)]
    fn weights_of_quad(&self, chunk: Self::Chunk, part: u32, _words: [u32; 4]) -> [u32; 4] {
        let first = 4 * part;
        [
            self.weight_at(chunk, first).to_bits(),
            self.weight_at(chunk, first + 1).to_bits(),
            self.weight_at(chunk, first + 2).to_bits(),
            self.weight_at(chunk, first + 3).to_bits(),
        ]
    }
    /// The weight of these bits.
    #[doc(hidden)]
    fn weight_of(&self, bits: u32) -> Self::Carried {
        Self::Carried::from_bits(bits)
    }
    /// Whether a word of each chunk says where its list goes on: the link.
    #[doc(hidden)]
    fn has_links(&self) -> bool {
        false
    }
    /// The place of a chunk's link.
    #[doc(hidden)]
    fn link_place(&self, chunk: Self::Chunk) -> u32 {
        self.words_of(chunk) - 1
    }
    /// The link among the last two words of a chunk.
    #[doc(hidden)]
    fn link_of_duo(&self, words: [u32; 2]) -> u32 {
        words[1]
    }
    /// The link among the last four words of a chunk.
    #[doc(hidden)]
    fn link_of_quad(&self, words: [u32; 4]) -> u32 {
        words[3]
    }
    /// The chunk after this one, whose link was `link`: 0 where chunks have none.
    fn next_chunk(&self, chunk: Self::Chunk, link: u32) -> Self::Chunk;
    /// How often a group of lanes reads, `words` at once, until it has a whole chunk.
    #[doc(hidden)]
    fn passes(&self, chunk: Self::Chunk, words: u32) -> u32 {
        (self.words_of(chunk) + words - 1) / words
    }
    /// Which of `lanes` lanes that read `words` each reads the link of a chunk.
    #[doc(hidden)]
    fn link_reader(&self, chunk: Self::Chunk, words: u32, lanes: u32) -> u32 {
        self.link_place(chunk) / words % lanes
    }
    /// The bits of the edge's weight, 0 without weights, or [`NOT_FOUND`].
    fn find(&self, src: u32, dst: u32) -> u64;
    /// What schedules and launches go by, on the host.
    #[host]
    fn shape(&self) -> Shape;
    /// Whether the neighbours of every vertex ascend, on the host, and this is how they lie: each list is
    /// one chunk of 32 places, all but the last of a vertex full, and no neighbour is there twice.
    /// Places of deleted keys may be among them. Triangles are then counted by merging lists.
    #[host]
    fn ascends(&self) -> bool {
        false
    }
    /// Whether no neighbour of a vertex is there twice, on the host. A copy then does not look whether
    /// it has one already.
    #[host]
    fn has_no_repeats(&self) -> bool {
        self.ascends()
    }
    /// The words of a chunk by the lanes of a warp, one each, on the host.
    #[host]
    fn row(&self, chunk: Self::Chunk, mask: u32) -> crate::lanes::Lanes<u32> {
        crate::lanes::Lanes::active(mask, |lane| self.read_word(chunk, lane as u32))
    }
}

/// A graph that tells which neighbours a batch brought: `for_each_updated_neighbor`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which of its neighbours are updates",
    label = "a walk over updates",
    note = "help: walk a graph that was built with `track_updates`, in slabs, compact slabs or block \
            arrays; with a type parameter say `G: UpdatedNeighbors`"
)]
#[device]
pub trait UpdatedNeighbors: Neighbors {
    /// The graph of those neighbours alone.
    type Updated: Neighbors<Carried = Self::Carried>;

    /// It. Its `degree_of` may count more than there are.
    fn updated(&self) -> Self::Updated;
    /// Whether the graph keeps track of updates, on the host.
    #[host]
    fn tracks_updates(&self) -> bool;
}

/// Up to this number of neighbours, a lane walks its vertex by itself under
/// [`Schedule::Hybrid`](crate::Schedule::Hybrid): half of the vertices of a power law have
/// no more, and a tile would wait for each of them in turn.
#[doc(hidden)]
pub const FEW_NEIGHBORS: u32 = 4;

/// One of the four words that were read at once: asked for one after another, they are one load.
#[doc(hidden)]
#[device]
pub fn word_of(words: [u32; 4], at: u32) -> u32 {
    let low = if at == 0 { words[0] } else { words[1] };
    let high = if at == 2 { words[2] } else { words[3] };
    if at < 2 { low } else { high }
}

/// What [`Neighbors::find`] gives for an edge that is not there.
pub const NOT_FOUND: u64 = 1 << 32;

/// The neighbours of a vertex, or those in one list, for the scalar form of operators.
pub(crate) fn neighbors_on_host<G: Neighbors>(
    graph: &G,
    vertex: u32,
    only: Option<u32>,
) -> Vec<(u32, G::Carried)> {
    let lists = graph.lists_of(vertex);
    let all = 0..graph.count_lists(lists);
    let asked_for = all.filter(|list| only.is_none_or(|only| only == *list));
    asked_for.flat_map(|list| list_on_host(graph, graph.first_chunk(lists, list))).collect()
}

fn list_on_host<G: Neighbors>(graph: &G, mut chunk: G::Chunk) -> Vec<(u32, G::Carried)> {
    let mut found = Vec::new();
    while graph.is_chunk(chunk) {
        let words = (0..graph.words_of(chunk)).map(|place| graph.read_word(chunk, place));
        let words: Vec<u32> = words.collect();
        for (place, word) in (0u32..).zip(&words) {
            if graph.is_neighbor_at(chunk, place, *word) {
                found.push((*word, graph.weight_at(chunk, place)));
            }
        }
        let link = match graph.has_links() {
            true => words.get(graph.link_place(chunk) as usize).copied().unwrap_or(0),
            false => 0,
        };
        chunk = graph.next_chunk(chunk, link);
    }
    found
}
