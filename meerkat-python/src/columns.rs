//! Columns of edges in memory of other libraries: read where they are, on the host or on a GPU.
#![allow(unsafe_code)] // Pointers from array interfaces; each block says why.

use cudarc::driver::sys;
use meerkat_runtime::{
    Atomic, Change, Device, DeviceBatch, DeviceBuffer, DeviceSlice, DynamicAlgorithm, DynamicGraph,
    Edge, EdgeLists, Error, ErrorKind, Tracked,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::mem;

use crate::array::Kind;
use crate::error::Failure;
use crate::graph::Weighted;
use crate::kernels::zip_updates;
use crate::work;

/// Where one dimension of numbers lies, in memory of another library, which lends it for a call.
#[derive(Clone, Copy, Debug)]
struct Layout {
    address: u64,
    length: usize,
    /// Bytes from one number to the next.
    stride: isize,
    kind: Kind,
}

/// A column that the host reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostColumn(Layout);

/// A column that kernels read, on one of the GPUs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GpuColumn(Layout);

/// A column, wherever it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    Host(HostColumn),
    Gpu(GpuColumn),
}

impl<'py> FromPyObject<'_, 'py> for Column {
    type Error = PyErr;

    /// The column of an object that has `__array_interface__` or `__cuda_array_interface__`.
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        work::check_pool()?;
        let on_gpu = object.getattr_opt("__cuda_array_interface__")?;
        let is_on_gpu = on_gpu.is_some();
        let interface = match on_gpu {
            Some(interface) => interface,
            None => object.getattr("__array_interface__")?,
        };
        let interface = interface.cast_into::<PyDict>()?;
        let get = |name: &str| interface.as_any().get_item(name);
        let (address, _): (u64, bool) = get("data")?.extract()?;
        let shape: Vec<usize> = get("shape")?.extract()?;
        let typestr: String = get("typestr")?.extract()?;
        let [length] = shape[..] else {
            let message = format!("a column has one dimension, and not {}", shape.len());
            return Err(Failure::value(message).into());
        };
        let Some(kind) = Kind::of_typestr(&typestr) else {
            return Err(Failure::kind(format!("a column cannot be of the type '{typestr}'")).into());
        };
        let strides: Option<Vec<isize>> = match interface.get_item("strides")? {
            Some(strides) if !strides.is_none() => Some(strides.extract()?),
            _ => None,
        };
        let stride = match strides.as_deref() {
            Some([stride]) => *stride,
            _ => kind.size() as isize,
        };
        let layout = Layout { address, length, stride, kind };
        Ok(if is_on_gpu {
            Column::Gpu(GpuColumn(layout))
        } else {
            Column::Host(HostColumn(layout))
        })
    }
}

impl HostColumn {
    /// A number of the column.
    fn read<T: Copy>(&self, place: usize) -> T {
        let Layout { address, length, stride, kind } = self.0;
        debug_assert!(place < length && size_of::<T>() == kind.size());
        let first = address as usize as *const u8;
        // SAFETY: the library that lends the column says that its memory reaches from the first number
        // over all of them, a stride apart, in host memory.
        let at = unsafe { first.offset(place as isize * stride) };
        // SAFETY: a number of this size is there, perhaps not aligned; any bytes are one. The object
        // that owns the memory is held by the caller; who writes to it meanwhile gets either number.
        unsafe { at.cast::<T>().read_unaligned() }
    }

    /// The vertex at a place, if it is one.
    fn vertex(&self, place: usize) -> Result<u32, i128> {
        let wide = |number: i128| u32::try_from(number).map_err(|_| number);
        match self.0.kind {
            Kind::U32 => Ok(self.read(place)),
            Kind::I32 => wide(self.read::<i32>(place).into()),
            Kind::I64 => wide(self.read::<i64>(place).into()),
            Kind::U64 => wide(self.read::<u64>(place).into()),
            Kind::Bool | Kind::F32 | Kind::F64 => Err(-1),
        }
    }

    fn vertices(&self, name: &str) -> Result<Vec<u32>, Failure> {
        let all = (0..self.0.length)
            .into_par_iter()
            .map(|place| self.vertex(place).map_err(|n| (place, n)));
        all.collect::<Result<Vec<u32>, _>>()
            .map_err(|(place, number)| no_vertex(name, place, number))
    }

