//! Names that CUDA text gets wrong. All but the last are errors of NVRTC.

use super::expect;
use meerkat::prelude::*;

#[device]
fn degree(x: u32) -> u32 {
    x + 1
}

// "a variable declared with an auto type specifier cannot appear in its own
// initializer"
#[kernel]
fn like_its_function(out: &mut [u32]) {
    let i = thread_id();
    let degree = degree(i);
    if i < out.len() {
        out[i] = degree;
    }
}

#[test]
fn a_variable_is_named_like_the_function_that_fills_it() {
    let expected: Vec<u32> = (1..=32).collect();
    expect(&expected, |device, out| like_its_function::launch(device, 32, out));
}

#[kernel]
fn more_keywords(out: &mut [u32]) {
    let constexpr = thread_id();
    let decltype = 1u32;
    let thread_local = 2u32;
    let reinterpret_cast = 3u32;
    let static_cast = 4u32;
    let and_eq = 5u32;
    let or_eq = 6u32;
    let not_eq = 7u32;
    let xor_eq = 8u32;
    let char16_t = 9u32;
    let constinit = 10u32;
    if constexpr < out.len() {
        out[constexpr] = decltype
            + thread_local
            + reinterpret_cast
            + static_cast
            + and_eq
            + or_eq
            + not_eq
            + xor_eq
            + char16_t
            + constinit;
    }
}

#[test]
fn variables_are_named_like_11_more_words_of_cpp() {
    expect(&[55; 32], |device, out| more_keywords::launch(device, 32, out));
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
struct Fields {
    double: u32,
    class: u32,
    default: u32,
    signed: u32,
    xor: u32,
    r#type: u32,
}

#[kernel]
fn keyword_fields(out: &mut [u32]) {
    let i = thread_id();
    let fields = Fields { double: i, class: 2, default: 3, signed: 4, xor: 5, r#type: 6 };
    if i < out.len() {
        out[i] = fields.double
            + fields.class
            + fields.default
            + fields.signed
            + fields.xor
            + fields.r#type;
    }
}

#[test]
fn fields_are_named_like_words_of_cpp_and_rust() {
    let expected: Vec<u32> = (20..52).collect();
    expect(&expected, |device, out| keyword_fields::launch(device, 32, out));
}

#[device]
fn double(x: u32) -> u32 {
    x + x
}

#[kernel]
fn keyword_function(out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = double(i);
    }
}

#[test]
fn a_function_is_named_like_a_word_of_cpp() {
    let expected: Vec<u32> = (0..32).map(|i| 2 * i).collect();
    expect(&expected, |device, out| keyword_function::launch(device, 32, out));
}

mod elsewhere {
    use meerkat::prelude::*;

    #[device]
    pub(super) fn tripled(x: u32) -> u32 {
        x * 3
    }

    #[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
    #[repr(C)]
    pub(super) struct Pair {
        pub a: u32,
        pub b: u32,
    }
}

use elsewhere::tripled as thrice;

type Both = elsewhere::Pair;

// "identifier `thrice` is undefined", and `Both` in the same way.
#[kernel]
fn renamed(out: &mut [u32]) {
    let i = thread_id();
    let both = Both { a: thrice(i), b: 1 };
    if i < out.len() {
        out[i] = both.a + both.b;
    }
}

#[test]
fn functions_and_structs_go_by_other_names() {
    let expected: Vec<u32> = (0..32).map(|i| 3 * i + 1).collect();
    expect(&expected, |device, out| renamed::launch(device, 32, out));
}

// CUDA never ends: `x / y` is written `divide(x, y)`, which is this function.
#[device]
fn divide(x: i32, y: i32) -> i32 {
    x / y
}

#[kernel]
fn like_the_prelude(out: &mut [i32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = divide(i as i32, 2);
    }
}

#[test]
fn a_function_is_named_like_one_of_the_prelude() {
    let expected: Vec<i32> = (0..32).map(|i| i / 2).collect();
    expect(&expected, |device, out| like_the_prelude::launch(device, 32, out));
}

/// Functions and variables that are called as methods are.
#[device]
fn clamp(floor: u32, rotate_left: u32) -> u32 {
    let signum = floor.max(rotate_left);
    signum - floor
}

#[kernel]
fn named_as_methods(out: &mut [u32]) {
    let i = thread_id();
    let pow: u32 = clamp(i, 40);
    if i < out.len() {
        out[i] = pow.clamp(3, 30).pow(2);
    }
}

#[test]
fn functions_and_variables_may_be_called_as_methods_are() {
    let value = |i: u32| (40u32.saturating_sub(i)).clamp(3, 30).pow(2);
    let expected: Vec<u32> = (0..100).map(value).collect();
    expect(&expected, |device, out| named_as_methods::launch(device, 100, out));
}

/// A function with a variable of the macro's own, which callers may name theirs like.
macro_rules! longer {
    ($name:ident, $x:ident) => {
        #[device]
        fn $name($x: u32) -> u32 {
            let x = 10;
            let $x = $x * 2;
            {
                let x = x + 1;
                $x + x * 100
            }
        }
    };
}

longer!(longer_x, x);
longer!(longer_y, y);

#[kernel]
fn written_by_a_macro(out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = longer_x(i) * 10000 + longer_y(i);
    }
}

