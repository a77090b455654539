//! The values that a batch brings for columns of edges.

use super::column::{Columns, EdgeColumn, ValueType};
use crate::Error;
use crate::device::{Device, DeviceBuffer};
use crate::device_type::{DeviceType, Element};
use crate::view::DeviceSlice;
use std::fmt;

/// Values of some type on the device.
trait AnyValues: fmt::Debug + Send + Sync {
    fn length(&self) -> usize;
    fn words(&self) -> DeviceSlice<u32>;
    fn value(&self) -> ValueType;
    fn check_device(&self, device: &Device) -> Result<(), Error>;
}

impl<T: DeviceType + fmt::Debug> AnyValues for DeviceBuffer<T> {
    fn length(&self) -> usize {
        self.len()
    }
    fn words(&self) -> DeviceSlice<u32> {
        self.plain_words()
    }
    fn value(&self) -> ValueType {
        ValueType::of::<T>()
    }
    fn check_device(&self, device: &Device) -> Result<(), Error> {
        DeviceBuffer::check_device(self, device)
    }
}

/// The values of a batch: of each column that is named, one for each update, in order. Those beside
/// deletions do not count, nor those of an update that another of the same edge follows.
#[derive(Debug, Default)]
pub struct EdgeValues {
    parts: Vec<(usize, Box<dyn AnyValues>)>,
}

impl EdgeValues {
    /// None: edges that are there keep theirs, others get the columns' defaults.
    pub fn none() -> Self {
        Self::default()
    }

    /// Also these, from host memory. Queued on CUDA, once they have been read.
    ///
    /// # Errors
    /// No memory.
    pub fn with<E: Element>(
        self,
        device: &Device,
        column: EdgeColumn<E>,
        values: &[E::Value],
    ) -> Result<Self, Error>
    where
        E::Value: fmt::Debug,
    {
        let values = DeviceBuffer::<E::Value>::from_slice(device, values)?;
        Ok(self.with_buffer(column, values))
    }

    /// Also these, which are on the device.
    #[must_use]
    pub fn with_buffer<E: Element>(
        mut self,
        column: EdgeColumn<E>,
        values: DeviceBuffer<E::Value>,
    ) -> Self
    where
        E::Value: fmt::Debug,
    {
        self.parts.push((column.number, Box::new(values)));
        self
    }

    /// Refuses values that do not fit the columns, or a batch of so many updates.
    pub(super) fn check(
        &self,
        columns: &Columns,
        device: &Device,
        updates: usize,
    ) -> Result<(), Error> {
        self.parts.iter().try_for_each(|(number, values)| {
            values.check_device(device)?;
            columns.check(*number, values.value(), values.length(), updates)
        })
    }

    /// Stores them as those of the edges of these ids. Queued on CUDA.
    pub(super) fn store(&self, columns: &Columns, ids: DeviceSlice<u32>) -> Result<(), Error> {
        let mut parts = self.parts.iter();
        parts.try_for_each(|(number, values)| columns.store(*number, ids, values.words()))
    }
}
