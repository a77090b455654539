//! Allocations that grow in place: a range of addresses is reserved, and memory is mapped to
//! its front as it is needed (CUDA's virtual memory management). Addresses stay valid, nothing
//! is copied, and kernels in flight notice nothing.

use std::ffi::c_int;
use std::sync::Arc;

use cudarc::driver::sys;

use super::super::{Context, check};
use super::{CudaError, Memory};

/// The reserved addresses of an allocation, and what is mapped there.
#[derive(Debug)]
pub(super) struct Mapping {
    address: sys::CUdeviceptr,
    reserved: usize,
    /// The bytes mapped so far, from the front: a handle and a size each.
    chunks: Vec<(sys::CUmemGenericAllocationHandle, usize)>,
    granularity: usize,
}

impl Mapping {
    /// Reserves addresses for the whole memory of the device.
    fn reserve(context: &Context) -> Result<Mapping, CudaError> {
        let granularity = granularity(context)?;
        let reserved = context.total_memory().next_multiple_of(granularity);
        let mut address = 0;
        // SAFETY: the context is current, since `granularity` bound it; the size is a
        // multiple of the granularity, and the pointer is to a live address.
        let code = unsafe { sys::cuMemAddressReserve(&mut address, reserved, 0, 0, 0) };
        check("cuMemAddressReserve", code)?;
        Ok(Mapping { address, reserved, chunks: Vec::new(), granularity })
    }

    fn mapped(&self) -> usize {
        self.chunks.iter().map(|(_, size)| size).sum()
    }

    /// Maps memory until `len` bytes are there.
    fn extend(&mut self, context: &Context, len: usize) -> Result<(), CudaError> {
        let mapped = self.mapped();
        if len <= mapped {
            return Ok(());
        }
        let size = (len - mapped).next_multiple_of(self.granularity);
        if mapped + size > self.reserved {
            return Err(context.out_of_memory(size));
        }
        let properties = properties(context);
        let handle = context.take_or_reclaim(size, || {
            let mut handle = 0;
            // SAFETY: the context is current, the size is a multiple of the granularity, and
            // both pointers are to live values.
            let code = unsafe { sys::cuMemCreate(&mut handle, size, &properties, 0) };
            if code == sys::CUresult::CUDA_SUCCESS {
                Ok(handle)
            } else {
                Err(("cuMemCreate", code))
            }
        })?;
        let address = self.address + mapped as u64;
        // SAFETY: the range is reserved, inside as checked above, and not mapped yet; the
        // handle was just made with this size.
        let code = unsafe { sys::cuMemMap(address, size, 0, handle, 0) };
        if let Err(error) = check("cuMemMap", code) {
            // SAFETY: the handle was made above and is mapped nowhere. A failure leaks it.
            unsafe { sys::cuMemRelease(handle) };
            return Err(error);
        }
        // From here on dropping unmaps and releases it.
        self.chunks.push((handle, size));
        let access = sys::CUmemAccessDesc {
            location: properties.location,
            flags: sys::CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        // SAFETY: the range was mapped above; the pointer is to one live description.
        let code = unsafe { sys::cuMemSetAccess(address, size, &access, 1) };
        check("cuMemSetAccess", code).inspect_err(|_| {
            // What nobody may read is not there. (Once it counted, and the next growth used it.)
            self.chunks.pop();
            // SAFETY: exactly this range was mapped above; nobody has used it.
            unsafe { sys::cuMemUnmap(address, size) };
            // SAFETY: the handle was made above and is mapped nowhere any more.
            unsafe { sys::cuMemRelease(handle) };
        })
    }

    /// Gives everything back. The stream is idle and the context current.
    pub(super) fn release(&mut self) {
        let mut address = self.address;
        for (handle, size) in self.chunks.drain(..) {
            // SAFETY: exactly this range was mapped, once; nobody uses it any more. A failure
            // here or below means that the context is lost, and its memory with it.
            unsafe { sys::cuMemUnmap(address, size) };
            // SAFETY: the handle was made by `cuMemCreate` and is mapped nowhere any more.
            unsafe { sys::cuMemRelease(handle) };
            address += size as u64;
        }
        // SAFETY: exactly this range was reserved, and nothing is mapped there.
        unsafe { sys::cuMemAddressFree(self.address, self.reserved) };
    }
}

impl Memory {
    /// Grows in place to `len` bytes; what is new has unspecified contents. Returns whether it
    /// could: an allocation of [`Context::allocate`] cannot, and stays as it is.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`], or [`CudaError::Driver`]; the allocation is as it was.
    pub fn grow(&mut self, len: usize) -> Result<bool, CudaError> {
        let Some(mapping) = &mut self.mapping else { return Ok(false) };
        mapping.extend(&self.context, len)?;
        self.len = self.len.max(len);
        Ok(true)
    }
}

impl Context {
    /// Allocates `bytes` bytes that can [`grow`](Memory::grow) in place where the device has
    /// virtual memory management, and as [`allocate`](Self::allocate) does elsewhere. It
    /// reserves as many addresses as the device has memory, and takes memory in units of
    /// about 2 MiB.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`], or [`CudaError::Driver`].
    pub fn allocate_growable(self: &Arc<Self>, bytes: usize) -> Result<Memory, CudaError> {
        let Ok(mapping) = Mapping::reserve(self) else { return self.allocate(bytes) };
        let (context, address) = (Arc::clone(self), mapping.address);
        let mut memory = Memory { context, address, len: 0, mapping: Some(mapping) };
        // At least one unit, so that a driver without such memory is found out here.
        match memory.grow(bytes.max(1)) {
            Ok(_) => {
                memory.len = bytes;
                Ok(memory)
            }
            Err(error @ CudaError::OutOfMemory { .. }) => Err(error),
            Err(_) => self.allocate(bytes),
        }
    }
}

fn properties(context: &Context) -> sys::CUmemAllocationProp {
    sys::CUmemAllocationProp {
        type_: sys::CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: sys::CUmemAllocationHandleType_enum(0),
        location: sys::CUmemLocation {
            type_: sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE,
            id: context.ordinal() as c_int,
        },
        win32HandleMetaData: std::ptr::null_mut(),
        allocFlags: sys::CUmemAllocationProp_st__bindgen_ty_1 {
            compressionType: 0,
            gpuDirectRDMACapable: 0,
            usage: 0,
            reserved: [0; 4],
        },
    }
}

fn granularity(context: &Context) -> Result<usize, CudaError> {
    context.bind()?;
    let (mut granularity, properties) = (0, properties(context));
    let recommended =
        sys::CUmemAllocationGranularity_flags_enum::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
    // SAFETY: the context is current; both pointers are to live values.
    let code =
        unsafe { sys::cuMemGetAllocationGranularity(&mut granularity, &properties, recommended) };
    check("cuMemGetAllocationGranularity", code)?;
    Ok(granularity.max(1))
}
