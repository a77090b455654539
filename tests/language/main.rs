//! The language: what operators compute on each device, what CUDA they become, and what the
//! fuzzer found.

mod accepted;
mod constructs;
mod edge_sets;
mod fuzz_regressions;
mod nvrtc;
mod snapshots;
#[path = "../support/mod.rs"]
mod support;
mod weak_memory;
mod weak_publication;
