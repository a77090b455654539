//! Columns of edges in memory of other libraries: read where they are, on the host or on a GPU.
#![allow(unsafe_code)] // Pointers from array interfaces; each block says why.

use meerkat_runtime::{Device, DeviceBatch, DeviceBuffer, DeviceSlice, Edge, Error, Weight};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::array::Kind;
use crate::error::Failure;
use crate::graph::Weighted;
use crate::kernels::{LARGEST, REFUSED, zip_updates};

/// One dimension of numbers in memory of another library, which lends it for a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    address: u64,
    length: usize,
    /// Bytes from one number to the next.
    stride: isize,
    kind: Kind,
    is_on_gpu: bool,
}

impl<'py> FromPyObject<'_, 'py> for Column {
    type Error = PyErr;

    /// The column of an object that has `__array_interface__` or `__cuda_array_interface__`.
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
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
        Ok(Column { address, length, stride, kind, is_on_gpu })
    }
}

impl Column {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn is_on_gpu(&self) -> bool {
        self.is_on_gpu
    }

    fn is_contiguous(&self) -> bool {
        self.length <= 1 || self.stride == self.kind.size() as isize
    }

    /// A number of the column, which is in host memory.
    fn read<T: Copy>(&self, place: usize) -> T {
        debug_assert!(!self.is_on_gpu && place < self.length && size_of::<T>() == self.kind.size());
        let first = self.address as usize as *const u8;
        // SAFETY: the library that lends the column says that its memory reaches from the first number
        // over all of them, a stride apart.
        let at = unsafe { first.offset(place as isize * self.stride) };
        // SAFETY: a number of this size is there, perhaps not aligned; any bytes are one. The object
        // that owns the memory is held by the caller; who writes to it meanwhile gets either number.
        unsafe { at.cast::<T>().read_unaligned() }
    }

    /// The vertex at a place, if it is one.
    fn vertex(&self, place: usize) -> Result<u32, i128> {
        let wide = |number: i128| u32::try_from(number).map_err(|_| number);
        match self.kind {
            Kind::U32 => Ok(self.read(place)),
            Kind::I32 => wide(self.read::<i32>(place).into()),
            Kind::I64 => wide(self.read::<i64>(place).into()),
            Kind::U64 => wide(self.read::<u64>(place).into()),
            Kind::Bool | Kind::F32 | Kind::F64 => Err(-1),
        }
    }

    fn check_vertices(&self, name: &str) -> Result<(), Failure> {
        match self.kind {
            Kind::U32 | Kind::I32 | Kind::I64 | Kind::U64 => Ok(()),
            Kind::Bool | Kind::F32 | Kind::F64 => {
                let typestr = self.kind.typestr();
                Err(Failure::kind(format!(
                    "`{name}` has vertices, and not numbers of type '{typestr}'"
                )))
            }
        }
    }

    /// The vertices of a column in host memory.
    pub(crate) fn vertices(&self, name: &str) -> Result<Vec<u32>, Failure> {
        self.check_vertices(name)?;
        if self.is_on_gpu {
            return Err(Failure::kind(format!("`{name}` is to be in host memory")));
        }
        let all = (0..self.length)
            .into_par_iter()
            .map(|place| self.vertex(place).map_err(|n| (place, n)));
        all.collect::<Result<Vec<u32>, _>>()
            .map_err(|(place, number)| no_vertex(name, place, number))
    }

    /// The numbers of a column in host memory, as floats.
    pub(crate) fn floats(&self, name: &str) -> Result<Vec<f64>, Failure> {
        if self.is_on_gpu || self.kind != Kind::F64 {
            return Err(Failure::kind(format!(
                "`{name}` is to have numbers of type '<f8', in host memory"
            )));
        }
        Ok((0..self.length).map(|place| self.read(place)).collect())
    }

    /// Weights of edges in host memory, as they are.
    pub(crate) fn weights<W: Weighted>(&self) -> Vec<W> {
        (0..self.length)
            .into_par_iter()
            .map(|place| W::from_bits(self.read::<u32>(place)))
            .collect()
    }

    /// How many words a number is.
    fn step(&self) -> u32 {
        (self.kind.size() / 4) as u32
    }

    fn is_signed(&self) -> bool {
        self.kind == Kind::I32
    }

    /// A kernel's view of the words of a column on the GPU of a launch.
    ///
    /// # Safety
    /// What is launched with it is done before the call ends that was lent the column.
    unsafe fn words(&self) -> DeviceSlice<u32> {
        let words = self.length * self.step() as usize;
        // SAFETY: the library that lends the column says that so many contiguous numbers are there, and
        // any bytes are words; the caller promises the rest.
        unsafe { DeviceSlice::foreign(self.address, words) }
    }
}

/// Words of a column for a kernel: where they are, if that is the GPU of the launch, or a copy there.
pub(crate) struct Lent {
    view: DeviceSlice<u32>,
    length: usize,
    _copy: Option<DeviceBuffer<u32>>,
}

impl Lent {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The kernel's view, for a launch that is waited for before this goes.
    pub(crate) fn view(&self) -> DeviceSlice<u32> {
        self.view
    }

    /// A view of nothing.
    pub(crate) fn nothing() -> DeviceSlice<u32> {
        // SAFETY: there are no elements.
        unsafe { DeviceSlice::foreign(0, 0) }
    }
}