    /// Weights of edges, which are 32 bits, as they are.
    fn weights<W: Weighted>(&self) -> Vec<W> {
        let weight = |place| W::from_bits(self.read::<u32>(place));
        (0..self.0.length).into_par_iter().map(weight).collect()
    }
}

impl GpuColumn {
    /// How many words a number is.
    fn step(&self) -> u32 {
        (self.0.kind.size() / 4) as u32
    }

    /// The bits of the first word of a number that an id has not.
    fn sign(&self) -> u32 {
        if self.0.kind == Kind::I32 { 1 << 31 } else { 0 }
    }

    /// Why a column is not taken by a kernel on a device: it is on another one, not contiguous, not
    /// aligned, or has more words than kernels number. The driver knows where it is once the context of
    /// the device is current, as after [`Device::synchronize_with_others`].
    fn check(&self, device: &Device, name: &str) -> Result<(), Failure> {
        let Layout { address, length, stride, kind } = self.0;
        if length == 0 {
            return Ok(());
        }
        if length > 1 && stride != kind.size() as isize {
            let message = format!("`{name}` on a GPU is to be contiguous; pass a copy of it");
            return Err(Failure::value(message));
        }
        if !address.is_multiple_of(4) {
            let message = format!("`{name}` on a GPU is to be aligned; pass a copy of it");
            return Err(Failure::value(message));
        }
        if length.saturating_mul(self.step() as usize) > u32::MAX as usize {
            let message = format!(
                "`{name}` has {length} numbers of type '{}'; a column on a GPU has at most 2^32 - 1 \
                 words of 32 bits: pass several",
                kind.typestr()
            );
            return Err(Failure::value(message));
        }
        let there = gpu_of(address);
        if there.as_deref() != Some(&*device.name()) {
            let place = there.unwrap_or_else(|| "no GPU".to_owned());
            let message = format!(
                "`{name}` is on {place}, and the graph on {}; copy it there",
                device.name()
            );
            return Err(Failure::value(message));
        }
        Ok(())
    }

    /// A kernel's view of the words of a column, which was checked for the GPU of the launch.
    ///
    /// # Safety
    /// What is launched with it is done before the call ends that was lent the column.
    unsafe fn words(&self) -> DeviceSlice<u32> {
        let words = self.0.length * self.step() as usize;
        // SAFETY: the library that lends the column says that so many contiguous numbers are there, and
        // any bytes are words; the caller promises the rest.
        unsafe { DeviceSlice::foreign(self.0.address, words) }
    }
}

/// The GPU that memory is on, as devices are called; none if the driver does not know it.
fn gpu_of(address: u64) -> Option<String> {
    let mut ordinal: i32 = -1;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
    // SAFETY: the driver is loaded, as a device is open. It writes an integer of this size, and reads
    // nothing at the address.
    let code = unsafe { sys::cuPointerGetAttribute((&raw mut ordinal).cast(), attribute, address) };
    (code == sys::CUresult::CUDA_SUCCESS && ordinal >= 0).then(|| format!("cuda:{ordinal}"))
}

impl Column {
    fn layout(&self) -> &Layout {
        match self {
            Column::Host(HostColumn(layout)) | Column::Gpu(GpuColumn(layout)) => layout,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.layout().length
    }

    pub(crate) fn kind(&self) -> Kind {
        self.layout().kind
    }

    /// The column, if the host can read it.
    fn on_host(&self, name: &str) -> Result<&HostColumn, Failure> {
        match self {
            Column::Host(column) => Ok(column),
            Column::Gpu(_) => Err(Failure::kind(format!(
                "`{name}` is on a GPU, and is to be in host memory; copy it there"
            ))),
        }
    }

    fn check_vertices(&self, name: &str) -> Result<(), Failure> {
        match self.kind() {
            Kind::U32 | Kind::I32 | Kind::I64 | Kind::U64 => Ok(()),
            Kind::Bool | Kind::F32 | Kind::F64 => {
                let typestr = self.kind().typestr();
                Err(Failure::kind(format!(
                    "`{name}` has vertices, and not numbers of type '{typestr}'"
                )))
            }
        }
    }

    /// The vertices of a column in host memory.
    pub(crate) fn vertices(&self, name: &str) -> Result<Vec<u32>, Failure> {
        self.check_vertices(name)?;
        self.on_host(name)?.vertices(name)
    }

    /// The numbers of a column in host memory, as floats.
    pub(crate) fn floats(&self, name: &str) -> Result<Vec<f64>, Failure> {
        if self.kind() != Kind::F64 {
            let message = format!("`{name}` is to have numbers of type '<f8'");
            return Err(Failure::kind(message));
        }
        let column = self.on_host(name)?;
        Ok((0..self.len()).map(|place| column.read(place)).collect())
    }

    /// Weights of edges in host memory, as they are.
    pub(crate) fn weights<W: Weighted>(&self, name: &str) -> Result<Vec<W>, Failure> {
        if W::KIND != Some(self.kind()) {
            let message =
                format!("`{name}` cannot have numbers of type '{}'", self.kind().typestr());
            return Err(Failure::kind(message));
        }
        Ok(self.on_host(name)?.weights())
    }
}

/// Words of a column for a kernel: where they are, if that is the GPU of the launch, or a copy there.
pub(crate) struct Lent {
    address: u64,
    length: usize,
    /// How many words a number is, and the bits of the first one that an id has not.
    step: u32,
    sign: u32,
    _copy: Option<DeviceBuffer<u32>>,
}

impl Lent {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// How many words a number is, 1 but for [`Column::lent_ids`], and the bits of the first one that an
    /// id has not.
    pub(crate) fn step_and_sign(&self) -> (u32, u32) {
        (self.step, self.sign)
    }

