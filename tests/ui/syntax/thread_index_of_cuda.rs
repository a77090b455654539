// The names that CUDA has.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let j = threadIdx.x + blockIdx.x * blockDim.x;
    __syncthreads();
    out[j] = x[i];
}

fn main() {}
