//! The device that a command runs on.

use meerkat::runtime::Device;

use super::args::DeviceArg;
use super::failure::Failure;

/// The device that was asked for.
pub(super) fn open(device: DeviceArg) -> Result<Device, Failure> {
    match device {
        DeviceArg::Auto => Ok(Device::auto()),
        DeviceArg::Cpu => Ok(Device::cpu()),
        DeviceArg::Cuda(ordinal) => Device::cuda(ordinal)
            .map_err(|cause| Failure::Device { device: format!("cuda:{ordinal}"), cause }),
    }
}
