//! Algorithms over rows in buffers of somebody else.

use meerkat::algos::pagerank::{Options, Ranks, ranks};
use meerkat::algos::{bfs, sssp, triangles, wcc};
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

use super::random_graphs;
use super::support::devices;

/// The rows of arcs, ascending, and weights that the ends decide.
struct Buffers {
    offsets: DeviceBuffer<u32>,
    neighbors: DeviceBuffer<u32>,
    weights: DeviceBuffer<u32>,
    none: DeviceBuffer<()>,
}

impl Buffers {
    fn of(device: &Device, n: u32, edges: &[Edge<u32>]) -> Result<Self, Error> {
        let mut edges = edges.to_vec();
        edges.sort_by_key(|edge| (edge.src, edge.dst));
        let below = |v| edges.iter().filter(|edge| edge.src < v).count() as u32;
        let offsets: Vec<u32> = (0..=n).map(below).collect();
        let neighbors: Vec<u32> = edges.iter().map(|edge| edge.dst).collect();
        let weights: Vec<u32> = edges.iter().map(|edge| edge.weight).collect();
        Ok(Buffers {
            offsets: DeviceBuffer::from_slice(device, &offsets)?,
            neighbors: DeviceBuffer::from_slice(device, &neighbors)?,
            weights: DeviceBuffer::from_slice(device, &weights)?,
            none: DeviceBuffer::zeroed(device, 0)?,
        })
    }
}

#[test]
fn every_algorithm_finds_the_same_in_borrowed_rows() -> Result<(), Error> {
    for device in devices::devices() {
        for (n, arcs) in random_graphs() {
            let edge = |&(src, dst): &(u32, u32)| Edge { src, dst, weight: (src ^ dst) % 7 + 1 };
            let options = SlabOptions::DEFAULT.oriented(Orientation::Both);
            let edges: Vec<_> = arcs.iter().map(edge).collect();
            let slabs = SlabGraph::from_edges(&device, n, &edges, &options)?;
            let edges = slabs.to_edges()?;
            let turned = |edge: &Edge<u32>| Edge { src: edge.dst, dst: edge.src, ..*edge };
            let turned: Vec<_> = edges.iter().map(turned).collect();
            let (out, into) = (Buffers::of(&device, n, &edges)?, Buffers::of(&device, n, &turned)?);
            let weighted = BorrowedRows::new(&out.offsets, &out.neighbors, &out.weights)?;
            let distances = sssp::distances(&slabs, 0)?;
            assert_eq!(sssp::distances(&weighted, 0)?, distances, "{n} vertices");
            let rows = BorrowedRows::new(&out.offsets, &out.neighbors, &out.none)?;
            let rows = rows.with_in_edges(&into.offsets, &into.neighbors, &into.none)?;
            assert_eq!(bfs::levels(&rows, 0)?, bfs::levels(&slabs, 0)?, "{n} vertices");
            assert_eq!(wcc::labels(&rows)?, wcc::labels(&slabs)?, "{n} vertices");
            assert_eq!(triangles::per_vertex(&rows)?, triangles::per_vertex(&slabs)?);
            let found: Ranks<f64> = ranks(&rows, &Options::default())?;
            let expected: Ranks<f64> = ranks(&slabs, &Options::default())?;
            let differs = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-9;
            assert!(!found.ranks.iter().zip(&expected.ranks).any(differs), "{n} vertices");
        }
    }
    Ok(())
}

#[test]
fn rows_that_have_an_edge_twice_are_no_way_out_of_memory() -> Result<(), Error> {
    for device in devices::devices() {
        // Six hundred arcs between two vertices: more than the square root of all would allow.
        let edge = |i: u32| Edge { src: i % 2, dst: 1 - i % 2, weight: 1 };
        let edges: Vec<_> = (0..600).map(edge).collect();
        let buffers = Buffers::of(&device, 3, &edges)?;
        let rows = BorrowedRows::new(&buffers.offsets, &buffers.neighbors, &buffers.none)?;
        // What they are is anybody's guess.
        triangles::per_vertex(&rows)?;
        triangles::count(&rows)?;
    }
    Ok(())
}

#[test]
fn rows_with_ids_outside_or_nan_are_refused_on_every_device() -> Result<(), Error> {
    for device in devices::devices() {
        let offsets = DeviceBuffer::from_slice(&device, &[0, 2, 2, 3])?;
        let none = DeviceBuffer::<()>::zeroed(&device, 0)?;
        for outside in [3, u32::MAX - 1, u32::MAX] {
            let neighbors = DeviceBuffer::from_slice(&device, &[1, outside, u32::MAX])?;
            let refused = BorrowedRows::new(&offsets, &neighbors, &none).expect_err("outside");
            let ErrorKind::NoSuchVertex { vertex, count: 3 } = *refused.kind() else {
                panic!("{refused}");
            };
            assert_eq!(vertex, outside);
        }
        let neighbors = DeviceBuffer::from_slice(&device, &[1, 2, 0])?;
        let weights = DeviceBuffer::<f32>::from_slice(&device, &[1.0, f32::INFINITY, f32::NAN])?;
        let refused = BorrowedRows::new(&offsets, &neighbors, &weights).expect_err("a NaN");
        let is_named = matches!(refused.kind(), ErrorKind::NanWeight { index: 2, src: 2, dst: 0 });
        assert!(is_named, "{refused}");
    }
    Ok(())
}
