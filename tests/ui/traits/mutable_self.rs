// A method that changes its value in place.

use meerkat::prelude::*;

#[device]
trait Counter {
    fn step(&mut self, by: u32);
}

fn main() {}
