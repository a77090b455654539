//! Runs the kernels of a generated crate and compares what they leave.
//!
//! A part of every generated crate: it links the generator and the interpreter,
//! so that the program needs nothing but itself on the machine it runs on.

use crate::fuzz;
use crate::fuzz::language::{Carried, Scalar, Slice, Ty, VERTICES};
use crate::fuzz::memory::{self, Memory};
use crate::{Mixed, Pair, Tiny};
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::{
    Atomic, Device, DeviceBuffer, Edge, Error, SlabGraph, SlabOptions, Weight,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A kernel of this crate.
pub struct Case {
    pub seed: u64,
    pub launch: fn(&Device, &mut Buffers) -> Result<(), Error>,
    pub info: fn() -> KernelInfo,
}

trait Bits: Copy {
    fn from_bits(parts: &[u64]) -> Self;
    fn bits(self) -> Vec<u64>;
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Bits for $ty {
            fn from_bits(parts: &[u64]) -> Self { parts[0] as $ty }
            fn bits(self) -> Vec<u64> {
                vec![self as u64 & (u64::MAX >> (64 - $ty::BITS))]
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 i8 i16 i32 i64);

impl Bits for bool {
    fn from_bits(parts: &[u64]) -> Self {
        parts[0] != 0
    }
    fn bits(self) -> Vec<u64> {
        vec![self.into()]
    }
}

impl Bits for f32 {
    fn from_bits(parts: &[u64]) -> Self {
        f32::from_bits(parts[0] as u32)
    }
    fn bits(self) -> Vec<u64> {
        vec![self.to_bits().into()]
    }
}

impl Bits for f64 {
    fn from_bits(parts: &[u64]) -> Self {
        f64::from_bits(parts[0])
    }
    fn bits(self) -> Vec<u64> {
        vec![self.to_bits()]
    }
}

macro_rules! structs {
    ($($name:ident { $($field:ident)* })*) => {$(
        impl Bits for $name {
            fn from_bits(parts: &[u64]) -> Self {
                let mut parts = parts.iter();
                $(let $field = Bits::from_bits(&[*parts.next().expect("a part for a field")]);)*
                $name { $($field),* }
            }
            fn bits(self) -> Vec<u64> {
                [$(self.$field.bits()[0]),*].to_vec()
            }
        }
    )*};
}

structs! { Pair { a b } Tiny { x y z } Mixed { small flag medium big ratio } }

macro_rules! buffers {
    ($($name:ident: $element:ty, $value:ty, $slice:expr;)*) => {
        /// A buffer for every slice a kernel can take.
        pub struct Buffers {
            $(pub $name: DeviceBuffer<$element>,)*
            pub graph: Option<SlabGraph<()>>,
            pub graph_u32: Option<SlabGraph<u32>>,
            pub graph_i32: Option<SlabGraph<i32>>,
            pub graph_f32: Option<SlabGraph<f32>>,
        }

        impl Buffers {
            fn new(device: &Device, memory: &Memory) -> Result<Buffers, Error> {
                let none = Vec::new();
                Ok(Buffers { $($name: {
                    let elements = memory.0.get(&$slice).unwrap_or(&none);
                    let values: Vec<$value> =
                        elements.iter().map(|parts| Bits::from_bits(parts)).collect();
                    DeviceBuffer::from_slice(device, &values)?
                },)*
                    graph: graph(device, memory, Carried::Nothing, |_| ())?,
                    graph_u32: graph(device, memory, Carried::U32, |bits| bits)?,
                    graph_i32: graph(device, memory, Carried::I32, |bits| bits as i32)?,
                    graph_f32: graph(device, memory, Carried::F32, f32::from_bits)?,
                })
            }

            fn read(&self, slices: &[Slice]) -> Result<Memory, Error> {
                let mut memory = Memory(Default::default());
                $(if slices.contains(&$slice) {
                    let values = self.$name.to_vec()?;
                    memory.0.insert($slice, values.into_iter().map(Bits::bits).collect());
                })*
                Ok(memory)
            }
        }
    };
}

macro_rules! all_buffers {
    (numbers [$($scalar:ident $ty:ident $input:ident $output:ident;)*]
     structs [$($at:literal $struct:ident $struct_input:ident $struct_output:ident;)*]
     atomics [$($kind:ident $of:ident $shared:ident $private:ident;)*]) => {
        buffers! {
            $($input: $ty, $ty, Slice::Input(Ty::Scalar(Scalar::$scalar));
              $output: $ty, $ty, Slice::Output(Ty::Scalar(Scalar::$scalar));)*
            $($struct_input: $struct, $struct, Slice::Input(Ty::Struct($at));
              $struct_output: $struct, $struct, Slice::Output(Ty::Struct($at));)*
            $($shared: Atomic<$of>, $of, Slice::Shared(Scalar::$kind);
              $private: Atomic<$of>, $of, Slice::Private(Scalar::$kind);)*
        }
    };
}

all_buffers! {
    numbers [Bool bool in_bool out_bool; U8 u8 in_u8 out_u8; U16 u16 in_u16 out_u16;
    U32 u32 in_u32 out_u32; U64 u64 in_u64 out_u64; I8 i8 in_i8 out_i8;
    I16 i16 in_i16 out_i16; I32 i32 in_i32 out_i32; I64 i64 in_i64 out_i64;
    F32 f32 in_f32 out_f32; F64 f64 in_f64 out_f64;]
    structs [0 Pair in_pair out_pair; 1 Tiny in_tiny out_tiny; 2 Mixed in_mixed out_mixed;]
    atomics [U32 u32 at_u32 own_u32; I32 i32 at_i32 own_i32; U64 u64 at_u64 own_u64;
    I64 i64 at_i64 own_i64; F32 f32 at_f32 own_f32; F64 f64 at_f64 own_f64;]
}

/// The graph of these lists, if the kernel takes it; some edges have been there and are
/// deleted again.
fn graph<W: Weight>(
    device: &Device,
    memory: &Memory,
    carried: Carried,
    weight: impl Fn(u32) -> W,
) -> Result<Option<SlabGraph<W>>, Error> {
    let Some(lists) = memory.0.get(&Slice::Graph(carried)) else { return Ok(None) };
    let (mut edges, mut deleted) = (Vec::new(), Vec::new());
    for (src, list) in lists.iter().enumerate() {
        let src = src as u32;
        edges.extend(list.chunks(2).map(|pair| {
            let (dst, weight) = (pair[0] as u32, weight(pair[1] as u32));
            Edge { src, dst, weight }
        }));
        let others = [src * 7 % 64, src ^ 5, src / 3].map(u64::from);
        let others = others.iter().filter(|dst| list.chunks(2).all(|pair| pair[0] != **dst));
        deleted.extend(others.map(|&dst| Edge { src, dst: dst as u32, weight: weight(0) }));
    }
    let at = edges.len();
    let options = SlabOptions {
        hashing: at % 2 == 0,
        load_factor: [0.3, 0.7, 1.0][at % 3],
        ..SlabOptions::DEFAULT
    };
    edges.extend_from_slice(&deleted);
    let mut graph = SlabGraph::from_edges(device, VERTICES as u32, &edges, &options)?;
    graph.delete(&deleted)?;
    Ok(Some(graph))
}

/// What is wrong with a kernel on a device, if anything.
pub(crate) fn difference(case: &Case, device: &Device) -> Option<String> {
    let (kernel, expected) = fuzz::kernel(case.seed);
    let slices = &kernel.main.slices;
    let before = Memory::new(slices, case.seed);
    let run = || -> Result<Memory, Error> {
        let mut buffers = Buffers::new(device, &before)?;
        (case.launch)(device, &mut buffers)?;
        buffers.read(slices)
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Err(_) => Some("a panic".to_owned()),
        Ok(Err(error)) => Some(error.to_string()),
        Ok(Ok(found)) => first_difference(&expected, &found),
    }
}

fn first_difference(expected: &Memory, found: &Memory) -> Option<String> {
    for (&slice, elements) in &expected.0 {
        let parts = memory::parts(slice);
        if parts.is_empty() {
            continue;
        }
        for (at, (wanted, got)) in elements.iter().zip(&found.0[&slice]).enumerate() {
            for (part, scalar) in parts.iter().enumerate() {
                if !scalar.same(wanted[part], got[part]) {
                    let name = memory::name(slice);
                    return Some(format!(
                        "{name}[{at}] part {part} (lane {}): expected {} ({:#x}), found {} ({:#x})",
                        at % 32,
                        scalar.literal(wanted[part]),
                        wanted[part],
                        scalar.literal(got[part]),
                        got[part],
                    ));
                }
            }
        }
    }
    None
}
