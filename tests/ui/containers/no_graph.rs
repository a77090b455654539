use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Grid {
    width: u32,
    height: u32,
}

/// A grid that does not say where neighbours are.
#[vertex_operator]
fn count(v: Vertex, grid: &Grid, counts: &mut [u32]) {
    let mut count = 0u32;
    for_each_neighbor(grid, v, true, |_dst| count += 1);
    counts[v] = count;
}

fn main() {}
