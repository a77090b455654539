// Bounds of Rust's library, as host code has them.

use meerkat::prelude::*;

#[device]
fn widest<T: DeviceType + Ord>(a: T, b: T) -> T {
    a.max(b)
}

#[device]
fn sum<T: DeviceType + std::ops::Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

#[device]
fn half<T: Into<f32> + DeviceType>(value: T) -> f32 {
    value.into() / 2.0
}

#[device]
fn empty<T>(value: T) -> T
where
    T: DeviceType + Default,
{
    T::default()
}

fn main() {}
