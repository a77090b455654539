//! Sparse matrix times vector.

use meerkat::algos::spmv;
use meerkat::prelude::*;
use meerkat::runtime::ErrorKind;

use super::random_graphs;
use super::spmv_matrix::{Matrix, TestWeight, product, real, vector};
use super::support::devices;
use super::support::graphs::random_arcs;
use super::support::random::Random;

/// Compares over all containers, in both precisions.
fn check_containers<W: TestWeight>(device: &Device, matrix: &Matrix<W>, seed: u64, what: &str) {
    let slabs = matrix.slabs(device);
    let compact = CompactGraph::of(&slabs).expect("compact slabs");
    let blocks = BlockGraph::of(&slabs).expect("block arrays");
    let rows = RowGraph::of(&slabs).expect("rows");
    let mut random = Random::new(seed);
    let double: Vec<f64> = vector(matrix.n, |_| real(&mut random));
    let single: Vec<f32> = vector(matrix.n, |v| double[v as usize]);
    matrix.check(&slabs, &double, &format!("{what}, slabs, f64"));
    matrix.check(&compact, &double, &format!("{what}, compact slabs, f64"));
    matrix.check(&blocks, &double, &format!("{what}, block arrays, f64"));
    matrix.check(&rows, &double, &format!("{what}, rows, f64"));
    matrix.check(&slabs, &single, &format!("{what}, slabs, f32"));
    matrix.check(&compact, &single, &format!("{what}, compact slabs, f32"));
    matrix.check(&blocks, &single, &format!("{what}, block arrays, f32"));
    matrix.check(&rows, &single, &format!("{what}, rows, f32"));
}

fn check_weights(device: &Device, n: u32, places: &[(u32, u32)], what: &str) {
    let mut random = Random::new(u64::from(n) + 1);
    let random = &mut random;
    check_containers(device, &Matrix::<()>::at(n, places, random), 1, &format!("{what}, ()"));
    check_containers(device, &Matrix::<u32>::at(n, places, random), 2, &format!("{what}, u32"));
    check_containers(device, &Matrix::<i32>::at(n, places, random), 3, &format!("{what}, i32"));
    check_containers(device, &Matrix::<f32>::at(n, places, random), 4, &format!("{what}, f32"));
}

#[test]
fn spmv_of_random_matrices_is_that_of_a_serial_loop_under_every_schedule() {
    for device in devices::devices() {
        for schedule in Schedule::ALL.into_iter().chain([Schedule::Auto]) {
            let device = device.clone().with_schedule(schedule);
            for (n, places) in random_graphs() {
                check_weights(&device, n, &places, &format!("{n} vertices, {schedule:?}"));
            }
        }
    }
}

/// A row of all columns among short ones: more than 64 lists in every container.
fn with_hub(n: u32) -> Vec<(u32, u32)> {
    let hub = n / 2;
    let row = (0..n).map(|v| (hub, v));
    row.chain((0..n).map(|v| (v, hub))).chain(random_arcs(n, 2 * n, 9)).collect()
}

#[test]
fn a_row_of_3000_entries_sums_up_under_every_schedule() {
    let places = with_hub(3000);
    for device in devices::devices() {
        for schedule in Schedule::ALL {
            let device = device.clone().with_schedule(schedule);
            check_weights(&device, 3000, &places, &format!("a hub, {schedule:?}"));
        }
    }
}

#[test]
fn matrices_without_entries_give_zeros_and_overwrite_what_was_there() {
    for device in devices::devices() {
        for n in [0, 1, 33, 400] {
            let matrix = Matrix::<f32>::at(n, &[], &mut Random::new(1));
            let slabs = matrix.slabs(&device);
            assert_eq!(product(&slabs, &vec![f64::NAN; n as usize]), vec![0.0; n as usize]);
            let rows = RowGraph::of(&slabs).expect("rows");
            assert_eq!(product(&rows, &vec![f32::NAN; n as usize]), vec![0.0; n as usize]);
            let compact = CompactGraph::of(&slabs).expect("compact slabs");
            assert_eq!(product(&compact, &vec![f32::NAN; n as usize]), vec![0.0; n as usize]);
            let blocks = BlockGraph::of(&slabs).expect("block arrays");
            assert_eq!(product(&blocks, &vec![f32::NAN; n as usize]), vec![0.0; n as usize]);
        }
    }
}

