//! Graph algorithms written in the Meerkat language: operators and a short host
//! loop, one file each or a folder where the dynamic form has a file of its own.

pub mod bfs;
pub mod catalog;
#[cfg(feature = "shared-instances")]
#[doc(hidden)]
pub mod instances;
mod out_edges;
pub mod pagerank;
mod simple;
pub mod spmv;
pub mod sssp;
mod stamps;
pub mod tree;
pub mod triangles;
pub mod truss;
pub mod wcc;

use meerkat_runtime::program::KernelInfo;
use std::collections::HashSet;

/// Every built-in kernel, those of the run time included.
pub fn kernels() -> Vec<KernelInfo> {
    let mut kernels = meerkat_runtime::kernels();
    kernels.extend(bfs::kernels());
    kernels.extend(tree::kernels());
    kernels.extend(sssp::kernels());
    kernels.extend(pagerank::kernels());
    kernels.extend(spmv::kernels());
    kernels.extend(simple::kernels());
    kernels.extend(out_edges::kernels());
    kernels.extend(triangles::kernels());
    kernels.extend(truss::kernels());
    kernels.extend(wcc::kernels());
    // A schedule that does not fit an operator shows the warp's again.
    let mut names = HashSet::new();
    kernels.retain(|kernel| names.insert((kernel.module().to_owned(), kernel.name().to_owned())));
    kernels
}
