//! Arrow: columns of other libraries, and edges for them, by Arrow's C interface.
#![allow(unsafe_code)] // Structures of C in capsules; each block says why.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array as _, ArrayRef, ArrowPrimitiveType, Float32Array, RecordBatch, RecordBatchIterator,
    StructArray, UInt32Array, make_array, new_empty_array,
};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

use crate::array::{Array, Kind};
use crate::columns::Column;
use crate::error::Failure;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

fn broken(error: &ArrowError) -> Failure {
    Failure::value(format!("the Arrow data cannot be read: {error}"))
}

/// What a capsule of this name points to.
fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> Result<NonNull<T>, Failure> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|error| Failure::Python(error.into()))?;
    let pointer = capsule.pointer_checked(Some(name)).map_err(Failure::Python)?;
    Ok(pointer.cast::<T>())
}

/// The arrays of an object that has `__arrow_c_stream__` or `__arrow_c_array__`.
fn chunks(object: &Bound<'_, PyAny>) -> Result<Vec<ArrayRef>, Failure> {
    if let Some(export) = object.getattr_opt("__arrow_c_stream__").map_err(Failure::Python)? {
        let capsule = export.call0().map_err(Failure::Python)?;
        let stream = pointer::<Stream>(&capsule, STREAM)?;
        return chunks_of(stream);
    }
    let export = object.getattr("__arrow_c_array__").map_err(Failure::Python)?;
    let pair = export.call0().map_err(Failure::Python)?;
    let item = |at: usize| pair.get_item(at).map_err(Failure::Python);
    let schema = pointer::<FFI_ArrowSchema>(&item(0)?, SCHEMA)?;
    let array = pointer::<FFI_ArrowArray>(&item(1)?, ARRAY)?;
    // SAFETY: a capsule of this name points to a schema, which is moved out as above.
    let schema = unsafe { FFI_ArrowSchema::from_raw(schema.as_ptr()) };
    // SAFETY: the same of the array.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    // SAFETY: both are of one export, so the schema describes the array.
    let data = unsafe { from_ffi(array, &schema) }.map_err(|error| broken(&error))?;
    Ok(vec![make_array(data)])
}

/// `ArrowArrayStream` of Arrow's C stream interface. The capsule that has it releases it.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// The arrays of a stream, of whatever type.
fn chunks_of(stream: NonNull<Stream>) -> Result<Vec<ArrayRef>, Failure> {
    // SAFETY: a capsule of its name points to a stream, and the caller holds the capsule.
    let Stream { get_schema, get_next, get_last_error, release, .. } = *unsafe { stream.as_ref() };
    let (Some(get_schema), Some(get_next), Some(_)) = (get_schema, get_next, release) else {
        return Err(Failure::value("the Arrow stream was released"));
    };
    let failed = || {
        // SAFETY: the stream is live, and a call of it has failed.
        let why = get_last_error.map(|get_last_error| unsafe { get_last_error(stream.as_ptr()) });
        let why = why.filter(|why| !why.is_null()).map(|why| {
            // SAFETY: it is a text that lives until the next call of the stream.
            unsafe { CStr::from_ptr(why) }.to_string_lossy().into_owned()
        });
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        Failure::value(format!("the Arrow stream has failed{why}"))
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is live, as it has not been released, and the schema is a place for one.
    if unsafe { get_schema(stream.as_ptr(), &mut schema) } != 0 {
        return Err(failed());
    }
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is live, and the array is a place for one.
        if unsafe { get_next(stream.as_ptr(), &mut array) } != 0 {
            return Err(failed());
        }
        if array.is_released() {
            if chunks.is_empty() {
                // Without batches it has columns all the same.
                let data_type = DataType::try_from(&schema).map_err(|error| broken(&error))?;
                chunks.push(new_empty_array(&data_type));
            }
            return Ok(chunks);
        }
        // SAFETY: the stream's schema describes each of its arrays.
        let data = unsafe { from_ffi(array, &schema) }.map_err(|error| broken(&error))?;
        chunks.push(make_array(data));
    }
}

/// The numbers of chunks, one after another.
fn numbers<A: ArrowPrimitiveType, T: Clone + Send + Sync + 'static>(
    chunks: &[ArrayRef],
    kind: Kind,
    number: impl Fn(A::Native) -> T,
) -> Array {
    let values = chunks.iter().flat_map(|chunk| chunk.as_primitive::<A>().values().iter());
    Array::of_vec(values.map(|&value| number(value)).collect(), kind)
}

/// Refuses values that are missing.
fn check_nulls(name: &str, chunks: &[ArrayRef]) -> Result<(), Failure> {
    let mut before = 0;
    for chunk in chunks {
        if chunk.null_count() > 0
            && let Some(row) = (0..chunk.len()).find(|&row| chunk.is_null(row))
        {
            let row = before + row;
            return Err(Failure::kind(format!("`{name}` has a null at row {row}")));
        }
        before += chunk.len();
    }
    Ok(())
}

