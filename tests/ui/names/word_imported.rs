// A function of the user's that hides a word of the language.

use meerkat::prelude::*;

mod util {
    use meerkat::prelude::*;

    #[device]
    pub fn pick(c: bool, a: u32, b: u32) -> u32 {
        if c { b } else { a }
    }
}

use util::pick as select;

#[vertex_operator]
fn f(v: Vertex, out: &mut [u32]) {
    out[v] = select(v > 3, 1, 2);
}

fn main() {}
