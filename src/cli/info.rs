//! `meerkat info`: what this machine offers, and why not the rest.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use meerkat::runtime::Device;
use meerkat::runtime::cuda::{self, Availability, CubinCache, nvrtc};
use serde::Serialize;

use super::args::ReportFormat;
use super::bundle::Named;
use super::output::{self, Report};

/// Gives the report of this machine. Finding nothing is no failure.
pub(super) fn run(json: bool) -> String {
    let info = InfoReport::gather();
    let text = info.to_string();
    let format = if json { ReportFormat::Json } else { ReportFormat::Text };
    output::render(&Report::new("info", info), &text, format)
}

#[derive(Debug, Serialize)]
struct InfoReport {
    version: &'static str,
    devices: Vec<DeviceEntry>,
    driver: Part,
    nvrtc: Part,
    /// What NVRTC compiles for, such as `sm_90`.
    architectures: Vec<String>,
    cache: Cache,
    /// The one that `MEERKAT_BUNDLE` names.
    bundle: Option<Named>,
}

/// A device: a description, or the problem with it.
#[derive(Debug, Serialize)]
struct DeviceEntry {
    name: String,
    description: Option<String>,
    problem: Option<String>,
}

/// A library: its CUDA version, or the problem with it.
#[derive(Debug, Serialize)]
struct Part {
    version: Option<String>,
    problem: Option<String>,
}

/// The cache of compiled kernels; without a folder it keeps nothing.
#[derive(Debug, Serialize)]
struct Cache {
    folder: Option<PathBuf>,
    entries: u64,
    bytes: u64,
    /// The most that it may hold.
    limit: u64,
    problem: Option<String>,
}

impl InfoReport {
    fn gather() -> Self {
        let Availability { driver, nvrtc } = cuda::probe();
        let cuda_devices = driver.as_ref().map_or(0, |driver| driver.devices);
        Self {
            version: env!("CARGO_PKG_VERSION"),
            devices: devices(cuda_devices),
            driver: Part::new(driver.map(|driver| driver.version)),
            nvrtc: Part::new(nvrtc),
            architectures: architectures(),
            cache: Cache::measure(CubinCache::from_env()),
            bundle: Named::by_environment(),
        }
    }
}

fn devices(cuda_devices: usize) -> Vec<DeviceEntry> {
    let cpu = Device::cpu();
    let mut devices =
        vec![DeviceEntry { name: cpu.name(), description: Some(cpu.description()), problem: None }];
    devices.extend((0..cuda_devices).map(|ordinal| {
        let name = format!("cuda:{ordinal}");
        match Device::cuda(ordinal) {
            Ok(device) => {
                DeviceEntry { name, description: Some(device.description()), problem: None }
            }
            Err(error) => DeviceEntry { name, description: None, problem: Some(error.to_string()) },
        }
    }));
    devices
}

fn architectures() -> Vec<String> {
    nvrtc::supported_archs()
        .map(|archs| archs.iter().map(ToString::to_string).collect())
        .unwrap_or_default()
}

impl Part {
    fn new(version: Result<(i32, i32), cuda::CudaError>) -> Self {
        match version {
            Ok((major, minor)) => Self { version: Some(format!("{major}.{minor}")), problem: None },
            Err(error) => Self { version: None, problem: Some(error.to_string()) },
        }
    }
}

impl Cache {
    fn measure(cache: Result<CubinCache, cuda::CudaError>) -> Self {
        let problem = cache.as_ref().err().map(ToString::to_string);
        let cache = cache.unwrap_or_else(|_| CubinCache::disabled());
        let (folder, limit) = (cache.directory(), cache.limit());
        let mut cache =
            Self { folder: folder.map(Path::to_owned), entries: 0, bytes: 0, limit, problem };
        // A folder that is not there yet is an empty cache.
        let files = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
        for file in files.flatten() {
            if file.path().extension().is_some_and(|ending| ending == "cubin") {
                cache.entries += 1;
                cache.bytes += file.metadata().map_or(0, |metadata| metadata.len());
            }
        }
        cache
    }
}

impl fmt::Display for InfoReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "meerkat {}", self.version)?;
        writeln!(f, "\ndevices")?;
        for DeviceEntry { name, description, problem } in &self.devices {
            row(f, name, description.as_ref().or(problem.as_ref()))?;
        }
        writeln!(f, "\nCUDA")?;
        let driver = self.driver.version.as_ref().map(|version| format!("for CUDA {version}"));
        row(f, "driver", driver.as_ref().or(self.driver.problem.as_ref()))?;
        let compiler = self.nvrtc.version.as_ref().map(|version| match &self.architectures[..] {
            [first, .., last] => format!("{version}, compiles for {first} to {last}"),
            _ => version.clone(),
        });
        row(f, "NVRTC", compiler.as_ref().or(self.nvrtc.problem.as_ref()))?;
        writeln!(f, "\ncache of compiled kernels")?;
        match (&self.cache.problem, &self.cache.folder) {
            (Some(problem), _) => row(f, "problem", Some(problem))?,
            (None, Some(folder)) => row(f, "folder", Some(&folder.display().to_string()))?,
            (None, None) => {
                row(f, "folder", Some(&"none: set MEERKAT_CACHE_DIR or HOME".to_owned()))?
            }
        }
        let Cache { entries, bytes, limit, .. } = self.cache;
        let (kib, most) = (bytes.div_ceil(1024), limit >> 10);
        row(f, "holds", Some(&format!("{entries} entries, {kib} of at most {most} KiB")))?;
        let Some(bundle) = &self.bundle else { return Ok(()) };
        writeln!(f, "\nbundle of compiled kernels")?;
        row(f, "file", Some(&bundle.file()))?;
        row(f, "holds", bundle.description.as_ref().or(bundle.problem.as_ref()))
    }
}

/// A name and what is said of it, further lines indented below.
fn row(f: &mut fmt::Formatter<'_>, name: &str, text: Option<&String>) -> fmt::Result {
    let text = text.map_or("", String::as_str).replace('\n', "\n          ");
    writeln!(f, "  {name:<8}{text}")
}
