//! The operator of the product, and what an edge multiplies by.

use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;

/// The entry of the matrix that an edge of this weight is, as a `T`: the weight, rounded to the
/// nearest `T` if it is none; 1 without weights.
#[device]
pub trait Entry<T: Float> {
    /// The entry.
    fn entry(weight: Self) -> T;
}

macro_rules! entries {
    ($($float:ident of $weight:ty: |$name:ident| $entry:expr;)*) => {$(
        #[device]
        impl Entry<$float> for $weight {
            fn entry($name: $weight) -> $float {
                $entry
            }
        }
    )*};
}

entries! {
    f32 of (): |_weight| 1.0;
    f32 of u32: |weight| weight as f32;
    f32 of i32: |weight| weight as f32;
    f32 of f32: |weight| weight;
    f64 of (): |_weight| 1.0;
    f64 of u32: |weight| weight as f64;
    f64 of i32: |weight| weight as f64;
    f64 of f32: |weight| weight as f64;
}

/// The row of `v` times `x`.
#[vertex_operator]
pub(super) fn multiply_row<T: Float, W: Weight + Entry<T>, G: Neighbors<Carried = W>>(
    v: Vertex,
    graph: &G,
    x: &[T],
    y: &mut [T],
) {
    let mut sum: T = T::ZERO;
    for_each_neighbor(graph, v, true, |dst, weight| {
        let entry: T = W::entry(weight);
        sum += entry * x[dst];
    });
    y[v] = sum;
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    let each = |schedule| {
        [
            multiply_row::info_with::<f32, (), Graph>(schedule),
            multiply_row::info_with::<f64, f32, Graph<f32>>(schedule),
        ]
    };
    let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
    let usual = Schedule::Hybrid;
    kernels.extend([
        multiply_row::info_with::<f32, u32, Graph<u32>>(usual),
        multiply_row::info_with::<f32, i32, Graph<i32>>(usual),
        multiply_row::info_with::<f32, f32, Graph<f32>>(usual),
        multiply_row::info_with::<f64, (), Graph>(usual),
        multiply_row::info_with::<f64, u32, Graph<u32>>(usual),
        multiply_row::info_with::<f64, i32, Graph<i32>>(usual),
        multiply_row::info_with::<f32, f32, Compact<f32>>(usual),
        multiply_row::info_with::<f32, f32, Blocks<f32>>(usual),
        multiply_row::info_with::<f32, f32, Rows<f32>>(usual),
    ]);
    kernels
}
