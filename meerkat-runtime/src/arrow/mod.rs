//! Edges and values from Arrow record batches.
//!
//! ```text
//! RecordBatch --one upload of each column--> src, dst, weight --zip_edges--> Edge<W>, on the device
//! ```

use crate::device::{Device, DeviceBuffer};
use crate::device_type::DeviceType;
use crate::error::ColumnFault;
use crate::graph::Edge;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::DeviceSlice;
use crate::{Error, ErrorKind, Weight};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowNativeTypeOp, PrimitiveArray, RecordBatch, make_array};
use arrow_schema::DataType;
use meerkat_macros::kernel;
use std::fmt::Display;

/// Makes edges of their columns.
#[kernel]
fn zip_edges<W: Weight>(src: &[u32], dst: &[u32], weights: &[u32], edges: &mut [Edge<W>]) {
    let i = thread_id();
    if i < edges.len() {
        let mut weight = W::ZERO;
        if W::IS_WEIGHTED {
            weight = W::from_bits(weights[i]);
        }
        edges[i] = Edge { src: src[i], dst: dst[i], weight };
    }
}

/// The names of the columns that edges are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeNames<'a> {
    /// Where edges start: `UInt32`, or `UInt64`, `Int32` or `Int64` with values of 32 bits.
    pub src: &'a str,
    /// Where they end; likewise.
    pub dst: &'a str,
    /// What they carry, of the very type. Not looked at for edges without weights.
    pub weight: &'a str,
}

impl Default for EdgeNames<'static> {
    fn default() -> Self {
        EdgeNames { src: "src", dst: "dst", weight: "weight" }
    }
}

/// A number that Arrow has, too: `u32`, `i32`, `f32`, `u64`, `i64` or `f64`.
pub trait ArrowNumber: DeviceType + ArrowNativeTypeOp {
    /// What it is called there.
    #[doc(hidden)]
    type Arrow: ArrowPrimitiveType<Native = Self>;
}

macro_rules! numbers {
    ($($number:ty: $arrow:ty;)*) => {$(
        impl ArrowNumber for $number {
            type Arrow = $arrow;
        }
    )*};
}

numbers! {
    u32: UInt32Type;
    i32: Int32Type;
    f32: Float32Type;
    u64: UInt64Type;
    i64: Int64Type;
    f64: Float64Type;
}

/// A weight that a column can have, or none.
pub trait ArrowWeight: Weight {
    /// The edges of these ends, which are as many as the rows.
    #[doc(hidden)]
    fn zip(
        ends: [DeviceBuffer<u32>; 2],
        batch: &RecordBatch,
        name: &str,
    ) -> Result<DeviceBuffer<Edge<Self>>, Error>;
}

impl ArrowWeight for () {
    fn zip(
        ends: [DeviceBuffer<u32>; 2],
        _: &RecordBatch,
        _: &str,
    ) -> Result<DeviceBuffer<Edge>, Error> {
        let none = DeviceBuffer::<u32>::empty(ends[0].device());
        zipped(&ends, none.view())
    }
}

macro_rules! weights {
    ($($weight:ty)*) => {$(
        impl ArrowWeight for $weight {
            fn zip(
                ends: [DeviceBuffer<u32>; 2],
                batch: &RecordBatch,
                name: &str,
            ) -> Result<DeviceBuffer<Edge<Self>>, Error> {
                let weights = values_of::<Self>(ends[0].device(), batch, name)?;
                zipped(&ends, weights.plain_words())
            }
        }
    )*};
}

weights! { u32 i32 f32 }

/// Queued on CUDA.
fn zipped<W: Weight>(
    [src, dst]: &[DeviceBuffer<u32>; 2],
    weights: DeviceSlice<u32>,
) -> Result<DeviceBuffer<Edge<W>>, Error> {
    let mut edges = DeviceBuffer::zeroed(src.device(), src.len())?;
    zip_edges::launch(src.device(), src.len() as u32, src, dst, weights, &mut edges)?;
    Ok(edges)
}

/// The rows of a record batch as edges on a device, in order: for a
/// [`DeviceBatch`](crate::DeviceBatch), or a graph's
/// [`from_buffer`](crate::DynamicGraph::from_buffer). Queued on CUDA, once the columns have been read.
///
/// Cost: columns of the very types are uploaded as they lie; ends of other types are copied once on
/// the host, as they are checked.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use arrow_array::{RecordBatch, UInt32Array, record_batch};
/// use meerkat_runtime::arrow::{EdgeNames, edges_of};
/// use meerkat_runtime::prelude::*;
/// use meerkat_runtime::DeviceBatch;
///
/// let device = Device::auto();
/// let batch = record_batch!(
///     ("src", UInt32, [0, 1]),
///     ("dst", Int64, [1, 2]),
///     ("weight", Float32, [0.5, 1.5])
/// )?;
/// let edges = edges_of::<f32>(&device, &batch, &EdgeNames::default())?;
/// let mut graph = SlabGraph::<f32>::from_edges(&device, 3, &[], &SlabOptions::DEFAULT)?;
/// graph.apply(&DeviceBatch::insertions(edges))?;
/// assert_eq!(graph.neighbors(1)?, [(2, 1.5)]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::ArrowColumn`] for a column that is missing, has another type, a null or a vertex that
/// is no `u32`; no memory.
pub fn edges_of<W: ArrowWeight>(
    device: &Device,
    batch: &RecordBatch,
    names: &EdgeNames<'_>,
) -> Result<DeviceBuffer<Edge<W>>, Error> {
    let ends = [vertices_of(device, batch, names.src)?, vertices_of(device, batch, names.dst)?];
    W::zip(ends, batch, names.weight)
}

