//! The devices that tests run on.

use meerkat::runtime::Device;

use super::skipped_unless;

/// The first CUDA device, if there is one. Without one the test says so, and
/// fails where `MEERKAT_REQUIRE_CUDA` is 1.
pub fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(error) => {
            skipped_unless("MEERKAT_REQUIRE_CUDA", &error.to_string());
            None
        }
    }
}

/// How a log calls a device.
pub fn label(device: &Device) -> String {
    format!("{} ({})", device.name(), device.description())
}
