//! What closures accumulate, against loops over an edge list.

use super::kernels::accumulations;
use super::operators::{graph, random_edges};
use super::{buffer, expect, expect_by, noise};
use meerkat::prelude::*;

#[test]
fn sums_and_counts_where_the_predicate_holds_300v_5000e() {
    let edges = random_edges(300, 5000);
    let values: Vec<u32> = noise(2).take(300).map(|x| x % 1000).collect();
    let (mut degrees, mut expected) = (vec![0u32; 300], vec![1000u32; 300]);
    for &(src, dst) in edges.iter().filter(|(src, _)| values[*src as usize] % 5 != 0) {
        degrees[src as usize] += 1;
        expected[src as usize] += values[dst as usize];
    }
    expect(&expected, |device, out| {
        let graph = graph(device, 300, edges.iter().copied(), |_, _| ());
        let mut counts = DeviceBuffer::zeroed(device, 300)?;
        let values = buffer(device, &values);
        accumulations::sums::launch(device, 0..300, &graph, &values, &mut counts, out)?;
        assert_eq!(counts.to_vec()?, degrees, "{}", device.name());
        Ok(())
    });
}

fn check_extremes<W: Weight>(weight: impl Fn(u32, u32) -> W) {
    let edges = random_edges(100, 900);
    let values: Vec<i32> = noise(4).take(100).map(|x| x as i32 % 1000 - 300).collect();
    let (mut least, mut most, mut seen) = (vec![40i32; 100], vec![3u32; 100], vec![0u32; 100]);
    for &(src, dst) in &edges {
        let v = src as usize;
        least[v] = least[v].min(values[dst as usize]);
        most[v] = most[v].max(dst + weight(src, dst).to_bits() % 7);
        seen[v] |= 1 << (dst % 31) | (dst % 2) << 31;
    }
    expect(&least, |device, out| {
        let graph = graph(device, 100, edges.iter().copied(), &weight);
        let mut high = DeviceBuffer::zeroed(device, 100)?;
        let mut bits = DeviceBuffer::zeroed(device, 100)?;
        let values = buffer(device, &values);
        accumulations::extremes::launch(
            device,
            0..100,
            &graph,
            &values,
            out,
            &mut high,
            &mut bits,
        )?;
        assert_eq!(high.to_vec()?, most, "{}", device.name());
        assert_eq!(bits.to_vec()?, seen, "{}", device.name());
        Ok(())
    });
}

#[test]
fn minima_maxima_and_ors_100v_900e_without_weights() {
    check_extremes(|_, _| ());
}

#[test]
fn minima_maxima_and_ors_100v_900e_of_u32() {
    check_extremes(|src, dst| src * 31 + dst);
}

#[test]
fn minima_maxima_and_ors_100v_900e_of_i32() {
    check_extremes(|src, dst| src as i32 - dst as i32);
}

#[test]
fn minima_maxima_and_ors_100v_900e_of_f32() {
    check_extremes(|src, dst| src as f32 / (dst + 1) as f32);
}

fn check_any_number<T: Number + std::fmt::Debug>(start: T, values: impl Fn(u32) -> T) {
    let edges = random_edges(100, 900);
    let values: Vec<T> = noise(6).take(100).map(|x| values(x % 8)).collect();
    let (mut sums, mut least, mut most) = (vec![start; 100], values.clone(), values.clone());
    for &(src, dst) in &edges {
        let (v, value) = (src as usize, values[dst as usize]);
        sums[v] += value;
        least[v] = least[v].min(value);
        most[v] = most[v].max(value);
    }
    // As text, in which a NaN is like any other and a zero has its sign.
    let text = |x: &T| format!("{x:?}");
    let texts = |all: &[T]| all.iter().map(text).collect::<Vec<_>>();
    expect_by(
        &sums,
        |a, b| text(a) == text(b),
        |device, out| {
            let graph = graph(device, 100, edges.iter().copied(), |_, _| ());
            let values = buffer(device, &values);
            let mut low = DeviceBuffer::zeroed(device, 100)?;
            let mut high = DeviceBuffer::zeroed(device, 100)?;
            accumulations::of_any_number::launch(
                device,
                0..100,
                &graph,
                &values,
                start,
                out,
                &mut low,
                &mut high,
            )?;
            assert_eq!(texts(&low.to_vec()?), texts(&least), "{}", device.name());
            assert_eq!(texts(&high.to_vec()?), texts(&most), "{}", device.name());
            Ok(())
        },
    );
}

