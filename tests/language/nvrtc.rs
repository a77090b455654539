//! NVRTC, the vendor's own compiler, accepts every kernel, for the oldest and the newest
//! generation of GPUs and for those between in turn. It needs no GPU.

use crate::constructs::kernels;
use meerkat::testing::assert_all_compile;

#[test]
fn every_built_in_kernel_compiles_for_old_and_new_gpus() {
    let kernels = meerkat::algos::kernels();
    assert!(!kernels.is_empty());
    assert_all_compile(&kernels);
}

#[test]
fn every_construct_compiles_for_old_and_new_gpus() {
    let kernels = kernels::all();
    assert!(kernels.len() > 100, "{} kernels", kernels.len());
    assert_all_compile(&kernels);
}
