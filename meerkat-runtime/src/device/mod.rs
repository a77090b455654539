//! Where kernels run, and the memory they run on.

mod buffer;
mod cuda_device;
mod memory;

use crate::Error;
use crate::cuda;
pub use buffer::DeviceBuffer;
pub(crate) use cuda_device::CudaDevice;
use std::sync::Arc;

/// The CPU, or one CUDA device with a stream and its compiled kernels. Copies
/// are the same device.
#[derive(Clone, Debug)]
pub struct Device(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Cpu,
    Cuda(Arc<CudaDevice>),
}

impl Device {
    /// The first CUDA device if it and NVRTC are there, else the CPU.
    pub fn auto() -> Device {
        if cuda::probe().is_usable() {
            Device::cuda(0).unwrap_or_else(|_| Device::cpu())
        } else {
            Device::cpu()
        }
    }

    /// The CPU back end: 32-lane warps in lock step, on all cores.
    pub fn cpu() -> Device {
        Device(Kind::Cpu)
    }

    /// CUDA device `ordinal`, from 0.
    ///
    /// # Errors
    /// No driver, no NVRTC, no such device.
    pub fn cuda(ordinal: usize) -> Result<Device, Error> {
        cuda::nvrtc::version()?;
        Ok(Device(Kind::Cuda(Arc::new(CudaDevice::new(ordinal)?))))
    }

    /// Whether kernels run as CUDA.
    pub fn is_cuda(&self) -> bool {
        matches!(self.0, Kind::Cuda(_))
    }

    /// `cpu` or `cuda:0`.
    pub fn name(&self) -> String {
        match &self.0 {
            Kind::Cpu => "cpu".to_owned(),
            Kind::Cuda(cuda) => format!("cuda:{}", cuda.context().ordinal()),
        }
    }

    /// What it is, for people: `2 threads`, or `NVIDIA H200, sm_90`.
    pub fn description(&self) -> String {
        match &self.0 {
            Kind::Cpu => match rayon::current_num_threads() {
                1 => "1 thread".to_owned(),
                threads => format!("{threads} threads"),
            },
            Kind::Cuda(cuda) => format!("{}, {}", cuda.context().name(), cuda.context().arch()),
        }
    }

    /// Waits for all launches; the CPU back end has none outstanding.
    ///
    /// # Errors
    /// A launch since the last wait failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        match &self.0 {
            Kind::Cpu => Ok(()),
            Kind::Cuda(cuda) => Ok(cuda.context().synchronize()?),
        }
    }

    /// Milliseconds spent so far in compiling and loading kernels.
    pub fn compile_ms(&self) -> f64 {
        match &self.0 {
            Kind::Cpu => 0.0,
            Kind::Cuda(cuda) => cuda.compile_ms(),
        }
    }

    pub(crate) fn cuda_device(&self) -> Option<&Arc<CudaDevice>> {
        match &self.0 {
            Kind::Cpu => None,
            Kind::Cuda(cuda) => Some(cuda),
        }
    }

    /// Whether memory of one can be used on the other.
    pub(crate) fn is_same(&self, other: &Device) -> bool {
        match (&self.0, &other.0) {
            (Kind::Cpu, Kind::Cpu) => true,
            (Kind::Cuda(a), Kind::Cuda(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}
