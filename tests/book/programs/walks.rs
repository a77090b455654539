//! What docs/SCHEDULES.md and its picture say: which lanes read the lists of which vertex.

use std::collections::BTreeSet;

use meerkat::prelude::*;

/// Says of each neighbour which lane visited it; a neighbour has one vertex here.
#[vertex_operator]
fn note_lanes(v: Vertex, graph: &Graph, visitor: &[Atomic<u32>]) {
    for_each_neighbor(graph, v, true, |dst| {
        visitor[dst].store(lane_id());
    });
}

/// The vertices of the picture's first warp: the lane, which is the vertex, and the degree. The
/// hub has more than 64 slab lists.
const DEGREES: [(u32, u32); 6] = [(0, 2000), (5, 3), (6, 12), (9, 2), (17, 14), (26, 4)];
const HUB: u32 = 0;
const FEW: u32 = 4;

/// The lanes that visit the neighbours of each vertex under a schedule.
fn lanes(schedule: Schedule) -> Result<Vec<BTreeSet<u32>>, Error> {
    // On the CPU a block is one warp.
    let device = Device::cpu();
    let mut next = 32;
    let mut neighbours = |degree| {
        next += degree;
        next - degree..next
    };
    let ranges = DEGREES.map(|(_, degree)| neighbours(degree));
    let arcs = |(v, range): (u32, std::ops::Range<u32>)| {
        range.map(move |dst| Edge { src: v, dst, weight: () })
    };
    let sources = DEGREES.map(|(v, _)| v);
    let edges: Vec<Edge> = sources.into_iter().zip(ranges.clone()).flat_map(arcs).collect();
    let graph = SlabGraph::from_edges(&device, next, &edges, &SlabOptions::DEFAULT)?;
    let visitor = DeviceBuffer::filled(&device, next as usize, u32::MAX)?;
    note_lanes::launch_with(schedule, &device, 0..32, &graph, &visitor)?;
    let visitor = visitor.to_vec()?;
    let of = |range: std::ops::Range<u32>| range.map(|dst| visitor[dst as usize]).collect();
    Ok(ranges.map(of).into())
}

/// The lanes of the group of `size` that a lane belongs to.
fn group(lane: u32, size: u32) -> BTreeSet<u32> {
    let first = lane / size * size;
    (first..first + size).collect()
}

/// The lanes that may visit a vertex, as the page says.
fn expected(schedule: Schedule, v: u32, degree: u32) -> BTreeSet<u32> {
    match schedule {
        Schedule::Thread => group(v, 1),
        Schedule::Tile4 => group(v, 4),
        Schedule::Tile8 => group(v, 8),
        Schedule::Tile16 => group(v, 16),
        Schedule::Hybrid if v == HUB => group(v, 32),
        Schedule::Hybrid if degree <= FEW => group(v, 1),
        Schedule::Hybrid => group(v, 8),
        _ => group(v, 32),
    }
}

#[test]
fn lanes_that_visit_a_vertex_are_those_of_the_picture_under_8_schedules() -> Result<(), Error> {
    for schedule in Schedule::ALL {
        for ((v, degree), found) in DEGREES.into_iter().zip(lanes(schedule)?) {
            let expected = expected(schedule, v, degree);
            assert!(found.is_subset(&expected), "{schedule:?}, vertex {v}: {found:?}");
            let tiles: BTreeSet<u32> = found.iter().map(|lane| lane / 8).collect();
            let shares_hub = matches!(schedule, Schedule::Hybrid | Schedule::SlabList);
            assert!(v != HUB || !shares_hub || tiles.len() == 4, "{schedule:?}: {found:?}");
        }
    }
    Ok(())
}

/// Lists are numbered through, and every lane here has a vertex of one list but the hub.
#[test]
fn slab_lists_are_dealt_out_to_tiles_in_turn() -> Result<(), Error> {
    let lanes = lanes(Schedule::SlabList)?;
    let tile_of = |lanes: &BTreeSet<u32>| lanes.first().map(|lane| lane / 8);
    let first = tile_of(&lanes[1]).expect("a neighbour");
    for ((v, _), lanes) in DEGREES.into_iter().zip(&lanes).skip(1) {
        let tile = (first + v - DEGREES[1].0) % 4;
        assert!(lanes.is_subset(&group(8 * tile, 8)), "vertex {v}: {lanes:?}");
    }
    Ok(())
}
