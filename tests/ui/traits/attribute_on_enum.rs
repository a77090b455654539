// An enum with the attribute.

use meerkat::prelude::*;

#[device]
enum Kind {
    Near,
    Far,
}

fn main() {}
