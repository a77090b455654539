//! NVRTC, the vendor's own compiler, accepts every kernel for every
//! generation of GPUs that is supported. It needs no GPU.

use crate::constructs::kernels;
use meerkat::testing::assert_all_compile;

#[test]
fn every_built_in_kernel_compiles_for_each_generation_of_gpus() {
    let kernels = meerkat::algos::kernels();
    assert!(!kernels.is_empty());
    assert_all_compile(&kernels);
}

#[test]
fn every_construct_compiles_for_each_generation_of_gpus() {
    let kernels = kernels::all();
    assert!(kernels.len() > 100, "{} kernels", kernels.len());
    assert_all_compile(&kernels);
}
