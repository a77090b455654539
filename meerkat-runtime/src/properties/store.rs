//! Values written into columns: word by word, so that one kernel serves all types.

use crate::device::{Device, DeviceBuffer};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{Error, Vertex};
use meerkat_macros::kernel;

/// Which edge it is: what edges carry in a graph with properties, and the place of their values in
/// each column. Both arcs of an undirected edge have one id. An edge keeps it until it is deleted;
/// then another may get it.
pub type EdgeId = u32;

/// No id of an edge.
pub const NO_EDGE: EdgeId = u32::MAX;

/// A column as words, each element `each` of them.
#[derive(Clone, Copy)]
pub(super) struct ColumnWords {
    pub(super) words: DeviceSlice<Atomic<u32>>,
    /// Those of the value that elements have at first.
    pub(super) default: DeviceSlice<u32>,
    pub(super) each: u32,
}

/// Gives the elements that `items` names values: the i-th the one that begins at word `i * step`.
/// No element is named twice.
#[kernel]
fn store_values(items: &[u32], values: &[u32], step: u32, each: u32, column: &[Atomic<u32>]) {
    let i = thread_id();
    if i < items.len() && items[i] != NO_EDGE {
        for word in 0..each {
            column[items[i] * each + word].store(values[i * step + word]);
        }
    }
}

/// Gives all elements of a column up to `count` one value.
#[kernel]
fn store_everywhere(count: u32, value: &[u32], each: u32, column: &[Atomic<u32>]) {
    let i = thread_id();
    if i < count {
        for word in 0..each {
            column[i * each + word].store(value[word]);
        }
    }
}

/// Copies words of a column out of it.
#[kernel]
fn read_words(column: &[Atomic<u32>], first: u32, words: &mut [u32]) {
    let i = thread_id();
    if i < words.len() {
        words[i] = column[first + i].load();
    }
}

/// Copies words into a column.
#[kernel]
fn write_words(words: &[u32], first: u32, column: &[Atomic<u32>]) {
    let i = thread_id();
    if i < words.len() {
        column[first + i].store(words[i]);
    }
}

impl ColumnWords {
    /// Reads some words. Synchronises.
    pub(super) fn read(self, device: &Device, first: u32, count: u32) -> Result<Vec<u32>, Error> {
        let mut words = DeviceBuffer::zeroed(device, count as usize)?;
        read_words::launch(device, count, self.words, first, &mut words)?;
        words.to_vec()
    }

    /// Writes some words. Queued on CUDA, once they have been read.
    pub(super) fn write(self, device: &Device, first: u32, words: &[u32]) -> Result<(), Error> {
        let words = DeviceBuffer::from_slice(device, words)?;
        write_words::launch(device, words.len() as u32, &words, first, self.words)
    }

    /// Gives some elements a value each. Queued on CUDA.
    pub(super) fn store(
        self,
        device: &Device,
        items: DeviceSlice<u32>,
        values: DeviceSlice<u32>,
    ) -> Result<(), Error> {
        let ColumnWords { words, each, .. } = self;
        store_values::launch(device, items.len(), items, values, each, each, words)
    }

    /// Gives some elements the value that they have at first. Queued on CUDA.
    pub(super) fn reset(self, device: &Device, items: DeviceSlice<Vertex>) -> Result<(), Error> {
        let ColumnWords { words, default, each } = self;
        store_values::launch(device, items.len(), items, default, 0, each, words)
    }

    /// The same for all elements up to `count`.
    pub(super) fn reset_all(self, device: &Device, count: u32) -> Result<(), Error> {
        let ColumnWords { words, default, each } = self;
        store_everywhere::launch(device, count, count, default, each, words)
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![store_values::info(), store_everywhere::info(), read_words::info(), write_words::info()]
}
