//! Arrays in memory of Meerkat, as other libraries read them without a copy.

use std::mem::size_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use meerkat_runtime::{
    Atomic, Change, Device, DeviceBuffer, DeviceType, Edge, Element, Error, Weight,
};
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::dlpack;
use crate::error::Failure;
use crate::work::work;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}

impl Kind {
    /// As NumPy writes it.
    pub(crate) fn typestr(self) -> &'static str {
        match self {
            Kind::Bool => "|b1",
            Kind::U32 => "<u4",
            Kind::I32 => "<i4",
            Kind::U64 => "<u8",
            Kind::I64 => "<i8",
            Kind::F32 => "<f4",
            Kind::F64 => "<f8",
        }
    }

    /// That of a type string of NumPy.
    pub(crate) fn of_typestr(typestr: &str) -> Option<Kind> {
        let all = [Kind::U32, Kind::I32, Kind::U64, Kind::I64, Kind::F32, Kind::F64];
        all.into_iter().find(|kind| kind.typestr() == typestr)
    }

    /// How many bytes an element is.
    pub(crate) fn size(self) -> usize {
        match self {
            Kind::Bool => 1,
            Kind::U32 | Kind::I32 | Kind::F32 => 4,
            Kind::U64 | Kind::I64 | Kind::F64 => 8,
        }
    }
}

/// Memory that an array lies in.
pub(crate) trait Memory: Send + Sync {
    /// Where it is, for others to read: what the device has queued for it is done, or is waited for here.
    fn address(&self) -> u64;
    /// The GPU that it is on; none of host memory.
    fn gpu(&self) -> Option<&Device>;
    /// A copy in host memory.
    fn to_host(&self) -> Result<Arc<dyn Memory>, Error>;
}

/// Values in host memory.
struct Host<T>(Vec<T>);

impl<T: Clone + Send + Sync + 'static> Memory for Host<T> {
    fn address(&self) -> u64 {
        self.0.as_ptr().addr() as u64
    }

    fn gpu(&self) -> Option<&Device> {
        None
    }

    fn to_host(&self) -> Result<Arc<dyn Memory>, Error> {
        Ok(Arc::new(Host(self.0.clone())))
    }
}

/// A buffer on a device.
struct OnDevice<E: Element> {
    buffer: DeviceBuffer<E>,
    /// Whether somebody may read it on a stream that is not the device's.
    is_shared: AtomicBool,
}

impl<E: Element + Send + Sync> Memory for OnDevice<E>
where
    DeviceBuffer<E>: Send + Sync,
    E::Value: Clone + Send + Sync + 'static,
{
    fn address(&self) -> u64 {
        self.is_shared.store(true, Relaxed);
        self.buffer.address()
    }

    fn gpu(&self) -> Option<&Device> {
        Some(self.buffer.device()).filter(|device| device.is_cuda())
    }

    fn to_host(&self) -> Result<Arc<dyn Memory>, Error> {
        Ok(Arc::new(Host(self.buffer.to_vec()?)))
    }
}

/// One of the two lists of what a batch changed.
struct Listed<W: Weight> {
    change: Arc<Change<W>>,
    is_deleted: bool,
    is_shared: AtomicBool,
}

impl<W: Weight> Listed<W> {
    fn edges(&self) -> &DeviceBuffer<Edge<W>> {
        if self.is_deleted { self.change.deleted() } else { self.change.inserted() }
    }
}

impl<W: Weight + Send + Sync + 'static> Memory for Listed<W>
where
    DeviceBuffer<Edge<W>>: Send + Sync,
{
    fn address(&self) -> u64 {
        self.is_shared.store(true, Relaxed);
        // Who reads it does not know of the device's stream, on which the kernel that wrote it may have been
        // followed by others. An error is left to the next call.
        drop(self.edges().device().synchronize());
        self.edges().address()
    }

    fn gpu(&self) -> Option<&Device> {
        Some(self.edges().device()).filter(|device| device.is_cuda())
    }

    fn to_host(&self) -> Result<Arc<dyn Memory>, Error> {
        Ok(Arc::new(Host(self.edges().to_vec()?)))
    }
}

