//! How much of a stream is kept, and the batches that make it so.

use std::str::FromStr;

use meerkat::runtime::read::TimeScale;
use meerkat::runtime::timeline::Timeline;
use meerkat::runtime::{Batch, Weight};

/// Which records stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    /// The newest of this number.
    Records(usize),
    /// Those of the last seconds.
    Seconds(u64),
}

impl FromStr for Window {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "give a number of records, or a time as in 45s, 90m, 12h or 30d";
        let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
        let unit = units.into_iter().find(|(letter, _)| text.ends_with(*letter));
        let digits = if unit.is_some() { &text[..text.len() - 1] } else { text };
        let number = digits.parse::<u64>().ok().filter(|&number| number > 0).ok_or(FORM)?;
        match unit {
            Some((_, seconds)) => number.checked_mul(seconds).map(Self::Seconds).ok_or(FORM),
            None => usize::try_from(number).map(Self::Records).map_err(|_| FORM),
        }
    }
}

/// How records enter and leave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batches {
    /// Records of a batch, at least 1.
    pub(super) size: usize,
    /// Without one, all stay.
    pub(super) window: Option<Window>,
    pub(super) scale: TimeScale,
    /// Records of the timeline for each of the file.
    pub(super) records_each: usize,
}

impl Batches {
    /// How many there are.
    pub(super) fn count(self, records: usize) -> usize {
        records.div_ceil(self.size.saturating_mul(self.records_each).max(1))
    }

    /// The next records enter, and what the window does not hold any more leaves.
    pub(super) fn next<W: Weight + PartialOrd>(self, timeline: &mut Timeline<W>) -> Batch<W> {
        let mut batch = timeline.enter(self.size.saturating_mul(self.records_each));
        let present = timeline.present();
        let expired = match self.window {
            None => 0,
            Some(Window::Records(most)) => {
                present.len().saturating_sub(most.saturating_mul(self.records_each))
            }
            Some(Window::Seconds(most)) => {
                let newest = timeline.time(present.end - 1);
                let oldest = newest.saturating_sub(self.scale.ticks(most));
                present.take_while(|&record| timeline.time(record) < oldest).count()
            }
        };
        batch.extend(timeline.expire(expired).updates());
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_of_any_size_is_counted() {
        let scale = TimeScale::default();
        let of = |size| Batches { size, window: None, scale, records_each: 2 }.count(5);
        assert_eq!([1, 2, usize::MAX / 2 + 1, usize::MAX].map(of), [3, 2, 1, 1]);
    }

    #[test]
    fn a_window_is_a_number_of_records_or_a_time() {
        assert_eq!("1000".parse(), Ok(Window::Records(1000)));
        for (text, seconds) in [("45s", 45), ("90m", 5400), ("12h", 43_200), ("30d", 2_592_000)] {
            assert_eq!(text.parse(), Ok(Window::Seconds(seconds)), "{text}");
        }
        for text in ["", "0", "d", "-3d", "5w", "1.5h", "18446744073709551615d"] {
            assert!(text.parse::<Window>().is_err(), "{text}");
        }
    }
}