#[test]
fn columns_without_an_entry_do_not_count_whatever_x_has_there() {
    let mut random = Random::new(3);
    // Even columns alone, and rows from none to many.
    let places: Vec<_> = random_arcs(500, 3000, 4).into_iter().map(|(u, v)| (u, v & !1)).collect();
    let matrix = Matrix::<i32>::at(500, &places, &mut random);
    let x: Vec<f64> = vector(500, |v| if v % 2 == 0 { f64::from(v) } else { f64::NAN });
    for device in devices::devices() {
        let slabs = matrix.slabs(&device);
        matrix.check(&slabs, &x, "slabs");
        matrix.check(&RowGraph::of(&slabs).expect("rows"), &x, "rows");
        matrix.check(&CompactGraph::of(&slabs).expect("compact slabs"), &x, "compact slabs");
    }
}

#[test]
fn unit_vectors_pick_the_40_columns_exactly() {
    let matrix = Matrix::<u32>::at(40, &random_arcs(40, 600, 5), &mut Random::new(5));
    for device in devices::devices() {
        let graph = matrix.slabs(&device);
        for column in 0..40u32 {
            let unit = |v| f64::from(u8::from(v == column));
            let weight = |row| matrix.entries.get(&(row, column)).copied().unwrap_or(0);
            let expected: Vec<f64> = (0..40).map(|row| f64::from(weight(row))).collect();
            assert_eq!(product(&graph, &vector::<f64>(40, unit)), expected);
            // Weights beyond 2^24 are rounded to the nearest.
            let nearest: Vec<f32> = (0..40).map(|row| weight(row) as f32).collect();
            assert_eq!(product(&graph, &vector::<f32>(40, unit)), nearest);
        }
    }
}

#[test]
fn products_are_linear_exactly_in_whole_numbers_and_within_rounding_in_others() {
    let places = random_arcs(700, 9000, 6);
    let mut random = Random::new(7);
    let whole = Matrix::<()>::at(700, &places, &mut random);
    let reals = Matrix::<f32>::at(700, &places, &mut random);
    let mut number = || f64::from(random.below(1000));
    let (a, b) = (vector::<f64>(700, |_| number()), vector::<f64>(700, |_| number()));
    let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    for device in devices::devices() {
        let graph = whole.slabs(&device);
        let both = product(&graph, &a).into_iter().zip(product(&graph, &b));
        assert_eq!(both.map(|(a, b)| a + b).collect::<Vec<_>>(), product(&graph, &sum));

        let graph = reals.slabs(&device);
        let parts = [&a, &b, &sum].map(|x| (product(&graph, x), reals.times(x)));
        let [(of_a, in_a), (of_b, in_b), (of_sum, in_sum)] = &parts;
        for v in 0..700 {
            let most = [in_a, in_b, in_sum].map(|sums| sums[v].rounding::<f64>());
            let off = (of_a[v] + of_b[v] - of_sum[v]).abs();
            assert!(off <= most.iter().sum::<f64>(), "y[{v}] is off by {off:e}");
        }
    }
}

#[test]
fn double_precision_keeps_what_single_loses() {
    // 2^24 + 1 - 2^24: in single precision the one is lost, in whatever order it is added.
    let entry = |dst, weight| Edge { src: 0, dst, weight };
    let edges = [entry(0, 1 << 25), entry(1, 1), entry(2, -(1 << 25))];
    for device in devices::devices() {
        let graph = SlabGraph::<i32>::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT);
        let graph = graph.expect("a graph");
        assert_eq!(product(&graph, &[1.0f64; 3]), [1.0, 0.0, 0.0]);
        let single = product(&graph, &[1.0f32; 3])[0];
        assert!(single == 0.0 || single == 1.0, "{single}");
        let edges = [entry(0, i32::MIN), entry(1, 0), entry(2, 0)];
        let least = SlabGraph::<i32>::from_edges(&device, 3, &edges, &SlabOptions::DEFAULT);
        assert_eq!(product(&least.expect("a graph"), &[1.0f32; 3])[0], -(2f32.powi(31)));
    }
}

