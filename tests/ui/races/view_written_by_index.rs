// A method of a view writes memory that all lanes share.

use meerkat::prelude::*;

#[device_view(LevelsBuffers)]
struct Levels {
    level: &[u32],
}

#[device]
impl Levels {
    fn set_level(self, v: Vertex) {
        self.level[v] = 3;
    }
}

fn main() {}
