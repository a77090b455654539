// Another lane may be writing the element to the right.

use meerkat::prelude::*;

#[kernel]
fn smooth(values: &mut [f32]) {
    let i = thread_id();
    if i + 1 < values.len() {
        values[i] = (values[i] + values[i + 1]) * 0.5;
    }
}

fn main() {}
