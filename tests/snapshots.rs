//! The CUDA text of every built-in kernel and of the constructs that teach
//! most, as code to review. Bless with `INSTA_UPDATE=always`, never edit.

#[path = "constructs/kernels/mod.rs"]
mod constructs;
mod support;

use constructs::{
    accumulations, atomics, blocks, branches, functions, loops, names, operators, schedules,
    structs, tuples, warp,
};
use meerkat::prelude::Schedule;
use meerkat::runtime::program::KernelInfo;

/// One snapshot a kernel, named `PREFIX_MODULE_KERNEL`, the prelude left out.
#[track_caller]
fn check(prefix: &str, kernels: &[KernelInfo]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(support::root().join("tests/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for kernel in kernels {
            let name = format!("{prefix}_{}_{}", module(kernel), kernel.name());
            insta::assert_snapshot!(name, kernel.cuda_body());
        }
    });
}

/// The last part of the module's path; of an algorithm's folder, the algorithm.
fn module(kernel: &KernelInfo) -> &str {
    let path = kernel.module();
    match path.strip_prefix("meerkat_algos::") {
        Some(path) => path.split("::").next().unwrap_or_default(),
        None => path.rsplit("::").next().unwrap_or_default(),
    }
}

#[test]
fn cuda_of_every_built_in_kernel_is_as_reviewed() {
    check("built_in", &meerkat::algos::kernels());
}

#[test]
fn cuda_of_30_constructs_is_as_reviewed() {
    let kernels = [
        accumulations::sums::info(),
        accumulations::extremes::info::<f32>(),
        accumulations::two_walks::info(),
        accumulations::busy_closure::info(),
        operators::broadcasts::info(),
        operators::own_item::info(),
        operators::extend::info(),
        operators::filter::info(),
        branches::short_circuits::info(),
        branches::values::info(),
        loops::ranges::info(),
        loops::parted_labels::info(),
        functions::returns::info(),
        functions::uniforms::info(),
        functions::weights::info::<f32>(),
        names::shadowing::info(),
        names::keywords::info(),
        structs::fields::info(),
        atomics::wide::shared::info(),
        warp::work_list::info(),
        blocks::histogram::info(),
        blocks::summaries::info(),
        tuples::methods::info(),
        tuples::tuples::info(),
        tuples::taken_apart::info(),
        schedules::buckets::info(),
        schedules::repeated::info_with(Schedule::Block),
        schedules::repeated::info_with(Schedule::Hybrid),
        schedules::gather::info_with(Schedule::SlabList),
        warp::vouched::info(),
    ];
    check("construct", &kernels);
}
