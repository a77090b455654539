//! DLPack: a tensor handed to another library, which gives it back when it is done.
#![allow(unsafe_code)] // A C structure and its deleter; each block says why.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::array::{Array, Kind, Memory};

const NAME: &CStr = c"dltensor";

const CPU: i32 = 1;
const CUDA: i32 = 2;

#[repr(C)]
struct DlDevice {
    kind: i32,
    ordinal: i32,
}

#[repr(C)]
struct DlDataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: DlDevice,
    dimensions: i32,
    data_type: DlDataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor` of `dlpack.h`.
#[repr(C)]
struct DlManagedTensor {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DlManagedTensor)>,
}

/// What is handed out, with all that it points to. The tensor is the first field, so a pointer to it is
/// one to this.
#[repr(C)]
struct HandedOut {
    managed: DlManagedTensor,
    shape: [i64; 1],
    strides: [i64; 1],
    _memory: Arc<dyn Memory>,
}

/// A device as DLPack names it.
pub(crate) fn device(ordinal: Option<i32>) -> (i32, i32) {
    ordinal.map_or((CPU, 0), |ordinal| (CUDA, ordinal))
}

fn data_type(kind: Kind) -> DlDataType {
    let code = match kind {
        Kind::I32 | Kind::I64 => 0,
        Kind::U32 | Kind::U64 => 1,
        Kind::F32 | Kind::F64 => 2,
        Kind::Bool => 6,
    };
    DlDataType { code, bits: 8 * kind.size() as u8, lanes: 1 }
}

/// A capsule with the array, whose memory lives until whoever takes it gives it back.
pub(crate) fn capsule<'py>(py: Python<'py>, array: &Array) -> PyResult<Bound<'py, PyCapsule>> {
    let (kind, ordinal) = device(array.ordinal());
    let tensor = DlTensor {
        data: array.address() as usize as *mut c_void,
        device: DlDevice { kind, ordinal },
        dimensions: 1,
        data_type: data_type(array.kind()),
        shape: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
    };
    let mut handed_out = Box::new(HandedOut {
        managed: DlManagedTensor { tensor, context: std::ptr::null_mut(), deleter: Some(delete) },
        shape: [array.length() as i64],
        strides: [array.step() as i64],
        _memory: Arc::clone(array.memory()),
    });
    handed_out.managed.tensor.shape = handed_out.shape.as_mut_ptr();
    handed_out.managed.tensor.strides = handed_out.strides.as_mut_ptr();
    let pointer = NonNull::from(Box::leak(handed_out)).cast::<c_void>();
    // SAFETY: the pointer is to a `DLManagedTensor` that lives until its deleter is called, which the
    // destructor does unless somebody has taken the tensor and renamed the capsule.
    unsafe { PyCapsule::new_with_pointer_and_destructor(py, pointer, NAME, Some(destroy)) }
}

/// Frees what was handed out.
unsafe extern "C" fn delete(managed: *mut DlManagedTensor) {
    // SAFETY: `capsule` made it of a box of `HandedOut`, whose first field this is, and a deleter is
    // called once.
    drop(unsafe { Box::from_raw(managed.cast::<HandedOut>()) });
}

/// Called when the capsule goes: a tensor that nobody took is freed.
unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this with the capsule and its lock.
    let is_untaken = unsafe { ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) } == 1;
    if !is_untaken {
        return;
    }
    // SAFETY: it has this name, so it has the pointer.
    let managed = unsafe { ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()) };
    // SAFETY: nobody has taken it, so nobody else calls the deleter.
    unsafe { delete(managed.cast()) };
}
