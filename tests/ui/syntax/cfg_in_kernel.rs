// `#[cfg]` on a statement: rustc would leave it out, the kernel would not.

use meerkat::prelude::*;

#[kernel]
fn count(seen: &[Atomic<u32>], out: &mut [u32]) {
    let i = thread_id();
    #[cfg(debug_assertions)]
    seen[0].fetch_add(1);
    #[allow(clippy::identity_op)]
    let next = i + 0;
    out[i] = match next {
        0 => 1,
        #[cfg(feature = "wide")]
        1 => 2,
        _ => 3,
    };
}

fn main() {}