    /// The kernel's view, for a launch that is waited for before this goes.
    pub(crate) fn view(&self) -> DeviceSlice<u32> {
        // SAFETY: who lends the column, or the copy, has so many words there, and any bytes are words.
        unsafe { DeviceSlice::foreign(self.address, self.length * self.step as usize) }
    }

    /// The same words, for a kernel that reads lists of atomics as well; it writes none of them.
    pub(crate) fn view_of_atomics(&self) -> DeviceSlice<Atomic<u32>> {
        // SAFETY: as above; an atomic is laid out as its word.
        unsafe { DeviceSlice::foreign(self.address, self.length * self.step as usize) }
    }

    /// A view of nothing.
    pub(crate) fn nothing() -> DeviceSlice<u32> {
        // SAFETY: there are no elements.
        unsafe { DeviceSlice::foreign(0, 0) }
    }
}

impl Column {
    /// The numbers of a column, from 0 to 2^32 - 1, as words for a kernel. On a GPU that is the type of
    /// the column; of vertices, which the kernel compares with a number of them below 2^31, it may be
    /// signed (`is_signed_taken`).
    pub(crate) fn lent(
        &self,
        device: &Device,
        name: &str,
        is_signed_taken: bool,
    ) -> Result<Lent, Failure> {
        match (self, self.kind()) {
            (Column::Gpu(_), Kind::U32) => {}
            (Column::Gpu(_), Kind::I32) if is_signed_taken => {}
            (Column::Gpu(_), other) if device.is_cuda() => {
                return Err(Failure::kind(format!(
                    "`{name}` on a GPU is to be of type uint32, and not '{}'",
                    other.typestr()
                )));
            }
            _ => {}
        }
        self.lent_ids(device, name)
    }

    /// The words of a column of any type of integers: a number is one or two, and which bits an id has
    /// not the kernel looks at. In host memory ids alone are taken.
    pub(crate) fn lent_ids(&self, device: &Device, name: &str) -> Result<Lent, Failure> {
        self.check_vertices(name)?;
        let column = match self {
            Column::Gpu(column) if device.is_cuda() => column,
            _ => {
                let copy = DeviceBuffer::from_slice(device, &self.vertices(name)?)?;
                let (address, length) = (copy.address(), self.len());
                return Ok(Lent { address, length, step: 1, sign: 0, _copy: Some(copy) });
            }
        };
        // (Who lends the column may still be writing it, on a stream of its own; this waits for it.)
        device.synchronize_with_others();
        column.check(device, name)?;
        let (address, length) = (column.0.address, column.0.length);
        Ok(Lent { address, length, step: column.step(), sign: column.sign(), _copy: None })
    }
}

fn no_vertex(name: &str, place: usize, number: i128) -> Failure {
    let message = format!(
        "`{name}` has {number} at place {place}, which is no vertex: those are from 0 to 2^32 - 2"
    );
    Failure::value(message)
}

/// Edges in columns of one length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeColumns {
    pub(crate) src: Column,
    pub(crate) dst: Column,
    pub(crate) weight: Option<Column>,
}

