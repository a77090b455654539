//! How generated code has rustc check a function once, in the user's own words.
//!
//! A function is emitted as its author wrote it and in lock step. Were both
//! checked, every type error would be reported twice, so the types of the second
//! wait for the first: they are projections through a constant that exists only
//! if the first has none.

mod any;

pub use crate::number::Comparable;
pub use any::AnyDeviceType;

use crate::neighbors::{Neighbors, UpdatedNeighbors};
use crate::program::{Argument, Entry, Program};
use crate::{DeviceSlice, DeviceType};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// What is the same type once a function is known to be right.
#[derive(Debug)]
pub struct Typed;

/// `T`, if `ERRORS` is a number; the error that it is otherwise, which rustc has
/// reported already and does not repeat.
pub trait Checked<const ERRORS: usize> {
    /// `T`.
    type Of<T>;
}

impl Checked<0> for Typed {
    type Of<T> = T;
}

/// An index into a slice or a small array, which a kernel indexes alike.
#[derive(Debug)]
pub struct At(u32);

/// What a kernel indexes by.
#[diagnostic::on_unimplemented(
    message = "an index is a `u32`, not `{Self}`",
    label = "not a `u32`",
    note = "write `.. as u32` where it fits in 32 bits"
)]
pub trait Position {
    /// The number.
    fn position(self) -> u32;
}

impl Position for u32 {
    fn position(self) -> u32 {
        self
    }
}

/// What the author's `x[index]` becomes.
pub fn at<I: Position>(index: I) -> At {
    At(index.position())
}

impl<T> Index<At> for [T] {
    type Output = T;
    fn index(&self, At(index): At) -> &T {
        &self[index as usize]
    }
}

impl<T> IndexMut<At> for [T] {
    fn index_mut(&mut self, At(index): At) -> &mut T {
        &mut self[index as usize]
    }
}

impl<E> Index<At> for DeviceSlice<E> {
    type Output = E;
    #[track_caller]
    fn index(&self, At(index): At) -> &E {
        self.at(index)
    }
}

impl<E> IndexMut<At> for DeviceSlice<E> {
    #[track_caller]
    fn index_mut(&mut self, At(index): At) -> &mut E {
        self.at_own_item(index)
    }
}

/// Ties witnesses to the graph of a walk, and to what it walks over; what its edges carry.
pub fn walk_of<G: Neighbors>(
    _: PhantomData<(G,)>,
    _: PhantomData<G::Lists>,
    _: PhantomData<G::Chunk>,
    _: G,
) -> G::Carried {
    unreachable!("only ever checked")
}

/// A graph, or a reference to one, as a walk takes it: `&graph` of what is one already.
pub trait AsGraph {
    /// It.
    fn as_graph(&self) -> &Self {
        self
    }
}

impl<G: Neighbors> AsGraph for G {}

/// Ties witnesses to a graph and to the graph of its updates, which it is.
pub fn updated_of<G: UpdatedNeighbors>(
    _: PhantomData<(G,)>,
    _: PhantomData<G::Updated>,
    _: G,
) -> G::Updated {
    unreachable!("only ever checked")
}

/// The type that a witness was tied to.
pub fn type_of<T: DeviceType>(_: PhantomData<T>) -> Entry {
    Entry { name: T::cuda_name, literal: T::literal }
}

/// The type that a number right under a cast to `T` has.
pub fn hint_of<T: DeviceType>() -> Entry {
    Entry { name: T::cuda_name, literal: T::literal_under_cast }
}

/// A side of a comparison.
pub fn comparable<T: Comparable>(value: T) -> T {
    value
}

/// What has the methods of numbers.
#[diagnostic::on_unimplemented(
    message = "in a kernel this is a method of numbers, and `{Self}` is none",
    note = "give a method of your own another name, and write `#[device]` above its `impl`"
)]
pub trait HasMethodsOfNumbers {}

#[diagnostic::do_not_recommend]
impl<T: crate::Number> HasMethodsOfNumbers for T {}

/// What a method of numbers is called on.
pub fn number<T: HasMethodsOfNumbers>(value: T) -> T {
    value
}

/// Confirms that a word is the language's: no other function of this name is in sight.
pub fn word_of_the_language<F>(_: F, _: F) {}

/// The type `T` under the name that it has everywhere.
#[diagnostic::on_unimplemented(
    message = "in this module the name of a number type means `{Self}`",
    note = "device code needs number types under their own names; rename the alias"
)]
pub trait Primitive<T> {}

impl<T> Primitive<T> for T {}

/// Confirms that a number type has its own name.
pub fn primitive<T, Named: Primitive<T>>() {}

/// How deep device functions may call each other.
pub const DEPTH: u32 = 32;

/// The group of a function whose calls go deeper: it calls itself.
pub const ENDLESS: u32 = u32::MAX;

/// How many lanes must agree on an argument of a call; 0 where there is no such parameter,
/// of which rustc tells.
pub const fn agreed(params: &[u32], at: usize) -> u32 {
    if at < params.len() { params[at] } else { 0 }
}

/// Whether a function that waits for `group` lanes may be called where `whole`
/// lanes are sure to arrive; of one that calls itself, rustc has reported already.
pub const fn fits(group: u32, whole: u32) -> bool {
    group <= whole || group == ENDLESS
}

macro_rules! markers {
    ($($marker:ident $ty:ident;)*) => {$(
        /// Stands for a value among the type arguments of an instance.
        #[derive(Debug)]
        pub struct $marker<const VALUE: $ty>;

        impl<const VALUE: $ty> Argument for $marker<VALUE> {
            fn name(_program: &mut Program) -> String {
                format!("Const<{}>", VALUE as u64)
            }
        }
    )*};
}

markers! {
    ConstU32 u32;
    ConstUsize usize;
    ConstBool bool;
}

/// An array in the registers of a lane.
#[diagnostic::on_unimplemented(
    message = "two lanes may write the same element of this slice",
    label = "not an array of the lane's own",
    note = "memory is written through `&mut [T]` or `&[Atomic<T>]` parameters"
)]
pub trait LaneArray {}

impl<T, const N: usize> LaneArray for [T; N] {}

/// Confirms that what is written by an index is no slice.
pub fn lane_array<A: LaneArray>(_: &A) {}