impl<W: Weight> Drop for Listed<W> {
    fn drop(&mut self) {
        // As above.
        if *self.is_shared.get_mut() {
            self.edges().device().synchronize_with_others();
        }
    }
}

/// The columns of what a batch deleted and of what it inserted, left where they are.
pub(crate) fn columns_of_change<W>(change: Change<W>, fields: &[Field]) -> [Vec<Array>; 2]
where
    W: Weight + Send + Sync + 'static,
    Change<W>: Send + Sync,
    DeviceBuffer<Edge<W>>: Send + Sync,
{
    let change = Arc::new(change);
    [true, false].map(|is_deleted| {
        let list =
            Listed { change: Arc::clone(&change), is_deleted, is_shared: AtomicBool::new(false) };
        let length = list.edges().len();
        Array::fields(Arc::new(list), length, size_of::<Edge<W>>(), fields)
    })
}

impl<E: Element> Drop for OnDevice<E> {
    fn drop(&mut self) {
        // Its memory is used again in the order of the device's stream, of which others know nothing.
        if *self.is_shared.get_mut() {
            self.buffer.device().synchronize_with_others();
        }
    }
}

/// One dimension of numbers in memory of Meerkat, on the host or on a GPU: a copy, which batches do not
/// change. It is read only, as others may have got the same; on a GPU that is a matter of trust.
///
/// NumPy reads it by ``__array_interface__`` in host memory, others by ``__cuda_array_interface__`` on a
/// GPU, and by DLPack wherever it is.
#[pyclass(frozen, module = "meerkat")]
#[derive(Clone)]
pub(crate) struct Array {
    memory: Arc<dyn Memory>,
    offset: usize,
    length: usize,
    stride: usize,
    kind: Kind,
}

impl Array {
    /// Numbers in host memory.
    pub(crate) fn of_vec<T: Clone + Send + Sync + 'static>(values: Vec<T>, kind: Kind) -> Array {
        let (length, memory) = (values.len(), Arc::new(Host(values)));
        debug_assert_eq!(size_of::<T>(), kind.size());
        Array { memory, offset: 0, length, stride: kind.size(), kind }
    }

    /// Numbers on a device. What the device has queued is done.
    pub(crate) fn of_buffer<T: DeviceType + Element<Value = T> + Send + Sync + 'static>(
        buffer: DeviceBuffer<T>,
        kind: Kind,
    ) -> Array
    where
        DeviceBuffer<T>: Send + Sync,
    {
        let (length, memory) =
            (buffer.len(), Arc::new(OnDevice { buffer, is_shared: AtomicBool::new(false) }));
        Array { memory, offset: 0, length, stride: kind.size(), kind }
    }

    /// Numbers that kernels have written, and write no more.
    pub(crate) fn of_atomics<T>(buffer: DeviceBuffer<Atomic<T>>, kind: Kind) -> Array
    where
        T: DeviceType + Element<Value = T> + Clone + Send + Sync + 'static,
        Atomic<T>: Element<Value = T> + Send + Sync + 'static,
        DeviceBuffer<Atomic<T>>: Send + Sync,
    {
        debug_assert_eq!(size_of::<T>(), kind.size());
        let (length, memory) =
            (buffer.len(), Arc::new(OnDevice { buffer, is_shared: AtomicBool::new(false) }));
        Array { memory, offset: 0, length, stride: kind.size(), kind }
    }

    /// One field of structs in host memory.
    pub(crate) fn fields_of_vec<T: Clone + Send + Sync + 'static>(
        values: Vec<T>,
        fields: &[Field],
    ) -> Vec<Array> {
        let length = values.len();
        Self::fields(Arc::new(Host(values)), length, size_of::<T>(), fields)
    }

    /// Fields of structs on a device. What the device has queued is done.
    pub(crate) fn fields_of<T: DeviceType + Element<Value = T> + Send + Sync + 'static>(
        buffer: DeviceBuffer<T>,
        fields: &[Field],
    ) -> Vec<Array>
    where
        DeviceBuffer<T>: Send + Sync,
    {
        let length = buffer.len();
        let memory = Arc::new(OnDevice { buffer, is_shared: AtomicBool::new(false) });
        Self::fields(memory, length, size_of::<T>(), fields)
    }

    /// Fields of structs of `stride` bytes, wherever they are.
    pub(crate) fn fields(
        memory: Arc<dyn Memory>,
        length: usize,
        stride: usize,
        fields: &[Field],
    ) -> Vec<Array> {
        let array = |&Field { offset, kind }: &Field| {
            debug_assert!(offset + kind.size() <= stride);
            Array { memory: Arc::clone(&memory), offset, length, stride, kind }
        };
        fields.iter().map(array).collect()
    }

    /// Where its first element is.
    pub(crate) fn address(&self) -> u64 {
        self.memory.address() + self.offset as u64
    }

    pub(crate) fn memory(&self) -> &Arc<dyn Memory> {
        &self.memory
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// From one element to the next, in elements.
    pub(crate) fn step(&self) -> usize {
        self.stride / self.kind.size()
    }

    /// The number of the GPU that it is on.
    pub(crate) fn ordinal(&self) -> Option<i32> {
        let name = self.memory.gpu()?.name();
        name.strip_prefix("cuda:")?.parse().ok()
    }

    fn interface<'py>(&self, py: Python<'py>, is_read_only: bool) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("shape", (self.length,))?;
        interface.set_item("typestr", self.kind.typestr())?;
        interface.set_item("strides", (self.stride,))?;
        // An empty array has no address.
        let address = if self.length == 0 { 0 } else { self.address() };
        interface.set_item("data", (address, is_read_only))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }
}