#[test]
fn a_generic_number_is_accumulated_u16() {
    check_any_number(1, |x| x as u16);
}

#[test]
fn a_generic_number_is_accumulated_i64() {
    check_any_number(1, |x| i64::from(x) - (1 << 40));
}

#[test]
fn a_generic_number_is_accumulated_f32() {
    check_any_number(-0.0, |x| if x == 7 { f32::NAN } else { x as f32 - 3.5 });
}

#[test]
fn a_generic_number_is_accumulated_f64() {
    check_any_number(-0.0, |x| if x == 7 { f64::NAN } else { f64::from(x) - 3.5 });
}

#[test]
fn a_second_walk_uses_what_the_first_found_80v_600e() {
    let edges = random_edges(80, 600);
    let mut forward = vec![0u64; 80];
    edges.iter().for_each(|&(src, dst)| forward[src as usize] += u64::from(dst));
    let mut expected = forward.clone();
    for &(src, dst) in &edges {
        let mine = forward[dst as usize];
        if mine % 2 == 0 {
            expected[dst as usize] += 1000 * (u64::from(src) * mine + u64::from(src * 3 + dst));
        }
    }
    expect(&expected, |device, out| {
        let there = graph(device, 80, edges.iter().copied(), |_, _| ());
        let back = edges.iter().map(|&(src, dst)| (dst, src));
        let back = graph(device, 80, back, |dst, src| src * 3 + dst);
        accumulations::two_walks::launch(device, 0..80, &there, &back, out)
    });
}

#[test]
fn closures_with_loops_branches_and_calls_120v_1500e() {
    let edges = random_edges(120, 1500);
    let weight = |src: u32, dst: u32| (src * 7 + dst) as f32 % 3.0;
    let mut expected = vec![0u32; 120];
    for &(src, dst) in &edges {
        let (mut n, mut steps) = (dst, 0);
        while n > src {
            n /= 2;
            steps += 1;
        }
        let many = weight(src, dst) > 1.0 && steps > 0;
        expected[src as usize] += if many { (0..steps).sum() } else { 1 };
    }
    expect(&expected, |device, out| {
        let graph = graph(device, 120, edges.iter().copied(), weight);
        accumulations::busy_closure::launch(device, 0..120, &graph, out)
    });
}

#[test]
fn a_nan_and_a_negative_zero_stay_where_nothing_is_accumulated_150v_300e() {
    let edges = random_edges(150, 300);
    let weight = |src: u32, dst: u32| (src * 5 + dst) as f32 - 300.0;
    let of = |v: u32| {
        let to: Vec<f32> = edges
            .iter()
            .filter(|&&(src, _)| src == v && v % 3 != 0)
            .map(|&(src, dst)| weight(src, dst))
            .collect();
        let bits = |x: f32| if x.is_nan() { 1 } else { x.to_bits() };
        accumulations::OddFloats {
            least: bits(to.iter().copied().fold(f32::NAN, f32::min)),
            most: bits(to.iter().copied().fold(f32::NAN, f32::max)),
            sum: to.iter().fold(-0.0, |sum: f32, x| sum + x).to_bits(),
        }
    };
    let expected: Vec<_> = (0..150).map(of).collect();
    assert!(expected.iter().any(|found| found.least == 1));
    for schedule in Schedule::ALL {
        expect(&expected, |device, out| {
            let graph = graph(device, 150, edges.iter().copied(), weight);
            accumulations::from_odd_floats::launch_with(schedule, device, 0..150, &graph, out)
        });
    }
}
