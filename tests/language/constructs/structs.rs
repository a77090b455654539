//! Device structs.

use super::kernels::structs::{self, Inner, Named, Outer, Tagged};
use super::{buffer, expect};
use meerkat::prelude::*;

fn outers(count: u32) -> Vec<Outer> {
    let inner = |i: u32| Inner {
        small: (i * 37) as u8,
        flag: i % 3 == 0,
        medium: (i * 9973) as u16,
        big: u64::from(i) << 40 | 5,
    };
    let outer = |i| Outer {
        first: inner(i),
        ratio: i as f32 / 3.0,
        second: inner(i + 100),
        balance: -i64::from(i) * 1_000_000_007,
    };
    (0..count).map(outer).collect()
}

#[test]
fn fields_of_70_nested_structs_keep_their_types() {
    let values = outers(70);
    let changed = |(i, &value): (usize, &Outer)| {
        let mut value = value;
        value.first = Inner {
            small: value.first.small.wrapping_add(200),
            flag: !value.first.flag,
            medium: value.first.medium.wrapping_mul(3),
            big: value.first.big - 1,
        };
        value.second.small = value.second.small.wrapping_add(100);
        value.second.big = value.first.big << 3;
        value.ratio *= 0.5;
        if value.first.flag {
            value.balance -= i64::from(value.first.medium);
        }
        if i % 2 == 0 {
            value.second.medium = 65_000u16.wrapping_add(1000);
        }
        value
    };
    let expected: Vec<_> = values.iter().enumerate().map(changed).collect();
    expect(&expected, |device, out| {
        structs::fields::launch(device, 70, &buffer(device, &values), out)
    });
}

#[test]
fn structs_of_48_bytes_go_through_the_warp() {
    let values = outers(64);
    let from = |i: usize| values[if i % 32 < 16 { i / 32 * 32 + 3 } else { i ^ 1 }];
    let expected: Vec<_> = (0..64).map(from).collect();
    expect(&expected, |device, out| {
        structs::exchanged::launch(device, 64, &buffer(device, &values), out)
    });
}

fn check_tagged<W: Weight + std::fmt::Debug + PartialEq>(weight: impl Fn(u32) -> W) {
    let values: Vec<_> = (0..40).map(|i| Tagged { weight: weight(i), tag: i }).collect();
    let expected: Vec<_> = values
        .iter()
        .map(|v| Tagged { weight: v.weight, tag: v.tag.wrapping_add(v.weight.to_bits()) })
        .collect();
    expect(&expected, |device, out| {
        structs::tagged::launch(device, 40, &buffer(device, &values), out)
    });
}

#[test]
fn structs_over_each_of_4_weights_have_one_layout() {
    check_tagged(|_| ());
    check_tagged(|i| i * 3);
    check_tagged(|i| 7 - i as i32);
    check_tagged(|i| i as f32 * 0.5);
}

#[test]
fn single_fields_of_40_own_items_are_written() {
    let inner = |i: u16| Inner { small: 9, flag: true, medium: i * 3, big: u64::from(i) << 50 };
    let values: Vec<_> = (0..40).map(inner).collect();
    let written = |&second: &Inner| {
        let first = Inner { big: second.big, medium: second.medium + 1, ..Inner::default() };
        Outer { first, second, ..Outer::default() }
    };
    let expected: Vec<_> = values.iter().map(written).collect();
    expect(&expected, |device, out| {
        structs::own_fields::launch(device, 40, &buffer(device, &values), out)
    });
}

#[test]
fn fields_called_value_are_set_as_any_other() {
    let named = |i: u32| Named {
        value: i * 3 + 1 + if i % 2 == 0 { i + 7 } else { 0 },
        with_value: i + 7,
        this: i * i,
    };
    let expected: Vec<_> = (0..50).map(named).collect();
    expect(&expected, |device, out| structs::literal_of_named_fields::launch(device, 50, out));
}

#[test]
fn a_weight_that_is_none_is_assigned_as_any_other() {
    let edge = |i: u32| Edge { src: i, dst: i + 1, weight: () };
    let expected: Vec<Edge> = (0..50).map(edge).collect();
    expect(&expected, |device, out| structs::reweighed::launch(device, 50, out, ()));
    let weighted = |i: u32| Edge { src: i, dst: i + 1, weight: if i % 2 == 0 { 9u32 } else { 0 } };
    let expected: Vec<Edge<u32>> = (0..50).map(weighted).collect();
    expect(&expected, |device, out| structs::reweighed::launch(device, 50, out, 9));
}
