//! User-defined reductions: what a walk may gather besides sums, flags, minima and maxima.

use crate::Vertex;
use crate::number::Number;
use crate::program::{Entry, named};
use crate::scalar::select;
use meerkat_macros::{DeviceStruct, device};
use std::marker::PhantomData;

/// Values that a walk joins into one: `best = best.join(..)` in the closure of
/// `for_each_neighbor`.
///
/// The lanes that share a vertex join what each has gathered, in any order and grouping,
/// beginning with [`IDENTITY`](Reduce::IDENTITY). So that every schedule gives the same
/// answer, `join` must be commutative and associative, and `IDENTITY` must change nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is gathered with `join`, but does not implement `Reduce`",
    label = "joined by several lanes at once",
    note = "help: implement it: `#[device] impl Reduce for {Self}`, with the value that changes \
            nothing, `const IDENTITY`, and `fn join(self, other: Self) -> Self`"
)]
#[device]
pub trait Reduce {
    /// What changes nothing: `IDENTITY.join(x)` is `x`.
    const IDENTITY: Self;
    /// The two values combined.
    #[must_use]
    fn join(self, other: Self) -> Self;
}

/// The vertex with the smallest key, and that key: of equal keys the smaller vertex.
///
/// ```text
/// let mut nearest = ArgMin::<f32>::IDENTITY;
/// for_each_neighbor(graph, v, true, |dst, weight| {
///     nearest = nearest.join(ArgMin { key: weight, vertex: dst });
/// });
/// ```
///
/// Without any, its vertex is `u32::MAX`. A key that is NaN is never chosen.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
pub struct ArgMin<K: Number> {
    /// What is compared.
    pub key: K,
    /// The vertex with this key.
    pub vertex: Vertex,
}

/// The vertex with the largest key, and that key: of equal keys the smaller vertex.
///
/// As [`ArgMin`]; without any, its vertex is `u32::MAX`, and NaN is never chosen.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
pub struct ArgMax<K: Number> {
    /// What is compared.
    pub key: K,
    /// The vertex with this key.
    pub vertex: Vertex,
}

#[device]
impl<K: Number> Reduce for ArgMin<K> {
    const IDENTITY: ArgMin<K> = ArgMin { key: K::MAX, vertex: u32::MAX };
    fn join(self, other: ArgMin<K>) -> ArgMin<K> {
        let first = other.key < self.key || other.key == self.key && other.vertex < self.vertex;
        let none = self.vertex == u32::MAX || self.key != self.key;
        let some = other.vertex != u32::MAX && other.key == other.key;
        select(some && (none || first), other, self)
    }
}

#[device]
impl<K: Number> Reduce for ArgMax<K> {
    const IDENTITY: ArgMax<K> = ArgMax { key: K::MIN, vertex: u32::MAX };
    fn join(self, other: ArgMax<K>) -> ArgMax<K> {
        let first = other.key > self.key || other.key == self.key && other.vertex < self.vertex;
        let none = self.vertex == u32::MAX || self.key != self.key;
        let some = other.vertex != u32::MAX && other.key == other.key;
        select(some && (none || first), other, self)
    }
}

/// The identity of a reduction: its value for the CPU, its text for CUDA.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Identity<T> {
    /// The value.
    pub value: T,
    /// Its text.
    pub entry: Entry,
}

/// The identity of a type.
#[doc(hidden)]
#[inline]
pub fn identity<T: Reduce>(_: PhantomData<T>) -> Identity<T> {
    let entry = named(|program| program.constant("IDENTITY", T::IDENTITY));
    Identity { value: T::IDENTITY, entry }
}

/// The type of a value.
#[doc(hidden)]
#[inline]
pub fn of<T>(_: &T) -> PhantomData<T> {
    PhantomData
}
