// A function that the trait keeps off the device.

use meerkat::prelude::*;

#[device]
trait Named {
    #[host]
    fn letters(self) -> u32;
}

#[device]
impl Named for u32 {
    #[host]
    fn letters(self) -> u32 {
        self.to_string().len() as u32
    }
}

#[kernel]
fn measure(out: &mut [u32]) {
    let i = thread_id();
    out[i] = i.letters();
}

fn main() {}
