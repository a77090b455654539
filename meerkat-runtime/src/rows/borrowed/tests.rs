//! Rows in buffers of somebody else.

use super::*;
use crate::graph::Csr;
use crate::rows::RowGraph;

struct Buffers {
    offsets: DeviceBuffer<u32>,
    neighbors: DeviceBuffer<u32>,
    weights: DeviceBuffer<f32>,
}

impl Buffers {
    fn of(offsets: &[u32], neighbors: &[u32]) -> Result<Self, Error> {
        let device = Device::cpu();
        let weights: Vec<f32> = neighbors.iter().map(|&dst| dst as f32).collect();
        Ok(Buffers {
            offsets: DeviceBuffer::from_slice(&device, offsets)?,
            neighbors: DeviceBuffer::from_slice(&device, neighbors)?,
            weights: DeviceBuffer::from_slice(&device, &weights)?,
        })
    }

    fn rows(&self) -> Result<BorrowedRows<'_, f32>, Error> {
        BorrowedRows::new(&self.offsets, &self.neighbors, &self.weights)
    }
}

#[test]
fn rows_on_the_device_are_taken_as_they_are() -> Result<(), Error> {
    // Shorter than a slab, a slab, and longer.
    for length in [5u32, 32, 33, 70] {
        let neighbors: Vec<u32> = (0..length).map(|i| (i * 7 + 3) % 3).collect();
        let buffers = Buffers::of(&[0, 3, 3, length], &neighbors)?;
        let rows = buffers.rows()?;
        assert_eq!((rows.vertex_count(), rows.edge_count()), (3, length.into()));
        let copy = RowGraph::of(&rows)?;
        let copied = copy.out_edges()?.keys.to_vec()?;
        let words: Vec<u32> = copied.iter().flat_map(|slab| slab.0).collect();
        assert_eq!(words[..length as usize], neighbors);
        let weights = copy.out_edges()?.weights.to_vec()?;
        let weights = weights.iter().flat_map(|slab| slab.0).map(f32::from_bits);
        assert!(weights.zip(words).all(|(weight, dst)| weight == dst as f32));
    }
    Ok(())
}

#[test]
fn in_edges_are_those_that_are_given() -> Result<(), Error> {
    let (out, into) = (Buffers::of(&[0, 2, 2, 3], &[1, 2, 0])?, [0, 1, 2, 3]);
    let into = Buffers::of(&into, &[2, 0, 0])?;
    let rows = out.rows()?;
    assert!(rows.in_edges().is_err());
    let both = rows.with_in_edges(&into.offsets, &into.neighbors, &into.weights)?;
    let copy = RowGraph::of(&both)?;
    assert_eq!(copy.in_edges()?.keys.to_vec()?[0].0[..3], [2, 0, 0]);
    for (offsets, neighbors) in [(vec![0, 3], vec![0, 0, 0]), (vec![0, 0, 1, 2], vec![2, 0])] {
        let other = Buffers::of(&offsets, &neighbors)?;
        let refused = rows.with_in_edges(&other.offsets, &other.neighbors, &other.weights);
        let refused = refused.expect_err("edges of another graph");
        assert!(matches!(refused.kind(), ErrorKind::BrokenCsr { .. }), "{refused}");
    }
    Ok(())
}

#[test]
fn rows_ascend_where_each_does_whatever_the_next_begins_with() -> Result<(), Error> {
    for (offsets, neighbors, ascends) in [
        (vec![0, 3, 3, 5], vec![0, 1, 2, 0, 2], true),
        (vec![0, 3, 3, 5], vec![0, 1, 2, 2, 0], false),
        (vec![0, 3, 3, 5], vec![0, 2, 1, 0, 2], false),
        (vec![0, 0, 2, 4], vec![0, 1, 1, 2], true),
        // A row that names a neighbour twice is in no order to rely on.
        (vec![0, 0, 0, 5], vec![0, 1, 1, 2, 2], false),
        (vec![0, 0], vec![], true),
        (vec![0], vec![], true),
    ] {
        let buffers = Buffers::of(&offsets, &neighbors)?;
        assert_eq!(buffers.rows()?.out.ascends, ascends, "{offsets:?} {neighbors:?}");
    }
    Ok(())
}

#[test]
fn broken_rows_on_the_device_are_refused() -> Result<(), Error> {
    for (offsets, neighbors) in [
        (vec![], vec![]),
        (vec![0], vec![0]),
        (vec![3], vec![]),
        (vec![0, 1], vec![0, 0]),
        (vec![1, 2], vec![0, 0]),
        (vec![0, 2, 1, 2], vec![0, 0]),
        (vec![0, 7, 2], vec![0, 0]),
        (vec![0, 0, u32::MAX], vec![0, 0]),
    ] {
        let buffers = Buffers::of(&offsets, &neighbors)?;
        let refused = buffers.rows().expect_err("broken offsets");
        let is_broken = matches!(refused.kind(), ErrorKind::BrokenCsr { what: "offsets" });
        assert!(is_broken, "{offsets:?}: {refused}");
    }
    // The largest id marks nothing here.
    for (neighbors, outside) in [([1, 2], 2), ([0, u32::MAX], u32::MAX), ([u32::MAX, 1], u32::MAX)]
    {
        let buffers = Buffers::of(&[0, 1, 2], &neighbors)?;
        let refused = buffers.rows().expect_err("a neighbour outside");
        let ErrorKind::NoSuchVertex { vertex, count: 2 } = *refused.kind() else {
            panic!("{refused}");
        };
        assert_eq!(vertex, outside);
    }
    let buffers = Buffers::of(&[0, 1, 2], &[1, 1])?;
    let one = DeviceBuffer::<f32>::from_slice(&Device::cpu(), &[1.5])?;
    let refused = BorrowedRows::new(&buffers.offsets, &buffers.neighbors, &one);
    let is_short = matches!(
        refused.expect_err("too few weights").kind(),
        ErrorKind::BrokenCsr { what: "weights" }
    );
    assert!(is_short);
    Ok(())
}

#[test]
fn a_weight_that_is_nan_is_refused_in_rows_of_any_origin() -> Result<(), Error> {
    let device = Device::cpu();
    let (offsets, neighbors) = ([0, 2, 2, 4], [1, 2, 0, 1]);
    for index in 0..4 {
        let mut weights = vec![1.0f32, -0.0, f32::INFINITY, 4.0];
        let mut buffers = Buffers::of(&offsets, &neighbors)?;
        buffers.weights = DeviceBuffer::from_slice(&device, &weights)?;
        buffers.rows()?;
        weights[index] = f32::NAN;
        buffers.weights = DeviceBuffer::from_slice(&device, &weights)?;
        let csr = Csr { offsets: vec![0, 2, 2, 4], neighbors: neighbors.to_vec(), weights };
        let borrowed = buffers.rows().map(drop).expect_err("a NaN");
        let copied = RowGraph::from_csr(&device, &csr).map(drop).expect_err("a NaN");
        for refused in [borrowed, copied] {
            let ErrorKind::NanWeight { index: at, src, dst } = *refused.kind() else {
                panic!("{refused}");
            };
            assert_eq!((at, src, dst), (index, [0, 0, 2, 2][index], neighbors[index]));
        }
    }
    Ok(())
}
