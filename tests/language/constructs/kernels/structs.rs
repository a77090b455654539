//! Device structs: nested, generic, in memory, in variables, through calls.

use meerkat::prelude::*;
use meerkat::runtime::program::KernelInfo;

#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Inner {
    pub small: u8,
    pub flag: bool,
    pub medium: u16,
    pub big: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Outer {
    pub first: Inner,
    pub ratio: f32,
    pub second: Inner,
    pub balance: i64,
}

/// A struct over the weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Tagged<W: Weight> {
    pub weight: W,
    pub tag: u32,
}

#[device]
fn grown(inner: Inner, by: u8) -> Inner {
    Inner {
        small: inner.small + by,
        flag: !inner.flag,
        medium: inner.medium * 3,
        big: inner.big - 1,
    }
}

/// Fields are read, written, added to and passed on, each of its own type.
#[kernel]
pub fn fields(values: &[Outer], out: &mut [Outer]) {
    let i = thread_id();
    if i < values.len() {
        let mut value = values[i];
        value.first = grown(value.first, 200);
        value.second.small += 100;
        value.second.big = value.first.big << 3;
        value.ratio *= 0.5;
        if value.first.flag {
            value.balance -= value.first.medium as i64;
        }
        if i % 2 == 0 {
            value.second.medium = 65_000;
            value.second.medium += 1000;
        }
        out[i] = value;
    }
}

/// Whole structs through the warp.
#[kernel]
pub fn exchanged(values: &[Outer], out: &mut [Outer]) {
    let i = thread_id();
    let mut value = Outer {
        first: Inner { small: 0, flag: false, medium: 0, big: 0 },
        ratio: 0.0,
        second: Inner { small: 0, flag: false, medium: 0, big: 0 },
        balance: 0,
    };
    if i < values.len() {
        value = values[i];
    }
    let from_third = warp_broadcast(value, 3);
    let neighbor = warp_shuffle_xor(value, 1);
    if i < out.len() {
        out[i] = if lane_id() < 16 { from_third } else { neighbor };
    }
}

/// A struct with a weight of any type.
#[kernel]
pub fn tagged<W: Weight>(values: &[Tagged<W>], out: &mut [Tagged<W>]) {
    let i = thread_id();
    if i < values.len() {
        let mut value = values[i];
        value.tag += value.weight.to_bits();
        out[i] = value;
    }
}

/// Single fields of the own item.
#[kernel]
pub fn own_fields(values: &[Inner], out: &mut [Outer]) {
    let i = thread_id();
    if i < values.len() {
        out[i].second = values[i];
        out[i].first.big = values[i].big;
        out[i].first.medium += values[i].medium + 1;
    }
}

/// Fields with names that the CUDA text of a struct has uses for.
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Named {
    pub value: u32,
    pub with_value: u32,
    pub this: u32,
}

/// Each field of a literal is set, whatever it is called.
#[kernel]
pub fn literal_of_named_fields(out: &mut [Named]) {
    let i = thread_id();
    if i < out.len() {
        let mut named = Named { value: i * 3 + 1, with_value: i + 7, this: i * i };
        if i % 2 == 0 {
            named.value += named.with_value;
        }
        out[i] = named;
    }
}

/// A field that may be of no size, such as the weight of an edge without one, is assigned.
#[kernel]
pub fn reweighed<W: Weight>(edges: &mut [Edge<W>], weight: W) {
    let i = thread_id();
    if i < edges.len() {
        let mut edge = Edge::<W> { src: i, dst: 0, weight: W::ZERO };
        if i % 2 == 0 {
            edge.weight = weight;
        }
        edge.dst = i + 1;
        edges[i] = edge;
    }
}

pub fn kernels() -> Vec<KernelInfo> {
    vec![
        reweighed::info::<()>(),
        reweighed::info::<u32>(),
        literal_of_named_fields::info(),
        fields::info(),
        exchanged::info(),
        own_fields::info(),
        tagged::info::<()>(),
        tagged::info::<u32>(),
        tagged::info::<i32>(),
        tagged::info::<f32>(),
    ]
}