impl EdgeColumns {
    /// Joins columns of one length.
    pub(crate) fn new(src: Column, dst: Column, weight: Option<Column>) -> Result<Self, Failure> {
        src.check_vertices("src")?;
        dst.check_vertices("dst")?;
        for (name, other) in [("dst", Some(dst)), ("weight", weight)] {
            if let Some(other) = other
                && other.len() != src.len()
            {
                let (ends, others) = (src.len(), other.len());
                let message = format!(
                    "`src` has {ends} numbers and `{name}` {others}; pass one for each edge"
                );
                return Err(Failure::value(message));
            }
        }
        Ok(EdgeColumns { src, dst, weight })
    }

    /// The columns, if kernels on this device read them where they are: if all are on a GPU.
    pub(crate) fn on_gpu(&self, device: &Device) -> Result<Option<GpuEdgeColumns>, Failure> {
        let (Column::Gpu(src), Column::Gpu(dst), None | Some(Column::Gpu(_)), true) =
            (self.src, self.dst, self.weight, device.is_cuda())
        else {
            return Ok(None);
        };
        let weight = match self.weight {
            Some(Column::Gpu(weight)) => Some(weight),
            _ => None,
        };
        // Who lends columns may still be writing them, on a stream of its own; this waits for it.
        device.synchronize_with_others();
        for (column, name) in [(Some(src), "src"), (Some(dst), "dst"), (weight, "weight")] {
            column.map_or(Ok(()), |column| column.check(device, name))?;
        }
        Ok(Some(GpuEdgeColumns { src, dst, weight }))
    }

    /// Whether the weights, if edges carry some, are of the type.
    pub(crate) fn check_weights<W: Weighted>(&self, needed: bool) -> Result<(), Failure> {
        match (W::KIND, self.weight) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Failure::value("the graph has no weights; leave them out")),
            (Some(_), None) if needed => {
                Err(Failure::value("the graph has weights; pass one for each edge"))
            }
            (Some(_), None) => Ok(()),
            (Some(kind), Some(weight)) if weight.kind() == kind => Ok(()),
            (Some(kind), Some(weight)) => Err(Failure::kind(format!(
                "weights of the graph are of type '{}', and these of '{}'",
                kind.typestr(),
                weight.kind().typestr()
            ))),
        }
    }

    /// The edges, of columns in host memory.
    pub(crate) fn edges<W: Weighted>(&self) -> Result<Vec<Edge<W>>, Failure> {
        let (src, dst) = (self.src.vertices("src")?, self.dst.vertices("dst")?);
        let weights = self.weight.filter(|_| W::IS_WEIGHTED);
        let weights = weights.map(|weight| weight.weights::<W>("weight")).transpose()?;
        let edge = |(place, (&src, &dst)): (usize, (&u32, &u32))| {
            let weight = weights.as_ref().map_or(W::ZERO, |weights| weights[place]);
            Edge { src, dst, weight }
        };
        Ok(src.par_iter().zip(&dst).enumerate().map(edge).collect())
    }
}

/// The same on the GPU of a graph, checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GpuEdgeColumns {
    src: GpuColumn,
    dst: GpuColumn,
    weight: Option<GpuColumn>,
}

impl GpuEdgeColumns {
    /// No edges.
    fn none() -> Self {
        let nothing = GpuColumn(Layout { address: 0, length: 0, stride: 4, kind: Kind::U32 });
        GpuEdgeColumns { src: nothing, dst: nothing, weight: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.src.0.length
    }

    /// Whether an end may be no `u32`.
    pub(crate) fn may_be_wide(&self) -> bool {
        [self.src, self.dst].iter().any(|end| end.0.kind != Kind::U32)
    }

    /// How many words an end is.
    fn steps(&self) -> [u32; 2] {
        [self.src.step(), self.dst.step()]
    }

    fn signs(&self) -> [u32; 2] {
        [self.src.sign(), self.dst.sign()]
    }
}

/// Waits for what its device has queued when it goes, however that is.
struct SynchronizeOnDrop<'a>(&'a Device);

impl Drop for SynchronizeOnDrop<'_> {
    fn drop(&mut self) {
        // An error is of the device, which does nothing more: the next call says so.
        drop(self.0.synchronize());
    }
}

