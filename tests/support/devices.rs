//! The devices that tests run on.

use meerkat::runtime::{Device, Tuning};

use super::skipped_unless;

/// The first CUDA device, if there is one. Without one the test says so, and
/// fails where `MEERKAT_REQUIRE_CUDA` is 1.
pub fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        // Tests say what happens at the usual thresholds.
        Ok(device) => Some(device.with_tuning(Tuning::DEFAULT)),
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

/// Every device that tests run kernels on: the CPU, and the first CUDA device; that
/// alone, if there is one, where `MEERKAT_TEST_DEVICES` is `cuda`.
pub fn devices() -> Vec<Device> {
    static CUDA: std::sync::OnceLock<Option<Device>> = std::sync::OnceLock::new();
    let cuda = CUDA.get_or_init(cuda).clone();
    let is_left_out = std::env::var("MEERKAT_TEST_DEVICES").is_ok_and(|which| which == "cuda");
    let cpu = (cuda.is_none() || !is_left_out).then(Device::cpu);
    cpu.into_iter().chain(cuda).collect()
}

/// The same, CUDA with a stream that is the caller's alone: a test then does not wait for
/// what those that run beside it have launched.
pub fn own_devices() -> Vec<Device> {
    let own = |device: Device| if device.is_cuda() { cuda().unwrap_or(device) } else { device };
    devices().into_iter().map(own).collect()
}
