//! Programs that the language accepts, as the mistakes of `tests/ui` are refused: each is here
//! because a rule came near to it. They compile for the CPU with this target and for CUDA with
//! NVRTC.

#![allow(dead_code, unreachable_pub, reason = "that they compile is the test")]
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the language has `unsafe`, and nobody launches these"
)]

mod array_field;
mod array_in_kernel;
mod array_in_operator;
mod array_in_struct;
mod array_literal;
mod assert;
mod assigned_comparison;
mod device_functions;
mod escapes_and_blocks;
mod field_order;
mod flag_in_inner_walk;
mod loop_around_neighbors;
mod match_assigned;
mod match_binding;
mod match_in_kernel;
mod match_in_operator;
mod methods;
mod names_of_cuda;
mod predicates_instead_of_branches;
mod pull;
mod reduce_a_bool;
mod scalar_path_method;
mod uniform_control_flow;
mod unsafe_index_write;
mod wildcard_patterns;

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Every kernel here under each of its schedules.
pub(crate) fn kernels() -> Vec<KernelInfo> {
    let mut kernels = vec![
        array_in_kernel::bin::info(),
        array_in_struct::step::info(),
        assigned_comparison::agree::info(),
        escapes_and_blocks::scatter::info(),
        match_assigned::classify::info(),
        match_binding::advance::info(),
        match_in_kernel::classify::info(),
        methods::methods::info(),
        reduce_a_bool::any_left::info(),
        uniform_control_flow::totals::info(),
        unsafe_index_write::scatter::info(),
    ];
    for schedule in Schedule::ALL {
        kernels.extend([
            array_in_operator::bin::info_with(schedule),
            array_literal::bin::info_with(schedule),
            assert::visit::info_with(schedule),
            device_functions::mark::info_with::<()>(schedule),
            field_order::root::info_with(schedule),
            flag_in_inner_walk::has_two_way_edge::info_with::<Graph>(schedule),
            loop_around_neighbors::spread::info_with(schedule),
            loop_around_neighbors::spread_if::info_with(schedule),
            match_in_operator::classify::info_with(schedule),
            names_of_cuda::template::info_with(schedule),
            predicates_instead_of_branches::visit::info_with(schedule),
            predicates_instead_of_branches::extremes::info_with(schedule),
            predicates_instead_of_branches::relax::info_with(schedule),
            pull::pull::info_with(schedule),
            scalar_path_method::limit::info_with(schedule),
            wildcard_patterns::degrees::info_with(schedule),
        ]);
    }
    kernels
}
