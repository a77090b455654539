//! A window in a checkpoint: its arrivals, from which the last arrival of each edge is found again.

use super::{Arrival, Window, key_of};
use crate::device::DeviceBuffer;
use crate::graph::compact_slabs::CompactGraph;
use crate::graph::{DynamicGraph, Edge, SlabOptions};
use crate::saved::{StateReader, StateWriter};
use crate::{Direction, Error, Weight};
use std::ops::Range;

impl<W: Weight> Window<W> {
    /// Writes the window beside the graph that it is of: see
    /// [`Tracked::save_checkpoint_with`](crate::Tracked::save_checkpoint_with). Synchronises.
    ///
    /// # Errors
    /// Those of the writer; no memory; the device fails.
    pub fn write_to(&self, to: &mut StateWriter) -> Result<(), Error> {
        let each = || self.arrivals.iter();
        to.array("times", &each().map(|arrival| arrival.time).collect::<Vec<_>>())?;
        to.array("lengths", &each().map(|one| one.edges.len() as u32).collect::<Vec<_>>())?;
        for (name, word) in columns::<W>() {
            to.begin::<u32>(name, self.arrived_edges())?;
            for arrival in each() {
                to.append(&arrival.edges.to_vec()?.iter().map(word).collect::<Vec<u32>>())?;
            }
        }
        Ok(())
    }

    /// Reads the window over a graph that was saved with it. Synchronises.
    ///
    /// # Errors
    /// Those of the reader; edges that the graph cannot have; no memory; the device fails.
    pub fn read_from<L: crate::EdgeLists<Carried = W>>(
        graph: &DynamicGraph<L>,
        from: &mut StateReader,
    ) -> Result<Self, Error> {
        let mut window = Self::of(graph)?;
        let times = from.list::<i64>("times")?;
        let lengths = from.array::<u32>("lengths", times.len())?;
        if !times.is_sorted() {
            return Err(from.refuse("arrivals that go back in time"));
        }
        let (mut start, mut seen) = (0, Vec::new());
        for (number, (time, length)) in (0..).zip(times.into_iter().zip(lengths)) {
            let edges = read_edges::<W>(from, start..start + u64::from(length))?;
            if edges.len() != length as usize {
                return Err(from.refuse("arrivals without their edges"));
            }
            let undirected = window.direction == Direction::Undirected;
            seen.extend(edges.iter().map(|edge| {
                let (src, dst) = key_of(*edge, undirected);
                Edge { src, dst, weight: number }
            }));
            let edges = DeviceBuffer::from_slice(graph.device(), &edges)?;
            window.arrivals.push_back(Arrival { time, number, edges });
            (start, window.next) = (start + u64::from(length), number.wrapping_add(1));
        }
        // The last arrival of an edge counts.
        let (device, vertices) = (graph.device(), graph.vertex_count());
        window.seen = CompactGraph::from_edges(device, vertices, &seen, &SlabOptions::DEFAULT)?;
        Ok(window)
    }
}

/// A word of an edge.
type Word<W> = fn(&Edge<W>) -> u32;

/// How edges are saved: the words of all, one after the other.
fn columns<W: Weight>() -> impl Iterator<Item = (&'static str, Word<W>)> {
    let all: [(&str, Word<W>); 3] = [
        ("sources", |edge| edge.src),
        ("destinations", |edge| edge.dst),
        ("weights", |edge| edge.weight.to_bits()),
    ];
    all.into_iter().take(if W::IS_WEIGHTED { 3 } else { 2 })
}

/// Some of the edges that were saved so; fewer, if there are no more.
fn read_edges<W: Weight>(from: &mut StateReader, at: Range<u64>) -> Result<Vec<Edge<W>>, Error> {
    let sources = from.part::<u32>("sources", at.clone())?;
    let destinations = from.part::<u32>("destinations", at.clone())?;
    let weights = match W::IS_WEIGHTED {
        true => from.part::<u32>("weights", at)?,
        false => vec![0; sources.len()],
    };
    let edge = |((src, dst), bits)| Edge { src, dst, weight: W::from_bits(bits) };
    Ok(sources.into_iter().zip(destinations).zip(weights).map(edge).collect())
}
