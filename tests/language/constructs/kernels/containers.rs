//! Operators over any container: slabs, compact slabs, block arrays, rows, and one of a user's own.

use meerkat::prelude::*;
use meerkat::runtime::neighbors::Shape;
use meerkat::runtime::program::KernelInfo;

/// A bit for each pair of vertices: a container that a user writes. What edges carry is made up
/// of their ends.
#[device_view(BitMatrixBuffers)]
pub struct BitMatrix {
    /// 32 to a word, row after row, each filled up to whole words.
    pub bits: &[u32],
    pub vertices: u32,
}

/// A word of the matrix that stands for 32 vertices.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
pub struct BitWord {
    pub row: u32,
    /// From which vertex on; the end is `u32::MAX`.
    pub base: u32,
}

#[device]
impl BitMatrix {
    fn words_a_row(self) -> u32 {
        (self.vertices + 31) / 32
    }
    fn has(self, src: u32, dst: u32) -> bool {
        self.bits[src * self.words_a_row() + dst / 32] >> (dst % 32) & 1 == 1
    }
}

#[device]
impl Neighbors for BitMatrix {
    type Carried = u32;
    type Lists = u32;
    type Chunk = BitWord;

    fn degree_of(&self, v: u32) -> u32 {
        let mut degree = 0;
        for word in 0..self.words_a_row() {
            degree += self.bits[v * self.words_a_row() + word].count_ones();
        }
        degree
    }
    fn lists_of(&self, v: u32) -> u32 {
        v
    }
    fn count_lists(&self, _v: u32) -> u32 {
        2
    }
    fn first_chunk(&self, v: u32, list: u32) -> BitWord {
        let base = list * 32;
        BitWord { row: v, base: select(base < self.vertices, base, u32::MAX) }
    }
    fn is_chunk(&self, word: BitWord) -> bool {
        word.base != u32::MAX
    }
    fn words_of(&self, _word: BitWord) -> u32 {
        32
    }
    fn read_word(&self, word: BitWord, place: u32) -> u32 {
        word.base + place
    }
    fn is_neighbor_at(&self, word: BitWord, place: u32, dst: u32) -> bool {
        let bits = self.bits[word.row * self.words_a_row() + word.base / 32];
        bits >> place & 1 == 1 && dst < self.vertices
    }
    fn weight_at(&self, word: BitWord, place: u32) -> u32 {
        weight(word.row, word.base + place)
    }
    fn next_chunk(&self, word: BitWord, _link: u32) -> BitWord {
        let base = word.base + 64;
        BitWord { row: word.row, base: select(base < self.vertices, base, u32::MAX) }
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        if dst < self.vertices && self.has(src, dst) { weight(src, dst) as u64 } else { NOT_FOUND }
    }
    #[host]
    fn shape(&self) -> Shape {
        Shape { vertices: self.vertices, average_degree: self.vertices / 2, most_lists: 2 }
    }
}

/// What an edge carries in all of them.
#[device]
pub fn weight(src: u32, dst: u32) -> u32 {
    src * 1000 + dst
}

/// What a walk over `v` finds, in numbers that tell every mistake.
#[vertex_operator]
pub fn sums<G: Neighbors<Carried = u32>>(
    v: Vertex,
    graph: &G,
    sums: &mut [u32],
    counts: &[Atomic<u32>],
) {
    let mut sum: u32 = out_degree(graph, v) * 1_000_000;
    let mut largest = 0u32;
    for_each_neighbor(graph, v, true, |dst, weight| {
        sum += dst * 3 + weight;
        largest = largest.max(weight);
        counts[dst].fetch_add(1);
    });
    sums[v] = sum + largest * 7;
}

/// The walks that end early, or ask back.
#[vertex_operator]
pub fn looks<G: Neighbors>(v: Vertex, graph: &G, found: &mut [u32]) {
    let above = find_neighbor(graph, v, v % 3 != 0, |dst| dst > v);
    let mut mutual = 0u32;
    for_each_neighbor(graph, v, true, |dst| mutual += has_edge(graph, dst, v) as u32);
    let mut common = 0u32;
    for_each_common_neighbor(graph, v, 7, true, |w| common += w + 1);
    let mut any = false;
    for_each_neighbor(graph, v, true, |dst| any |= dst == v + 1);
    found[v] = (above != u32::MAX) as u32 + mutual * 2 + common * 100 + any as u32 * 50;
}

/// The neighbours of every vertex, once, by way of a frontier.
#[vertex_operator]
pub fn enqueues<G: Neighbors>(v: Vertex, graph: &G, seen: &[Atomic<u32>], next: &Frontier<Vertex>) {
    for_each_neighbor(graph, v, true, |dst| {
        let is_first = seen[dst].fetch_or(1) == 0;
        warp_enqueue_frontier(next, dst, is_first);
    });
}

/// List by list, as `for_each_bucket` asks for them.
#[vertex_operator]
pub fn by_list<G: Neighbors>(v: Vertex, graph: &G, lists: u32, sums: &[Atomic<u32>]) {
    for bucket in 0..lists {
        let mut sum = 0u32;
        for_each_bucket(graph, v, bucket, bucket < bucket_count(graph, v), |dst| sum += dst);
        sums[v].fetch_add(sum);
    }
}

/// Walks of a lane by itself.
#[kernel]
pub fn alone<G: Neighbors<Carried = u32>>(graph: &G, sums: &mut [u32]) {
    let i = thread_id();
    if i < sums.len() {
        let mut sum = nth_neighbor(graph, i, 0).min(1);
        for_each_neighbor(graph, i, true, |dst, weight| sum += dst + weight);
        sums[i] = sum + (find_edge_alone(graph, i, 5) & 0xffff) as u32;
    }
}

/// Of one container, under every schedule.
fn of<G: Neighbors<Carried = u32>>() -> Vec<KernelInfo> {
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().map(sums::info_with::<G>).collect();
    kernels.extend(Schedule::ALL.into_iter().map(looks::info_with::<G>));
    kernels.extend(Schedule::ALL.into_iter().map(enqueues::info_with::<G>));
    kernels.extend([by_list::info::<G>(), alone::info::<G>()]);
    kernels
}

pub fn kernels() -> Vec<KernelInfo> {
    [
        of::<Graph<u32>>(),
        of::<Compact<u32>>(),
        of::<Blocks<u32>>(),
        of::<Rows<u32>>(),
        of::<BitMatrix>(),
    ]
    .concat()
}