/// A column as Python takes it: numbers, or a list of texts.
fn column<'py>(
    py: Python<'py>,
    name: &str,
    chunks: &[ArrayRef],
) -> Result<Bound<'py, PyAny>, Failure> {
    check_nulls(name, chunks)?;
    let data_type = chunks.first().map_or(DataType::UInt32, |chunk| chunk.data_type().clone());
    let array = match data_type {
        DataType::UInt8 => numbers::<UInt8Type, _>(chunks, Kind::U32, u32::from),
        DataType::UInt16 => numbers::<UInt16Type, _>(chunks, Kind::U32, u32::from),
        DataType::UInt32 => numbers::<UInt32Type, _>(chunks, Kind::U32, |number| number),
        DataType::UInt64 => numbers::<UInt64Type, _>(chunks, Kind::U64, |number| number),
        DataType::Int8 => numbers::<Int8Type, _>(chunks, Kind::I32, i32::from),
        DataType::Int16 => numbers::<Int16Type, _>(chunks, Kind::I32, i32::from),
        DataType::Int32 => numbers::<Int32Type, _>(chunks, Kind::I32, |number| number),
        DataType::Int64 => numbers::<Int64Type, _>(chunks, Kind::I64, |number| number),
        DataType::Float32 => numbers::<Float32Type, _>(chunks, Kind::F32, |number| number),
        DataType::Float64 => numbers::<Float64Type, _>(chunks, Kind::F64, |number| number),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => return texts(py, chunks),
        other => {
            return Err(Failure::kind(format!("`{name}` cannot be of the type {other}")));
        }
    };
    Ok(Bound::new(py, array).map_err(Failure::Python)?.into_any())
}

fn texts<'py>(py: Python<'py>, chunks: &[ArrayRef]) -> Result<Bound<'py, PyAny>, Failure> {
    let list = PyList::empty(py);
    for chunk in chunks {
        let texts: Vec<&str> = match chunk.data_type() {
            DataType::Utf8 => chunk.as_string::<i32>().iter().flatten().collect(),
            DataType::LargeUtf8 => chunk.as_string::<i64>().iter().flatten().collect(),
            _ => chunk.as_string_view().iter().flatten().collect(),
        };
        for text in texts {
            list.append(text).map_err(Failure::Python)?;
        }
    }
    Ok(list.into_any())
}

/// A column, and its name if it is one of a table.
type NamedColumn<'py> = (Option<String>, Bound<'py, PyAny>);

/// The columns of an object of Arrow, which messages call by a name: of a table each with its own, of an
/// array one without.
#[pyfunction]
pub(crate) fn import_arrow<'py>(
    py: Python<'py>,
    object: &Bound<'py, PyAny>,
    name: &str,
) -> Result<Vec<NamedColumn<'py>>, Failure> {
    let chunks = chunks(object)?;
    let Some(first) = chunks.first().and_then(|chunk| chunk.as_struct_opt()) else {
        return Ok(vec![(None, column(py, name, &chunks)?)]);
    };
    // Of a row that is missing the fields may be there.
    check_nulls(name, &chunks)?;
    let names: Vec<String> = first.column_names().into_iter().map(str::to_owned).collect();
    let of_place = |(place, name): (usize, String)| {
        let parts = chunks.iter().filter_map(|chunk| chunk.as_struct_opt());
        let parts: Vec<ArrayRef> = parts.map(|part| Arc::clone(part.column(place))).collect();
        Ok((Some(name.clone()), column(py, &name, &parts)?))
    };
    names.into_iter().enumerate().map(of_place).collect()
}

/// Edges as a table of Arrow, with the columns ``src``, ``dst`` and, of a graph with weights, ``weight``:
/// for anything that takes ``__arrow_c_stream__``, such as ``pyarrow.table`` or ``polars.from_arrow``.
#[pyclass(frozen, module = "meerkat")]
pub(crate) struct Table {
    batch: RecordBatch,
}

#[pymethods]
impl Table {
    /// A table of columns in host memory, each copied once.
    #[new]
    #[pyo3(signature = (src, dst, weight=None))]
    fn new(src: Column, dst: Column, weight: Option<Column>) -> Result<Table, Failure> {
        let ends = [("src", src.vertices("src")?), ("dst", dst.vertices("dst")?)];
        let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
        for (name, vertices) in ends {
            columns.push((name, Arc::new(UInt32Array::from(vertices))));
        }
        match weight.map(|weight| (weight.kind(), weight)) {
            None => {}
            Some((Kind::F32, weight)) => {
                let weights = weight.weights::<f32>("weight")?;
                columns.push(("weight", Arc::new(Float32Array::from(weights))));
            }
            Some((_, weight)) => {
                columns.push(("weight", Arc::new(UInt32Array::from(weight.vertices("weight")?))));
            }
        }
        let batch = RecordBatch::try_from_iter(columns).map_err(|error| broken(&error))?;
        Ok(Table { batch })
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The table as a stream of one batch.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let (schema, batches) = (self.batch.schema(), vec![Ok(self.batch.clone())]);
        let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, schema)));
        // The stream is released when it is dropped, unless somebody has moved it out.
        PyCapsule::new_with_value(py, stream, STREAM)
    }

    /// The schema of the table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let data_type = StructArray::from(self.batch.clone()).data_type().clone();
        let schema =
            FFI_ArrowSchema::try_from(&data_type).map_err(|error| PyErr::from(broken(&error)))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }
}