#[test]
fn an_undirected_graph_is_a_symmetric_matrix() {
    let mut matrix = Matrix::<f32>::at(300, &random_arcs(300, 1500, 8), &mut Random::new(8));
    matrix.entries.retain(|(u, v), _| u <= v);
    let edges = matrix.edges();
    matrix.entries.extend(edges.iter().map(|edge| ((edge.dst, edge.src), edge.weight)));
    let x = vector::<f64>(300, |v| 1.0 / f64::from(v + 1));
    for device in devices::devices() {
        let options = SlabOptions::DEFAULT.undirected();
        let graph = SlabGraph::from_edges(&device, 300, &edges, &options).expect("a graph");
        matrix.check(&graph, &x, "slabs");
        matrix.check(&RowGraph::of(&graph).expect("rows"), &x, "rows");
    }
}

#[test]
fn a_product_has_the_same_bits_each_time() {
    let matrix = Matrix::<f32>::at(3000, &with_hub(3000), &mut Random::new(9));
    let mut random = Random::new(10);
    let x = vector::<f32>(3000, |_| real(&mut random));
    for device in devices::devices() {
        let graph = matrix.slabs(&device);
        let bits = |y: Vec<f32>| y.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let first = bits(product(&graph, &x));
        for _ in 0..5 {
            assert_eq!(bits(product(&graph, &x)), first);
        }
    }
}

#[test]
fn vectors_that_do_not_fit_are_refused_and_nothing_is_written() {
    let device = Device::cpu();
    let graph = Matrix::<u32>::at(5, &[(0, 1), (4, 4)], &mut Random::new(1)).slabs(&device);
    let ones = |count| DeviceBuffer::<f32>::filled(&device, count, 1.0).expect("memory");
    for (of_x, of_y, vector, length) in
        [(4, 5, "x", 4), (6, 5, "x", 6), (5, 4, "y", 4), (5, 0, "y", 0)]
    {
        let mut y = ones(of_y);
        let error = spmv::multiply(&graph, &ones(of_x), &mut y).expect_err("another length");
        let expected = format!(
            "the vector `{vector}` has {length} elements and the graph 5 vertices; pass one element \
             for each"
        );
        assert_eq!(error.to_string(), expected);
        assert_eq!(y.to_vec().expect("y"), vec![1.0; of_y]);
    }
    let options = SlabOptions::DEFAULT.oriented(Orientation::In);
    let edges = [Edge { src: 0, dst: 1, weight: () }];
    let graph = SlabGraph::from_edges(&device, 5, &edges, &options).expect("a graph");
    let error = spmv::multiply(&graph, &ones(5), &mut ones(5)).expect_err("in-edges alone");
    assert!(matches!(error.kind(), ErrorKind::OrientationMissing { wanted: "out" }), "{error}");
}

#[test]
fn vectors_on_another_device_are_refused() {
    let Some(device) = devices::cuda() else { return };
    let other = Device::cpu();
    for n in [0, 5] {
        let graph = Matrix::<()>::at(n, &[], &mut Random::new(1)).slabs(&device);
        let ones = |on| DeviceBuffer::<f64>::filled(on, n as usize, 1.0).expect("memory");
        for (of_x, of_y) in [(&other, &device), (&device, &other)] {
            let refused = spmv::multiply(&graph, &ones(of_x), &mut ones(of_y));
            let error = refused.expect_err("another device");
            assert!(matches!(error.kind(), ErrorKind::WrongDevice { .. }), "{error}");
        }
    }
}
