// A trait of host code.

use meerkat::prelude::*;

#[device]
trait Fetch {
    async fn fetch(self) -> u32;
    fn visit(self, f: impl Fn(u32));
    unsafe fn raw(self) -> u32;
}

fn main() {}
