//! The records of a file so far, as columns.

use super::column::Column;
use super::error::ReadError;
use super::lines::Line;
use super::record::{Layout, Record};
use super::time::{TimeScale, TimeTooLarge, Times};

/// The records of a file as columns. `V` is an id of the file (`u64`) until the
/// vertices are known, and a dense vertex index (`u32`) from then on.
pub(super) struct Records<V> {
    pub sources: Vec<V>,
    pub destinations: Vec<V>,
    pub weights: Option<Vec<f64>>,
    times: Option<Times>,
}

impl<V> Records<V> {
    pub(super) fn with_capacity(layout: &Layout, records: usize) -> Self {
        let has = |column| layout.columns.has(column);
        Self {
            sources: Vec::with_capacity(records),
            destinations: Vec::with_capacity(records),
            weights: has(Column::Weight).then(|| Vec::with_capacity(records)),
            times: has(Column::Time).then(|| Times::with_capacity(layout.time_unit, records)),
        }
    }

    /// Appends the record of `line` with its endpoints given as `source` and
    /// `destination`.
    #[inline]
    pub(super) fn push(
        &mut self,
        line: &Line<'_>,
        source: V,
        destination: V,
        record: &Record,
    ) -> Result<(), ReadError> {
        self.sources.push(source);
        self.destinations.push(destination);
        if let Some(weights) = &mut self.weights {
            weights.push(record.weight);
        }
        if let Some(times) = &mut self.times {
            times.push(record.time).map_err(|TimeTooLarge| ReadError::TimeTooLarge {
                place: line.place(),
                found: line.quote(),
            })?;
        }
        Ok(())
    }

    pub(super) fn len(&self) -> u64 {
        self.sources.len() as u64
    }

    /// What 1 means in [`Records::times`].
    pub(super) fn time_scale(&self) -> TimeScale {
        self.times.as_ref().map_or_else(TimeScale::default, |times| times.scale)
    }

    /// The same records, with other endpoints.
    pub(super) fn with_endpoints<U>(self, sources: Vec<U>, destinations: Vec<U>) -> Records<U> {
        Records { sources, destinations, weights: self.weights, times: self.times }
    }

    /// The times of the records, where they have times.
    pub(super) fn times(self) -> Option<Vec<i64>> {
        self.times.map(|times| times.values)
    }
}
