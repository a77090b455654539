// An operator with a `self`.

use meerkat::prelude::*;

struct Bfs {
    level: u32,
}

impl Bfs {
    #[vertex_operator]
    fn visit(&self, v: Vertex, levels: &mut [u32]) {
        levels[v] = self.level;
    }
}

fn main() {}