impl Column {
    /// The numbers of a column as words for a kernel.
    pub(crate) fn lent(&self, device: &Device, name: &str) -> Result<Lent, Failure> {
        if !(self.is_on_gpu && device.is_cuda()) {
            let copy = DeviceBuffer::from_slice(device, &self.vertices(name)?)?;
            // SAFETY: the copy has so many words, and lives as long as the view is lent.
            let view = unsafe { DeviceSlice::foreign(copy.address(), copy.len()) };
            return Ok(Lent { view, length: self.length, _copy: Some(copy) });
        }
        if self.step() != 1 || !self.is_contiguous() || !self.address.is_multiple_of(4) {
            let message = format!("`{name}` on a GPU is to be contiguous, of type int32 or uint32");
            return Err(Failure::kind(message));
        }
        // Who lends the column may still be writing it, on a stream of its own.
        device.synchronize_with_others();
        // SAFETY: it is waited for what is launched with the view while the column is lent.
        Ok(Lent { view: unsafe { self.words() }, length: self.length, _copy: None })
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

    pub(crate) fn len(&self) -> usize {
        self.src.len()
    }

    fn all(&self) -> impl Iterator<Item = Column> {
        [Some(self.src), Some(self.dst), self.weight].into_iter().flatten()
    }

    /// Whether all columns are on a GPU.
    pub(crate) fn is_on_gpu(&self) -> bool {
        self.all().all(|column| column.is_on_gpu())
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
            (Some(kind), Some(weight)) if weight.kind == kind => Ok(()),
            (Some(kind), Some(weight)) => Err(Failure::kind(format!(
                "weights of the graph are of type '{}', and these of '{}'",
                kind.typestr(),
                weight.kind.typestr()
            ))),
        }
    }

    /// The edges, of columns in host memory.
    pub(crate) fn edges<W: Weighted>(&self) -> Result<Vec<Edge<W>>, Failure> {
        let (src, dst) = (self.src.vertices("src")?, self.dst.vertices("dst")?);
        let weights = self.weight.filter(|_| W::IS_WEIGHTED).map(|weight| weight.weights::<W>());
        let edge = |(place, (&src, &dst)): (usize, (&u32, &u32))| {
            let weight = weights.as_ref().map_or(W::ZERO, |weights| weights[place]);
            Edge { src, dst, weight }
        };
        Ok(src.par_iter().zip(&dst).enumerate().map(edge).collect())
    }
}

/// What was found of columns on a GPU.
pub(crate) struct Found<W: Weight> {
    pub(crate) batch: DeviceBatch<W>,
    /// The largest end.
    pub(crate) largest: u32,
    /// The place of the first edge with an end that is no `u32`.
    pub(crate) refused: Option<u32>,
}

/// Deletions, then insertions, as a batch on a GPU on which all columns are. Synchronises, also with
/// what other libraries have queued.
pub(crate) fn batch_on_gpu<W: Weighted>(
    device: &Device,
    gone: Option<&EdgeColumns>,
    new: Option<&EdgeColumns>,
) -> Result<Found<W>, Error> {
    // Who lends the columns may still be writing them, on a stream of its own.
    device.synchronize_with_others();
    let none = DeviceBuffer::<u32>::zeroed(device, 0)?;
    let nothing =
        Column { address: none.address(), length: 0, stride: 4, kind: Kind::U32, is_on_gpu: true };
    let empty = EdgeColumns { src: nothing, dst: nothing, weight: None };
    let (gone, new) = (gone.unwrap_or(&empty), new.unwrap_or(&empty));
    let count = gone.len() + new.len();
    let is_mixed = gone.len() > 0 && new.len() > 0;
    let mut edges = DeviceBuffer::<Edge<W>>::zeroed(device, count)?;
    let mut deletes = DeviceBuffer::<u8>::zeroed(device, if is_mixed { count } else { 0 })?;
    let mut found = DeviceBuffer::<meerkat_runtime::Atomic<u32>>::filled(device, 2, u32::MAX)?;
    found.write(LARGEST as usize, &[0])?;
    let signed = [gone.src, gone.dst, new.src, new.dst].iter().any(Column::is_signed);
    let steps = |columns: &EdgeColumns| [columns.src.step(), columns.dst.step()];
    // SAFETY: `found` is read below, after the kernel, and the columns are lent until then.
    let views = [gone.src, gone.dst, new.src, new.dst].map(|column| unsafe { column.words() });
    let weights = new.weight.filter(|_| W::IS_WEIGHTED).unwrap_or(nothing);
    // SAFETY: as above.
    let weights = unsafe { weights.words() };
    let [gone_src, gone_dst, src, dst] = views;
    zip_updates::launch(
        device,
        count as u32,
        gone_src,
        gone_dst,
        src,
        dst,
        weights,
        steps(gone),
        steps(new),
        u32::from(signed),
        &mut edges,
        &mut deletes,
        &found,
    )?;
    let found = found.to_vec()?;
    let refused = Some(found[REFUSED as usize]).filter(|&place| place != u32::MAX);
    let batch = match (gone.len(), new.len()) {
        (0, _) => DeviceBatch::insertions(edges),
        (_, 0) => DeviceBatch::deletions(edges),
        _ => DeviceBatch::mixed(edges, deletes)?,
    };
    Ok(Found { batch, largest: found[LARGEST as usize], refused })
}

/// Why columns are not taken on a GPU.
pub(crate) fn check_on_gpu(columns: &EdgeColumns) -> Result<(), Failure> {
    for column in columns.all() {
        if !column.is_contiguous() {
            return Err(Failure::value("a column on a GPU is to be contiguous; pass a copy of it"));
        }
        if !column.address.is_multiple_of(4) {
            return Err(Failure::value("a column on a GPU is to be aligned; pass a copy of it"));
        }
    }
    Ok(())
}

/// The refusal of an edge with an end that is no `u32`.
pub(crate) fn refused_on_gpu(place: u32) -> Failure {
    Failure::value(format!(
        "the edge at place {place} has an end that is no vertex: those are from 0 to 2^32 - 2"
    ))
}
