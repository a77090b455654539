// A function that does not come back.

use meerkat::prelude::*;

#[device]
fn stop() -> ! {
    loop {}
}

fn main() {}
