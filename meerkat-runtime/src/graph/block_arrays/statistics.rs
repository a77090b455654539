//! How full blocks are.

use super::edges::BlockEdges;
use crate::graph::Statistics;
use crate::{Error, Weight};

impl<W: Weight> BlockEdges<W> {
    /// How full the blocks are: one pass over the records. A list is a vertex's, and its block
    /// counts as a slab. Synchronises.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        let memory = self.memory()?;
        let slabs = memory.sizes.iter().map(|size| size.in_lists).sum();
        Ok(Statistics {
            vertices: self.vertices.into(),
            edges: memory.keys,
            tombstones: memory.deleted_keys,
            slab_lists: self.vertices.into(),
            slabs,
            slab_capacity: self.pool.counts.iter().sum(),
            longest_chain: u64::from(slabs != 0),
            places: memory.places_in_lists,
            bytes_allocated_singly: u64::from(self.vertices) * 512,
            bytes: memory.bytes(),
        })
    }
}
