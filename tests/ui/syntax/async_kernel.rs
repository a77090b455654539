// Launches are asynchronous already.

use meerkat::prelude::*;

#[kernel]
async fn clear(values: &mut [u32]) {
    let i = thread_id();
    values[i] = 0;
}

fn main() {}
