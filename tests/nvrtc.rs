//! NVRTC, the vendor's own compiler, accepts every kernel for every
//! architecture that is supported. It needs no GPU.

#[path = "support/compile.rs"]
mod compile;
#[path = "constructs/kernels/mod.rs"]
mod constructs;
mod support;

use compile::compile_all;

#[test]
fn every_built_in_kernel_compiles_for_4_architectures() {
    let kernels = meerkat::algos::kernels();
    assert!(!kernels.is_empty());
    compile_all(&kernels);
}

#[test]
fn every_construct_compiles_for_4_architectures() {
    let kernels = constructs::all();
    assert!(kernels.len() > 100, "{} kernels", kernels.len());
    compile_all(&kernels);
}
