// An enum, as a parameter, in a `match`, and under a cast.

use meerkat::prelude::*;

#[derive(Clone, Copy)]
enum Color {
    Red,
    Blue,
}

#[device]
fn weight(c: u32) -> u32 {
    match c {
        x if x == Color::Red as u32 => 1,
        _ => Color::Blue as u32,
    }
}

#[device]
fn of_color(c: Color) -> u32 {
    match c {
        Color::Red => 1,
        Color::Blue => 2,
    }
}

fn main() {
    let _ = (Color::Red, Color::Blue);
}
