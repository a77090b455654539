//! Axes: their ranges, and what stands at their ticks.

use crate::cli::bench::paper::text::short;

/// Values that differ by more have a logarithmic axis.
const MOST_LINEAR: f64 = 60.0;

/// The vertical axis of values above 0.
pub(super) enum Vertical {
    /// From 0.
    Linear(f64),
    Logarithmic(f64, f64),
}

impl Vertical {
    /// For values from `least` to `most`.
    pub(super) fn of((least, most): (f64, f64)) -> Self {
        if most / least > MOST_LINEAR {
            Self::Logarithmic(decade_below(least), decade_above(most))
        } else {
            Self::Linear(most * 1.1)
        }
    }
}

/// The power of ten at or below a number.
fn decade_below(number: f64) -> f64 {
    10f64.powf(number.log10().floor())
}

/// The power of ten at or above a number, above the one below it.
fn decade_above(number: f64) -> f64 {
    10f64.powf(number.log10().ceil()).max(10.0 * decade_below(number))
}

/// What stands at a tick: few digits.
pub(super) fn tick(number: &f64) -> String {
    let number = (number * 1e9).round() / 1e9;
    match number.abs() {
        size if size >= 1024.0 && size.log2().fract() == 0.0 => format!("2^{}", size.log2()),
        size if (1e4..1e15).contains(&size) && number.fract() == 0.0 => thousands(number),
        size if size >= 1.0 && number.fract() != 0.0 => format!("{number:.1}"),
        size if (1e-3..1.0).contains(&size) => {
            format!("{number:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => short(number).replace(".0e", "e"),
    }
}

fn thousands(number: f64) -> String {
    let (number, unit) = match number.abs() {
        size if size >= 1e9 => (number / 1e9, "G"),
        size if size >= 1e6 => (number / 1e6, "M"),
        _ => (number / 1e3, "k"),
    };
    let digits = if number.fract() == 0.0 { 0 } else { 1 };
    format!("{number:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short_and_decades_whole() {
        let cases = [(0.0, "0"), (0.5, "0.5"), (2.5, "2.5"), (20000.0, "20k"), (65536.0, "2^16")];
        for (number, text) in cases {
            assert_eq!(tick(&number), text);
        }
        assert_eq!((decade_below(37.0), decade_above(37.0)), (10.0, 100.0));
        assert_eq!((decade_below(10.0), decade_above(10.0)), (10.0, 100.0));
    }
}
