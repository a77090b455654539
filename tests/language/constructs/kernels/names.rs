//! Names: shadowing, C++ keywords, names of the prelude.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

/// Shadowing as in Rust: by another type, in an inner block, by a loop.
#[kernel]
pub fn shadowing(n: u32, out: &mut [u32]) {
    let i = thread_id();
    let x = i;
    let x = x + n;
    let n = n as f32 * 0.5;
    let mut sum = 0u32;
    {
        let x = x * 10;
        sum += x;
        let x = x as u64 + 5;
        sum += x as u32;
    }
    for x in 0..x {
        let x = x + 1;
        sum += x;
    }
    if x > 20 {
        let sum = 7u32;
        let _unused = sum;
    }
    let x_2 = 3u32;
    if i < out.len() {
        out[i] = sum + x + x_2 + n as u32;
    }
}

/// Words that C++ or the prelude has taken.
#[kernel]
pub fn keywords(new: u32, class: &[u32], out: &mut [u32]) {
    let this = thread_id();
    let int = 1u32;
    let double = 2u32;
    let float = 3u32;
    let char = 4u32;
    let auto = 5u32;
    let register = 6u32;
    let template = 7u32;
    let operator = 8u32;
    let private = 9u32;
    let delete = 10u32;
    let union = 11u32;
    let and = 12u32;
    let or = 13u32;
    let not = 14u32;
    let signed = 15u32;
    let min = 16u32;
    let divide = 17i32;
    let device = 18u32;
    let void = 19u32;
    let namespace = 20u32;
    let switch = 21u32;
    let mut short = 0u32;
    for long in 0..3 {
        short += long + divide as u32;
    }
    if this < out.len() {
        let mut default = int + double + float + char + auto + register + template + operator;
        default += private + delete + union + and + or + not + signed + min + device + void;
        default += namespace + switch + short + new + class[0].min(this);
        out[this] = default + (-7i32 / divide) as u32;
    }
}

/// Rust's own keywords, raw.
#[kernel]
pub fn raw(r#type: u32, out: &mut [u32]) {
    let r#match = thread_id();
    let r#move = r#type + r#match;
    if r#match < out.len() {
        out[r#match] = r#move;
    }
}

/// `edge_dst` is not the broadcast of `edge.dst`.
#[edge_operator]
pub fn like_a_field(edge: Edge, graph: &Graph, out: &[Atomic<u32>]) {
    let edge_dst = 5u32;
    for_each_neighbor(graph, edge.dst, true, |dst| {
        out[edge.dst].fetch_add(edge_dst + dst);
    });
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![shadowing::info(), keywords::info(), raw::info(), like_a_field::info()]
}
