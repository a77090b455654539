//! What experiments run, on one graph each: a file for each kind of measurement.

pub(super) mod components;
pub(super) mod growth;
pub(super) mod memory;
pub(super) mod ranks;
pub(super) mod reading;
pub(super) mod scratch;
pub(super) mod speedups;
pub(super) mod trusses;
pub(super) mod updates;

use super::lab::Lab;

/// A load factor as it stands on an axis: to hundredths, where `f32` has more digits.
pub(super) fn on_axis(load_factor: f32) -> f64 {
    f64::from((load_factor * 100.0).round()) / 100.0
}

/// How many batches are followed where a paper has so many; of a quick run three.
pub(super) fn batches(lab: &Lab<'_>, full: usize) -> usize {
    if lab.quick { full.min(3) } else { full }
}
