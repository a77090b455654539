// A trait cannot promise what lanes share.

use meerkat::prelude::*;

#[device]
trait Share {
    fn share(self, of: Uniform<u32>) -> u32;
}

fn main() {}
