//! NVRTC, the vendor's own compiler, accepts every kernel: as it is for the oldest generation
//! of GPUs, and in the checked mode for the others in turn. It needs no GPU.

use crate::accepted;
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

#[test]
fn every_accepted_program_compiles_for_old_and_new_gpus() {
    assert_all_compile(&accepted::kernels());
}
