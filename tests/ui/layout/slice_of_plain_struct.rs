// The derive is forgotten on the struct that a slice holds.

use meerkat::prelude::*;

#[derive(Clone, Copy)]
#[repr(C)]
struct Task {
    vertex: u32,
}

#[kernel]
fn vertices(tasks: &[Task], out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = tasks[i].vertex;
    }
}

fn main() {}
