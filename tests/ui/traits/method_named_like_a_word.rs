// A trait's method that the language has, too.

use meerkat::prelude::*;

#[device]
trait Order {
    fn min(self, other: Self) -> Self;
}

fn main() {}
