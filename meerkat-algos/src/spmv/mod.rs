//! Sparse matrix times dense vector: `y = A x`, where the edges are the entries of `A`.
//!
//! Result: `y[v]`, the sum of `weight * x[u]` over the out-edges `v -> u`. Without weights each
//! entry is 1, so that `y[v]` sums the out-neighbours' numbers.
//! Method: pull. A group of lanes walks the row of a vertex and adds up; one kernel, and no atomic.
//! Numbers: `f32` or `f64`. Weights are converted to that type, and products are added up in it.
//! Values that change: an edge that is inserted again takes its new weight in place, so a next
//! product needs nothing but the launch. Of an undirected graph `A` is symmetric.
//! Source: Busato, Green, Bombieri and Bader, "Hornet: An efficient data structure for dynamic
//! sparse graphs and matrices on GPUs" (HPEC 2018), has this product over a matrix that changes.

mod operators;

use meerkat_runtime::ErrorKind;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
pub use operators::Entry;
use operators::multiply_row;

/// Computes `y = A x`: `y[v]` becomes the sum of `weight * x[u]` over the out-edges `v -> u` of the
/// graph, 0 if there is none. What was in `y` does not matter.
///
/// `x` and `y` have one number for each vertex, on the graph's device. The transposed product
/// is that of a graph with reversed edges.
///
/// Cost: a pass over the out-edges that reads `x` once for each, and writes `y` once. No memory is
/// allocated. Queued on the device's stream: it does not synchronise.
///
/// Rounding: an entry of `y` is off by at most about `(degree + 1) * T::EPSILON / 2` times the sum
/// of `|weight * x[u]|`. One graph on one device gives the same bits each time, because the lanes
/// of a row add up in a fixed order (but not under [`Schedule::SlabList`], which has none). Other
/// containers, schedules and devices, and the same edges inserted anew, may differ in the last bits.
///
/// ```
/// # fn main() -> Result<(), meerkat_runtime::Error> {
/// use meerkat_algos::spmv;
/// use meerkat_runtime::prelude::*;
///
/// let device = Device::auto();
/// let entry = |src, dst, weight| Edge { src, dst, weight };
/// let entries = [entry(0, 1, 2.0f32), entry(0, 2, -1.0), entry(2, 2, 0.5)];
/// let mut matrix = SlabGraph::from_edges(&device, 3, &entries, &SlabOptions::DEFAULT)?;
/// let x = DeviceBuffer::<f64>::from_slice(&device, &[1.0, 10.0, 100.0])?;
/// let mut y = DeviceBuffer::zeroed(&device, 3)?;
/// spmv::multiply(&matrix, &x, &mut y)?;
/// assert_eq!(y.to_vec()?, [-80.0, 0.0, 50.0]);
///
/// matrix.insert(&[entry(0, 1, 3.0)])?;
/// spmv::multiply(&matrix, &x, &mut y)?;
/// assert_eq!(y.to_vec()?, [-70.0, 0.0, 50.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::VectorLength`] if `x` or `y` has not one number for each vertex;
/// [`ErrorKind::WrongDevice`] if one is on another device;
/// [`ErrorKind::OrientationMissing`] if the graph keeps in-edges only; the device fails.
pub fn multiply<T: Float, C: Container<Carried: Entry<T>>>(
    graph: &C,
    x: &DeviceBuffer<T>,
    y: &mut DeviceBuffer<T>,
) -> Result<(), Error> {
    let vertices = graph.vertex_count();
    check_length("x", x, vertices)?;
    check_length("y", y, vertices)?;
    multiply_row::launch(graph.device(), 0..vertices, graph.out_edges()?, x, y)
}

/// Refuses a vector that has not one number for each vertex: `x` is read at any of them.
fn check_length<T: Float>(
    vector: &'static str,
    of: &DeviceBuffer<T>,
    vertices: u32,
) -> Result<(), Error> {
    if of.len() == vertices as usize {
        return Ok(());
    }
    Err(ErrorKind::VectorLength { vector, length: of.len(), vertices }.into())
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    operators::kernels()
}
