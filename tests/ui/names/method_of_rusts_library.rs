// Methods with names of Rust's library, for whose calls the message says what to write instead.

use meerkat::prelude::*;

#[derive(Clone, Copy, DeviceStruct)]
#[repr(C)]
struct Stack {
    items: [u32; 4],
    height: u32,
}

#[device]
impl Stack {
    fn push(self, item: u32) -> Stack {
        let mut items: [u32; 4] = self.items;
        items[self.height] = item;
        Stack { items, height: self.height + 1 }
    }
}

#[device]
trait Table {
    fn get(self, at: u32) -> u32;
}

fn main() {}
