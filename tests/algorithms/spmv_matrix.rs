//! Matrices of random entries, and their products by a plain loop in double precision.

use std::collections::BTreeMap;

use meerkat::algos::spmv::{self, Entry};
use meerkat::prelude::*;

use super::support::random::Random;

/// A weight that tests make up, and its value by Rust's own conversions.
pub(crate) trait TestWeight: Weight + Entry<f32> + Entry<f64> + Copy + PartialEq {
    fn random(random: &mut Random) -> Self;
    fn value(self) -> f64;
}

impl TestWeight for () {
    fn random(_: &mut Random) {}
    fn value(self) -> f64 {
        1.0
    }
}

impl TestWeight for u32 {
    fn random(random: &mut Random) -> u32 {
        random.next() >> random.below(31)
    }
    fn value(self) -> f64 {
        self.into()
    }
}

impl TestWeight for i32 {
    fn random(random: &mut Random) -> i32 {
        random.next() as i32 >> random.below(31)
    }
    fn value(self) -> f64 {
        self.into()
    }
}

impl TestWeight for f32 {
    fn random(random: &mut Random) -> f32 {
        real(random) as f32
    }
    fn value(self) -> f64 {
        self.into()
    }
}

/// A number of either sign, most of them near 1.
pub(crate) fn real(random: &mut Random) -> f64 {
    let part = f64::from(random.next()) / 2f64.powi(30) - 1.0;
    part * 2f64.powi(random.below(9) as i32 - 4)
}

/// The numbers as `T`, exactly.
pub(crate) fn vector<T: Float>(n: u32, mut number: impl FnMut(u32) -> f64) -> Vec<T> {
    (0..n).map(|v| T::from_f64(number(v))).collect()
}

/// A matrix by its entries: what is not there is 0.
#[derive(Clone)]
pub(crate) struct Matrix<W> {
    pub(crate) n: u32,
    pub(crate) entries: BTreeMap<(u32, u32), W>,
}

impl<W: TestWeight> Matrix<W> {
    /// Random entries at these places.
    pub(crate) fn at(n: u32, places: &[(u32, u32)], random: &mut Random) -> Self {
        let entries = places.iter().map(|&place| (place, W::random(random))).collect();
        Matrix { n, entries }
    }

    pub(crate) fn edges(&self) -> Vec<Edge<W>> {
        let edge = |(&(src, dst), &weight): (&(u32, u32), &W)| Edge { src, dst, weight };
        self.entries.iter().map(edge).collect()
    }

    pub(crate) fn slabs(&self, device: &Device) -> SlabGraph<W> {
        let edges = self.edges();
        SlabGraph::from_edges(device, self.n, &edges, &SlabOptions::DEFAULT).expect("a graph")
    }

    /// The product by a serial loop.
    pub(crate) fn times<T: Float>(&self, x: &[T]) -> Vec<Sum> {
        let mut sums = vec![Sum::default(); self.n as usize];
        for (&(row, column), &weight) in &self.entries {
            sums[row as usize].add(weight.value() * x[column as usize].to_f64());
        }
        sums
    }

    /// Compares the product over a container with that of the serial loop.
    #[track_caller]
    pub(crate) fn check<T: Float>(&self, graph: &impl Container<Carried = W>, x: &[T], what: &str)
    where
        W: Entry<T>,
    {
        let found = product(graph, x);
        for (v, (found, expected)) in found.iter().zip(self.times(x)).enumerate() {
            let (found, most) = (found.to_f64(), expected.rounding::<T>());
            let Sum { sum, terms, .. } = expected;
            let off = (found - sum).abs();
            assert!(off <= most, "{what}: y[{v}] = {found:e} for {sum:e}, of {terms} entries");
        }
    }
}

/// An element of a product.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) sum: f64,
    /// Of the products without their signs: what rounding is relative to.
    magnitude: f64,
    terms: u32,
}

impl Sum {
    fn add(&mut self, product: f64) {
        self.sum += product;
        self.magnitude += product.abs();
        self.terms += 1;
    }

    /// How far a sum of `T`, in any order, may be from this one: half a unit for each weight that
    /// is rounded, each product and each addition, here and there.
    pub(crate) fn rounding<T: Float>(&self) -> f64 {
        f64::from(self.terms + 1) * epsilon::<T>() * self.magnitude
    }
}

pub(crate) fn epsilon<T: Float>() -> f64 {
    if size_of::<T>() == 4 { f32::EPSILON.into() } else { f64::EPSILON }
}

/// The product over a container, where `y` held something else before.
#[track_caller]
pub(crate) fn product<T: Float, C: Container<Carried: Entry<T>>>(graph: &C, x: &[T]) -> Vec<T> {
    let device = graph.device();
    let x = DeviceBuffer::from_slice(device, x).expect("memory");
    let before = T::from_f64(f64::NAN);
    let mut y = DeviceBuffer::filled(device, x.len(), before).expect("memory");
    spmv::multiply(graph, &x, &mut y).expect("a product");
    y.to_vec().expect("the product")
}
