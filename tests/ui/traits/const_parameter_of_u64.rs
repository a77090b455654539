// A const parameter that is no length.

use meerkat::prelude::*;

#[device]
fn scaled<const BY: i64>(x: i64) -> i64 {
    x * BY
}

fn main() {}
