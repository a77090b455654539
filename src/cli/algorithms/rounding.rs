//! How far sums of products may be apart that are added up in another order or precision.

use meerkat::runtime::Float;

/// How far a sum may be from that of plain code in double precision.
pub(super) struct Bounds {
    /// Of the sum of magnitudes.
    relative: f64,
    /// What products lose where numbers are so small that they have fewer digits.
    absolute: f64,
    /// The largest number of the sum's type.
    largest: f64,
}

impl Bounds {
    /// For a sum of so many products, in numbers of type `R`. Half a unit is lost when a factor is
    /// rounded to that type, when it is multiplied, and in each addition, on either side; so in
    /// single precision it is twice what it needs.
    pub(super) fn of_row<R: Float>(length: usize) -> Self {
        let (unit, least) = match size_of::<R>() {
            4 => (f64::from(f32::EPSILON), f64::from(f32::MIN_POSITIVE)),
            _ => (f64::EPSILON, f64::MIN_POSITIVE),
        };
        Self {
            relative: unit * (length + 1) as f64,
            absolute: least * length as f64,
            largest: R::MAX.to_f64(),
        }
    }

    /// Whether the sum that was found may stand for this one, of products of this magnitude.
    pub(super) fn allow(&self, found: f64, sum: f64, magnitude: f64) -> bool {
        // The sum may have passed the largest number on its way.
        let overflows = magnitude * (1.0 + self.relative) > self.largest;
        let most = magnitude * self.relative + self.absolute;
        overflows && !found.is_finite() || (found - sum).abs() <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_wrong_beyond_a_unit_for_each_product_and_one_more() {
        let (single, double) = (Bounds::of_row::<f32>(3), Bounds::of_row::<f64>(3));
        let off = |units: f64| 10.0 + 10.0 * units * f64::from(f32::EPSILON);
        assert!(single.allow(off(3.9), 10.0, 10.0));
        assert!(!single.allow(off(4.1), 10.0, 10.0));
        assert!(!double.allow(off(0.1), 10.0, 10.0));
        assert!(!single.allow(f64::NAN, 10.0, 10.0));
    }

    #[test]
    fn only_a_sum_past_the_largest_number_may_be_infinite() {
        let single = Bounds::of_row::<f32>(2);
        assert!(single.allow(f64::INFINITY, 1e39, 1e39));
        assert!(!single.allow(f64::INFINITY, 1e30, 1e30));
    }
}