#[test]
fn a_variable_of_a_macro_is_none_of_its_callers() {
    let expected: Vec<u32> = (0..40).map(|i| (i * 2 + 1100) * 10001).collect();
    expect(&expected, |device, out| written_by_a_macro::launch(device, 40, out));
}

#[allow(non_upper_case_globals)]
mod small_constants {
    use meerkat::prelude::*;

    const source: u32 = 1;
    const owner: u32 = 2;
    const work: u32 = 3;
    const active: u32 = 4;
    const slab: u32 = 5;
    const word: u32 = 6;
    const valid: u32 = 7;
    const matched: u32 = 8;
    const x_2: u32 = 9;

    /// Constants whose names generated code would take.
    #[vertex_operator]
    pub(super) fn sum(v: Vertex, graph: &Graph, out: &mut [u32]) {
        let x = v;
        let x = x * 1000;
        let mut all = 0u32;
        for_each_neighbor(graph, v, true, |dst| {
            let found = match dst {
                0 => source + owner + work,
                _ => active + slab + word + valid + matched + x_2,
            };
            all += found;
        });
        out[v] = all + x;
    }
}

#[test]
fn constants_may_be_called_as_what_is_generated() {
    for device in super::devices() {
        let edges = [(0, 1), (0, 2), (1, 0)].map(|(src, dst)| Edge { src, dst, weight: () });
        let graph = SlabGraph::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT).unwrap();
        for schedule in Schedule::ALL {
            let mut out = DeviceBuffer::zeroed(&device, 3).unwrap();
            small_constants::sum::launch_with(schedule, &device, 0..3, &graph, &mut out).unwrap();
            assert_eq!(out.to_vec().unwrap(), [2 * 39, 1006, 2000], "{schedule:?}");
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy, DeviceStruct)]
struct Meter {
    at: u32,
}

#[device]
impl Meter {
    fn half(self) -> u32 {
        self.at / 2 + Meter_half(1)
    }
}

// Was defined twice: the method's function had this name.
#[device]
#[allow(non_snake_case)]
fn Meter_half(x: u32) -> u32 {
    x + 100
}

#[kernel]
fn like_a_method(out: &mut [u32]) {
    let i = thread_id();
    let meter = Meter { at: i };
    if i < out.len() {
        out[i] = meter.half() + Meter_half(1000);
    }
}

#[test]
fn a_function_is_named_like_a_type_and_its_method() {
    let expected: Vec<u32> = (0..32).map(|i| i / 2 + 101 + 1100).collect();
    expect(&expected, |device, out| like_a_method::launch(device, 32, out));
}

pub(crate) fn kernels() -> Vec<meerkat::runtime::program::KernelInfo> {
    vec![
        like_its_function::info(),
        more_keywords::info(),
        keyword_fields::info(),
        keyword_function::info(),
        renamed::info(),
        like_the_prelude::info(),
        named_as_methods::info(),
        written_by_a_macro::info(),
        small_constants::sum::info(),
        like_a_method::info(),
    ]
}
