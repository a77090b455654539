//! A container of one's own: a grid that keeps no edges, since the four neighbours of a vertex
//! follow from its number. The same search runs over it, over slab lists and over rows.
//! docs/CONTAINERS.md tells what each function is for.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use meerkat::prelude::*;
use meerkat::runtime::launch::HostArg;
use meerkat::runtime::neighbors::Shape;

const UNSEEN: u32 = u32::MAX;
/// No neighbour, and the end of a list.
const NONE: u32 = u32::MAX;

// ANCHOR: container
/// A grid of `width * height` vertices, row after row, with arcs to the four sides.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct Grid {
    width: u32,
    height: u32,
}

#[device]
impl Grid {
    /// Left, right, above and below, in this order.
    fn beside(self, v: u32, side: u32) -> u32 {
        let (x, y) = (v % self.width, v / self.width);
        let left = select(x == 0, NONE, v.wrapping_sub(1));
        let right = select(x + 1 == self.width, NONE, v + 1);
        let above = select(y == 0, NONE, v.wrapping_sub(self.width));
        let below = select(y + 1 == self.height, NONE, v + self.width);
        select(side < 2, select(side == 0, left, right), select(side == 2, above, below))
    }
}

#[device]
impl Neighbors for Grid {
    type Carried = ();
    /// A vertex has one list, of one chunk of four words: both are its number.
    type Lists = u32;
    type Chunk = u32;

    fn degree_of(&self, v: u32) -> u32 {
        let mut degree = 0;
        for side in 0..4u32 {
            degree += (self.beside(v, side) != NONE) as u32;
        }
        degree
    }
    fn lists_of(&self, v: u32) -> u32 {
        v
    }
    fn count_lists(&self, _v: u32) -> u32 {
        1
    }
    fn first_chunk(&self, v: u32, _list: u32) -> u32 {
        v
    }
    fn is_chunk(&self, v: u32) -> bool {
        v != NONE
    }
    fn words_of(&self, _v: u32) -> u32 {
        4
    }
    fn read_word(&self, v: u32, place: u32) -> u32 {
        if place < 4 { self.beside(v, place) } else { NONE }
    }
    fn is_neighbor_at(&self, _v: u32, _place: u32, word: u32) -> bool {
        word != NONE
    }
    fn weight_at(&self, _v: u32, _place: u32) {}
    fn next_chunk(&self, _v: u32, _link: u32) -> u32 {
        NONE
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        let mut found = NOT_FOUND;
        for side in 0..4u32 {
            if self.beside(src, side) == dst && dst != NONE {
                found = 0;
            }
        }
        found
    }
    #[host]
    fn shape(&self) -> Shape {
        Shape { vertices: self.width * self.height, average_degree: 4, most_lists: 1 }
    }
}
// ANCHOR_END: container

// ANCHOR: operator
/// Gives the neighbours of `v` that have no level yet the next one, in any container.
#[vertex_operator]
fn visit<G: Neighbors>(
    v: Vertex,
    graph: &G,
    level: u32,
    levels: &[Atomic<u32>],
    next: &Frontier<Vertex>,
) {
    for_each_neighbor(graph, v, true, |dst| {
        let discovered = levels[dst].load() == UNSEEN && levels[dst].fetch_min(level) == UNSEEN;
        warp_enqueue_frontier(next, dst, discovered);
    });
}
// ANCHOR_END: operator

/// Edges from vertex 0 to each vertex.
fn levels<G: Neighbors>(
    device: &Device,
    vertices: u32,
    graph: impl HostArg<G> + Copy,
) -> Result<Vec<u32>, Error> {
    let mut levels = DeviceBuffer::<Atomic<u32>>::filled(device, vertices as usize, UNSEEN)?;
    levels.write(0, &[0])?;
    let mut frontiers = Frontiers::new(device, vertices, &[0])?;
    for level in 1.. {
        let (current, next) = (frontiers.current(), frontiers.next());
        visit::launch(device, current, graph, level, &levels, next)?;
        if frontiers.advance()? == 0 {
            break;
        }
    }
    levels.to_vec()
}

pub(crate) fn main() -> Result<(), Error> {
    let device = Device::auto();
    let grid = Grid { width: 300, height: 200 };
    let vertices = grid.width * grid.height;
    let expected: Vec<u32> = (0..vertices).map(|v| v % grid.width + v / grid.width).collect();
    assert_eq!(levels(&device, vertices, grid)?, expected);
    println!("the grid itself: {} bytes", size_of::<Grid>());

    let arcs = (0..vertices).flat_map(|v| (0..4).map(move |side| (v, grid.beside(v, side))));
    let arcs = arcs.filter(|&(_, dst)| dst != NONE);
    let edges: Vec<Edge> = arcs.map(|(src, dst)| Edge { src, dst, weight: () }).collect();
    let slabs = SlabGraph::from_edges(&device, vertices, &edges, &SlabOptions::default())?;
    assert_eq!(levels(&device, vertices, &slabs)?, expected);
    println!("slab lists: {} bytes", slabs.slab_count()? * 128);

    let rows = RowGraph::of(&slabs)?;
    assert_eq!(levels(&device, vertices, &rows)?, expected);
    println!("rows: {} bytes", rows.bytes());
    println!("{} vertices, {} arcs, one answer", vertices, edges.len());
    Ok(())
}