/// Applies deletions, then insertions, of columns that are all on the graph's GPU. An end that is no `u32`
/// is one that no graph has, 2^32 - 1. Synchronises.
pub(crate) fn apply_on_gpu<W, L, A>(
    tracked: &mut Tracked<DynamicGraph<L>, A>,
    gone: Option<GpuEdgeColumns>,
    new: Option<GpuEdgeColumns>,
) -> Result<Change<W>, Failure>
where
    W: Weighted,
    L: EdgeLists<Carried = W>,
    A: DynamicAlgorithm<DynamicGraph<L>>,
{
    let device = tracked.graph().device().clone();
    let nothing = DeviceBuffer::zeroed(&device, 0)?;
    let (batch, waits) = queue_batch::<W>(&device, gone, new, &nothing)?;
    let may_be_wide = [gone, new].iter().flatten().any(GpuEdgeColumns::may_be_wide);
    let change = tracked.apply(&batch).map_err(|error| refused_batch(error, may_be_wide))?;
    // `apply` has waited for the batch: it reads how many of its edges changed. (An empty one reads no column.)
    mem::forget(waits);
    Ok(change)
}

/// Why a batch of columns on a GPU is refused: perhaps for an end that is no `u32`.
fn refused_batch(error: Error, may_be_wide: bool) -> Failure {
    match *error.kind() {
        ErrorKind::VertexOutOfRange { index, src: u32::MAX, dst: u32::MAX, .. } if may_be_wide => {
            refused_on_gpu(index)
        }
        _ => error.into(),
    }
}

/// Does something with insertions of columns that are all on a GPU, as a batch there. `found` gets the place
/// of the first edge with an end that is no `u32`, and the largest end. Synchronises afterwards.
pub(crate) fn with_insertions_on_gpu<W: Weighted, T>(
    device: &Device,
    new: GpuEdgeColumns,
    found: &DeviceBuffer<Atomic<u32>>,
    act: impl FnOnce(&DeviceBatch<W>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (batch, _waits) = queue_batch::<W>(device, None, Some(new), found)?;
    let done = act(&batch)?;
    device.synchronize()?;
    Ok(done)
}

/// Deletions, then insertions, as a batch, and what waits for the kernel that reads the columns.
fn queue_batch<'a, W: Weighted>(
    device: &'a Device,
    gone: Option<GpuEdgeColumns>,
    new: Option<GpuEdgeColumns>,
    found: &DeviceBuffer<Atomic<u32>>,
) -> Result<(DeviceBatch<W>, SynchronizeOnDrop<'a>), Failure> {
    let (gone, new) =
        (gone.unwrap_or_else(GpuEdgeColumns::none), new.unwrap_or_else(GpuEdgeColumns::none));
    let count = gone.len() + new.len();
    let Ok(lanes) = u32::try_from(count) else {
        let message =
            format!("the batch has {count} edges; one has at most 2^32 - 1: pass several");
        return Err(Failure::value(message));
    };
    let is_mixed = gone.len() > 0 && new.len() > 0;
    let mut edges = DeviceBuffer::<Edge<W>>::zeroed(device, count)?;
    let mut deletes = DeviceBuffer::<u8>::zeroed(device, if is_mixed { count } else { 0 })?;
    let waits = SynchronizeOnDrop(device);
    // SAFETY: the columns are lent for the call that asks for the batch. It holds `waits`, which waits for the
    // kernel, or it has waited itself.
    let views = [gone.src, gone.dst, new.src, new.dst].map(|column| unsafe { column.words() });
    let weights = new.weight.filter(|_| W::IS_WEIGHTED);
    // SAFETY: as above.
    let weights = weights.map_or_else(Lent::nothing, |weights| unsafe { weights.words() });
    let [gone_src, gone_dst, src, dst] = views;
    zip_updates::launch(
        device,
        lanes,
        gone_src,
        gone_dst,
        src,
        dst,
        weights,
        gone.steps(),
        new.steps(),
        gone.signs(),
        new.signs(),
        &mut edges,
        &mut deletes,
        found,
    )?;
    let batch = match (gone.len(), new.len()) {
        (0, _) => DeviceBatch::insertions(edges),
        (_, 0) => DeviceBatch::deletions(edges),
        _ => DeviceBatch::mixed(edges, deletes)?,
    };
    Ok((batch, waits))
}

/// The refusal of an edge with an end that is no `u32`.
pub(crate) fn refused_on_gpu(place: usize) -> Failure {
    Failure::value(format!(
        "the edge at place {place} has an end that is no vertex: those are from 0 to 2^32 - 2"
    ))
}
