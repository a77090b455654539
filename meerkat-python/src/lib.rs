//! The native part of the Python package of Meerkat, `meerkat._meerkat`.
//!
//! ```text
//! NumPy, Arrow, tensors --columns--> Batch | DeviceBatch --graph--> Tracked --follow--> Answer
//!                                                                                  --array--> tensors
//! ```
//!
//! What users call is written in Python (`python/meerkat/`), over the few classes that are here.
//! Work is done without Python's global lock (`work`), so that other threads run meanwhile.

mod algorithms;
mod answer;
mod array;
mod arrow;
mod columns;
mod device;
mod dlpack;
mod error;
mod files;
mod follow;
mod graph;
mod kernels;
mod question;
mod sampling;
mod subgraph;
mod work;

use pyo3::prelude::*;

/// The module that Python imports.
#[pymodule]
fn _meerkat(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<array::Array>()?;
    module.add_class::<arrow::Table>()?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<graph::Tracked>()?;
    module.add_function(wrap_pyfunction!(arrow::import_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(algorithms::algorithms, module)?)?;
    module.add_function(wrap_pyfunction!(device::devices, module)?)?;
    module.add_function(wrap_pyfunction!(files::read_file, module)?)?;
    module.add_function(wrap_pyfunction!(work::check_thread, module)?)?;
    module.add_function(wrap_pyfunction!(work::forked, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::nvrtc_version, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::check_kernels, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