/// Where a number lies in a struct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) offset: usize,
    pub(crate) kind: Kind,
}

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.length
    }

    /// ``cpu`` or ``cuda:0``.
    #[getter]
    fn device(&self) -> String {
        self.memory.gpu().map_or_else(|| "cpu".to_owned(), Device::name)
    }

    /// The type of the elements, as NumPy writes it.
    #[getter]
    fn typestr(&self) -> &'static str {
        self.kind.typestr()
    }

    /// A copy in host memory; the array itself if it is there.
    fn to_host(&self, py: Python<'_>) -> Result<Array, Failure> {
        match self.memory.gpu() {
            None => Ok(self.clone()),
            Some(_) => Ok(Array { memory: work(py, || self.memory.to_host())?, ..self.clone() }),
        }
    }

    /// The array as one of NumPy, if it is in host memory.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        this: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if this.get().memory.gpu().is_some() {
            let message = "the array is on a GPU; `to_host()` copies it to host memory";
            return Err(PyTypeError::new_err(message));
        }
        let array = this.py().import("numpy")?.call_method1("asarray", (this, dtype))?;
        if copy == Some(true) { array.call_method0("copy") } else { Ok(array) }
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.memory.gpu().is_some() {
            let message = "the array is on a GPU; `to_host` copies it to host memory";
            return Err(PyAttributeError::new_err(message));
        }
        self.interface(py, true)
    }

    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.memory.gpu().is_none() {
            return Err(PyAttributeError::new_err("the array is in host memory"));
        }
        // What Meerkat has queued is done: `address` sees to it. So there is no stream to wait for.
        // (PyTorch takes none that is read only.)
        let interface = self.interface(py, false)?;
        interface.set_item("stream", py.None())?;
        Ok(interface)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::device(self.ordinal())
    }

    /// The array as a capsule of DLPack. What Meerkat has queued is done, so the stream does not
    /// matter.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<Bound<'py, PyTuple>>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = (stream, max_version);
        if copy == Some(true) || dl_device.is_some_and(|device| device != self.__dlpack_device__())
        {
            return Err(PyBufferError::new_err("the array is handed out as it is, without a copy"));
        }
        dlpack::capsule(py, self)
    }

    fn __repr__(&self) -> String {
        format!("Array({} x {}, on {})", self.length, self.kind.typestr(), self.device())
    }
}
