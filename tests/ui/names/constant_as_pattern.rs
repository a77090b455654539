// Names of an arm that are constants in small letters.

use meerkat::prelude::*;

#[allow(non_upper_case_globals)]
const limit: u32 = 5;

#[vertex_operator]
fn f(v: Vertex, out: &mut [u32]) {
    out[v] = match v {
        limit => 1,
        _ => 3,
    };
}

fn main() {}