/// A column of a record batch on a device: for
/// [`EdgeValues::with_buffer`](crate::properties::EdgeValues::with_buffer). Queued on CUDA, once it has
/// been read. Timestamps, dates, times and durations are the `i64` or `i32` that Arrow keeps of them, in
/// whatever unit: those of a column for [`expire`](crate::properties::PropertyGraph::expire), say.
///
/// # Errors
/// [`ErrorKind::ArrowColumn`] for a column that is missing, has another type or a null; no memory.
pub fn values_of<T: ArrowNumber>(
    device: &Device,
    batch: &RecordBatch,
    name: &str,
) -> Result<DeviceBuffer<T>, Error> {
    let array = array_of(batch, name)?;
    let plain = as_number::<T>(array);
    let Some(values) = plain.as_deref().unwrap_or(array).as_primitive_opt::<T::Arrow>() else {
        let expected = T::Arrow::DATA_TYPE.to_string();
        return Err(another_type(name, array, &expected));
    };
    no_null(name, values)?;
    DeviceBuffer::<T>::from_slice(device, values.values())
}

/// A column of moments or spans as the numbers that they are, if they are these; nothing is copied.
fn as_number<T: ArrowNumber>(array: &dyn Array) -> Option<ArrayRef> {
    use DataType::{Date32, Date64, Duration, Int32, Int64, Time32, Time64, Timestamp};
    let plain = match array.data_type() {
        Timestamp(..) | Date64 | Time64(_) | Duration(_) => Int64,
        Date32 | Time32(_) => Int32,
        _ => return None,
    };
    let is_wanted = plain == T::Arrow::DATA_TYPE;
    let data = is_wanted.then(|| array.to_data().into_builder().data_type(plain).build());
    data?.ok().map(make_array)
}

/// A column of vertices.
fn vertices_of(
    device: &Device,
    batch: &RecordBatch,
    name: &str,
) -> Result<DeviceBuffer<u32>, Error> {
    let array = array_of(batch, name)?;
    let narrowed = match array.data_type() {
        DataType::UInt32 => return values_of(device, batch, name),
        DataType::UInt64 => narrowed(name, array.as_primitive::<UInt64Type>()),
        DataType::Int32 => narrowed(name, array.as_primitive::<Int32Type>()),
        DataType::Int64 => narrowed(name, array.as_primitive::<Int64Type>()),
        _ => Err(another_type(name, array, "UInt32, UInt64, Int32 or Int64")),
    };
    DeviceBuffer::from_slice(device, &narrowed?)
}

fn narrowed<A: ArrowPrimitiveType>(
    name: &str,
    values: &PrimitiveArray<A>,
) -> Result<Vec<u32>, Error>
where
    A::Native: TryInto<u32> + Display,
{
    no_null(name, values)?;
    let vertex = |(row, value): (usize, &A::Native)| {
        let fault = ColumnFault::NoVertex { row, value: value.to_string() };
        (*value).try_into().map_err(|_| fault_of(name, fault))
    };
    values.values().iter().enumerate().map(vertex).collect()
}

fn array_of<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a dyn Array, Error> {
    let array = batch.column_by_name(name);
    array.map(|array| &**array).ok_or_else(|| {
        let names = batch.schema_ref().fields().iter().map(|field| field.name().clone());
        fault_of(name, ColumnFault::Missing { names: names.collect() })
    })
}

fn no_null(name: &str, array: &dyn Array) -> Result<(), Error> {
    match (0..array.len()).find(|&row| array.null_count() > 0 && array.is_null(row)) {
        Some(row) => Err(fault_of(name, ColumnFault::Null { row })),
        None => Ok(()),
    }
}

fn another_type(name: &str, array: &dyn Array, expected: &str) -> Error {
    let (found, expected) = (array.data_type().to_string(), expected.to_owned());
    fault_of(name, ColumnFault::Type { found, expected })
}

fn fault_of(name: &str, fault: ColumnFault) -> Error {
    ErrorKind::ArrowColumn { column: name.to_owned(), fault }.into()
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![zip_edges::info::<()>(), zip_edges::info::<f32>()]
}

#[cfg(test)]
mod tests;
