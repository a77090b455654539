// A kernel among the functions of a type.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Step {
    by: u32,
}

#[device]
impl Step {
    fn run(self, out: &mut [u32]) {
        out[thread_id()] = self.by;
    }
}

fn main() {}
