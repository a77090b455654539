// A type without a layout, by a promise.

#![forbid(unsafe_code)]

use meerkat::prelude::*;
use meerkat::runtime::program::Program;

#[derive(Clone, Copy)]
struct Pointer(&'static u32);

unsafe impl DeviceType for Pointer {
    fn cuda_name(_program: &mut Program) -> String {
        "u64".to_owned()
    }
}

fn main() {
    println!("{}", Pointer(&3).0);
}
