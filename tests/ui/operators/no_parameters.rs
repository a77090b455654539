// Nothing at all.

use meerkat::prelude::*;

#[edge_operator]
fn nothing() {}

fn main() {}
