// Text is made and printed.

use meerkat::prelude::*;

#[kernel]
fn f(x: &[u32], out: &mut [u32]) {
    let i = thread_id();
    let name = String::from("vertex");
    let text = format!("{name} {i}");
    eprintln!("{text}");
    out[i] = text.len();
}

fn main() {}
