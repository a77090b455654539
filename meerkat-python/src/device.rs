//! Devices by name: one for each GPU of the process, so that graphs share its memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use meerkat_runtime::{Device, Error};
use pyo3::prelude::*;

use crate::error::Failure;
use crate::work;

/// The device that somebody calls `name`: `auto`, `cpu`, `cuda` or `cuda:N`.
pub(crate) fn open(py: Python<'_>, name: &str) -> Result<Device, Failure> {
    work::check()?;
    let ordinal = match name {
        "cpu" => return Ok(cpu()),
        "auto" => {
            let cuda = py.detach(|| cuda(0));
            return Ok(cuda.unwrap_or_else(|_| cpu()));
        }
        "cuda" => Some(0),
        _ => name.strip_prefix("cuda:").and_then(|ordinal| ordinal.parse().ok()),
    };
    let Some(ordinal) = ordinal else {
        let message = format!("there is no device '{name}'; say 'auto', 'cpu', 'cuda' or 'cuda:1'");
        return Err(Failure::value(message));
    };
    Ok(py.detach(|| cuda(ordinal))?)
}

fn cpu() -> Device {
    Device::cpu().with_interrupt(&work::interrupt())
}

/// A GPU, opened once.
fn cuda(ordinal: usize) -> Result<Device, Error> {
    static OPEN: Mutex<BTreeMap<usize, Device>> = Mutex::new(BTreeMap::new());
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = open.get(&ordinal) {
        return Ok(device.clone());
    }
    let device = Device::cuda(ordinal)?.with_interrupt(&work::interrupt());
    open.insert(ordinal, device.clone());
    Ok(device)
}

/// The name of a device, and what it is.
type Described = (String, String);

/// The devices there are, with what they are, and why there is no GPU if there is none.
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> Result<(Vec<Described>, Option<String>), Failure> {
    work::check()?;
    Ok(py.detach(|| {
        let cpu = cpu();
        let mut found = vec![(cpu.name(), cpu.description())];
        for ordinal in 0.. {
            // Not kept open: a context takes memory of its GPU.
            match Device::cuda(ordinal) {
                Ok(device) => found.push((device.name(), device.description())),
                Err(why) => return (found, (ordinal == 0).then(|| why.to_string())),
            }
        }
        (found, None)
    }))
}
