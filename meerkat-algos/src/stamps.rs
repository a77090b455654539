//! Marks of vertices that need no clearing: a mark counts while it equals the current stamp.

use meerkat_runtime::prelude::*;

/// A mark for each vertex, and the stamp of the current round. Before the stamps run out, all
/// marks are cleared and the stamps begin again.
#[derive(Debug)]
pub(crate) struct Stamps {
    marks: DeviceBuffer<Atomic<u32>>,
    current: u32,
}

impl Stamps {
    /// The stamp 1, which nothing has.
    pub(crate) fn new(device: &Device, count: usize) -> Result<Self, Error> {
        Ok(Stamps { marks: DeviceBuffer::zeroed(device, count)?, current: 1 })
    }

    /// Goes on with marks that no stamp has.
    pub(crate) fn grow(&mut self, count: usize) -> Result<(), Error> {
        self.marks = self.marks.extended(count, 0)?;
        Ok(())
    }

    /// As new.
    pub(crate) fn restart(&mut self) -> Result<(), Error> {
        self.marks.fill(0)?;
        self.current = 1;
        Ok(())
    }

    pub(crate) fn marks(&self) -> &DeviceBuffer<Atomic<u32>> {
        &self.marks
    }

    /// The stamp of the current round.
    pub(crate) fn current(&self) -> u32 {
        self.current
    }

    /// Begins another round, whose stamp nothing has.
    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        self.reserve(1)?;
        self.current += 1;
        Ok(())
    }

    /// Makes sure that this many stamps follow the current one. Where they would not, clears
    /// all marks, also those of the current round.
    pub(crate) fn reserve(&mut self, count: u32) -> Result<(), Error> {
        if u32::MAX - self.current < count { self.restart() } else { Ok(()) }
    }

    /// Goes past the stamps of rounds that were reserved.
    pub(crate) fn skip(&mut self, rounds: u32) {
        self.current = self.current.saturating_add(rounds);
    }

    /// Back to a stamp that is not below any used one.
    pub(crate) fn rewind(&mut self, stamp: u32) {
        self.current = stamp;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearly_over(left: u32) -> Stamps {
        let marks = DeviceBuffer::filled(&Device::cpu(), 2, 7).expect("marks");
        Stamps { marks, current: u32::MAX - left }
    }

    #[test]
    fn the_round_after_the_last_stamp_begins_with_cleared_marks() {
        let mut stamps = nearly_over(1);
        stamps.advance().expect("the last stamp");
        assert_eq!(stamps.current(), u32::MAX);
        assert_eq!(stamps.marks().to_vec().expect("marks"), [7, 7]);
        stamps.advance().expect("a new stamp");
        assert_eq!(stamps.marks().to_vec().expect("marks"), [0, 0]);
        assert!(stamps.current() > 0 && stamps.current() < 10);
    }

    #[test]
    fn reserved_stamps_do_not_wrap() {
        let mut stamps = nearly_over(10);
        stamps.reserve(10).expect("room");
        assert_eq!(stamps.current(), u32::MAX - 10);
        stamps.reserve(11).expect("room");
        assert_eq!(stamps.marks().to_vec().expect("marks"), [0, 0]);
        assert!(stamps.current().checked_add(11).is_some());
    }
}
