//! Tuples, patterns in `let`, and functions of users' types.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// A vertex's place in a tree of shortest paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Node {
    pub parent: u32,
    pub distance: u32,
}

#[device]
impl Node {
    /// The place of one that nothing reaches.
    pub const NOBODY: Node = Node { parent: u32::MAX, distance: u32::MAX };

    /// The place after an edge.
    pub fn through(self, parent: u32, weight: u32) -> Node {
        Self { parent, distance: self.distance.saturating_add(weight) }
    }

    /// Whether it is reached before another.
    pub fn before(&self, other: Node) -> bool {
        if self.distance != other.distance {
            return self.distance < other.distance;
        }
        self.parent < other.parent
    }

    /// A source of paths.
    pub fn source(v: u32) -> Self {
        Node { parent: v, distance: 0 }
    }

    /// The nearer of two.
    pub fn nearer(self, other: Node) -> Node {
        if self.before(other) { self } else { other }
    }
}

/// The nearest of a warp. Collective, and so no method.
#[device]
fn nearest_of_warp(node: Node) -> Uniform<u32> {
    warp_reduce_min(node.distance)
}

/// Methods of values in memory, in variables, of results, and without a value.
#[kernel]
pub fn methods(nodes: &[Node], weights: &[u32], out: &mut [Node], least: &mut [u32]) {
    let i = thread_id();
    let mut best: Node = Node::source(i);
    if i < nodes.len() {
        let next: Node = nodes[i].through(i, weights[i]);
        let nearer: Node = next.nearer(nodes[i]);
        best = nearer.nearer_checked(next);
        if next.before(best) {
            best.distance = 0;
        }
    }
    let nearest: Uniform<u32> = nearest_of_warp(best);
    if i < out.len() {
        out[i] = best;
        least[i] = nearest;
    }
}

#[device]
impl Node {
    /// Another block of functions of the same type; calls its own.
    fn nearer_checked(self, other: Node) -> Node {
        let nearer: Node = self.nearer(other);
        nearer
    }
}

/// Quotient and remainder.
#[device]
fn divided(a: u32, b: u32) -> (u32, u32) {
    if b == 0 {
        return (0, a);
    }
    (a / b, a % b)
}

#[device]
fn mixed(a: u32, flag: bool) -> (u64, (f32, bool)) {
    let wide = a as u64 * 3;
    if flag {
        return (wide, (a as f32, !flag));
    }
    (wide + 1, (0.5, flag))
}

/// What the tuples of a thread held.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Parts {
    pub quotient: u32,
    pub remainder: u32,
    pub low: u32,
    pub high: u32,
    pub wide: u64,
    pub ratio: f32,
    pub flag: bool,
    pub best: u32,
}

/// Tuples from functions, from values, nested, assigned, chosen, broadcast.
#[kernel]
pub fn tuples(a: &[u32], out: &mut [Parts]) {
    let i = thread_id();
    let mut x = 0u32;
    if i < a.len() {
        x = a[i];
    }
    let (quotient, remainder) = divided(x, 7);
    let (mut low, mut high) = (x & 0xffff, x >> 16);
    if low > high {
        (low, high) = (high, low);
    }
    let (wide, (ratio, flag)): (u64, (f32, bool)) = mixed(x, x % 2 == 1);
    let pair = (x, i as u16);
    let chosen = if flag { (pair.0 + 1, 2u32) } else { (pair.1 as u32, 3u32) };
    let first: (u32, f32) = warp_broadcast((chosen.0, ratio), 3);
    let (_, best) = (1u32, first.0 ^ chosen.1);
    if i < out.len() {
        out[i] = Parts { quotient, remainder, low, high, wide, ratio, flag, best };
    }
}

/// A struct taken apart.
#[kernel]
pub fn taken_apart(nodes: &[Node], out: &mut [u32]) {
    let i = thread_id();
    if i < nodes.len() {
        let Node { parent, distance: far } = nodes[i];
        let Node { distance, .. } = Node { parent: far, distance: parent };
        // Its type argument is left out, and `r#both` is `both`.
        let ArgMin { key, vertex } = ArgMin { key: parent, vertex: far };
        let r#both = key ^ vertex;
        out[i] = parent * 1000 + far + distance + (both ^ parent ^ far);
    }
}

/// Tuples in an operator: what a lane keeps is apart from what it hands out.
#[vertex_operator]
pub fn extremes(v: Vertex, graph: &Graph, out: &mut [Node]) {
    let (mut least, mut most) = (u32::MAX, 0u32);
    for_each_neighbor(graph, v, true, |dst| {
        let (near, far) = (dst, dst + v);
        least = least.min(near);
        most = most.max(far);
    });
    out[v] = Node { parent: least, distance: most };
}

/// An edge of nothing but its ends, and one of a type that the result alone names.
#[device]
fn edge_between<W: Weight>(src: u32, dst: u32) -> Edge<W> {
    Edge::<W> { src, dst, weight: W::ZERO }
}

/// Functions whose type arguments only the call gives; `()` as a value.
#[kernel]
pub fn named_types(out: &mut [Edge<f32>], ends: &mut [Edge]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = edge_between::<f32>(i, i + 1);
        let plain: Edge = Edge { src: i, dst: i * 2, weight: () };
        let other: Edge = edge_between::<()>(i, 7);
        ends[i] = Edge { src: plain.dst, dst: other.dst, weight: () };
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        methods::info(),
        tuples::info(),
        taken_apart::info(),
        extremes::info(),
        named_types::info(),
    ]
}
