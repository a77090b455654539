// An impl for every type at once.

use meerkat::prelude::*;

#[device]
trait Double {
    fn double(self) -> Self;
}

#[device]
impl<T: Number> Double for T {
    fn double(self) -> T {
        self + self
    }
}

fn main() {}
