//! Says aloud when a test cannot run here, and fails it where it must run.

use std::io::Write;
use std::sync::Arc;

use super::driver::{Context, device_count};
use super::nvrtc;

/// Whether NVRTC is here. Panics when it is not and `MEERKAT_REQUIRE_NVRTC` is 1.
pub(super) fn nvrtc_is_present() -> bool {
    let problem = nvrtc::version().err().map(|error| error.to_string());
    runs("NVRTC is not present", "MEERKAT_REQUIRE_NVRTC", problem)
}

/// A context on device 0, where there are a device and NVRTC. Panics when there is none and
/// `MEERKAT_REQUIRE_CUDA` is 1.
pub(crate) fn context() -> Option<Arc<Context>> {
    let problem = match device_count() {
        Ok(0) => Some("the driver shows no device".to_owned()),
        Ok(_) => nvrtc::version().err().map(|error| error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    runs("no CUDA device", "MEERKAT_REQUIRE_CUDA", problem)
        .then(|| Context::new(0).expect("device 0 gives a context"))
}

fn runs(skipped: &str, required: &str, problem: Option<String>) -> bool {
    let Some(problem) = problem else { return true };
    assert!(std::env::var_os(required).is_none_or(|v| v != "1"), "{required}=1, but {problem}");
    say_skipped(skipped);
    false
}

/// Says that the test of this thread does not run, and why.
pub(super) fn say_skipped(why: &str) {
    // Not `eprintln!`: the test harness would hide it.
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why} ({test})");
}
