//! A column in a file: its name, the name of its values' type, and its values as words.

use super::store::ColumnWords;
use crate::device::Device;
use crate::saved::{StateReader, StateWriter};
use crate::{Error, ErrorKind};

/// So many words go to a file at a time.
const AT_ONCE: u32 = 1 << 24;

/// A column of a file.
#[derive(Debug)]
pub(super) struct SavedColumn {
    name: String,
    /// The name of its values' type.
    value: String,
    words: Vec<u32>,
}

/// Writes the first `count` elements of a column. Synchronises.
pub(super) fn write_column(
    name: &str,
    value: &'static str,
    words: ColumnWords,
    count: u32,
    device: &Device,
    to: &mut StateWriter,
) -> Result<(), Error> {
    to.text("name", name)?;
    to.text("type", short_name(value))?;
    let all = count * words.each;
    to.begin::<u32>("words", all.into())?;
    (0..all)
        .step_by(AT_ONCE as usize)
        .try_for_each(|first| to.append(&words.read(device, first, AT_ONCE.min(all - first))?))
}

impl SavedColumn {
    /// All columns of a file, with values for so many elements.
    pub(super) fn read_all(count: u32, from: &mut StateReader) -> Result<Vec<Self>, Error> {
        let read = |number: u32, from: &mut StateReader| {
            from.within(&number.to_string(), |from| {
                let (name, value) = (from.text("name")?, from.text("type")?);
                let words = from.list::<u32>("words")?;
                let each = words.len().checked_div(count as usize).unwrap_or(0);
                match words.len() == each * count as usize {
                    true => Ok(SavedColumn { name, value, words }),
                    false => Err(from.refuse(format!("the values of `{name}` are not whole"))),
                }
            })
        };
        (0..from.number::<u32>("count")?).map(|number| read(number, from)).collect()
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Writes its values into a column of `count` elements, if that has values of this type. Queued on
    /// CUDA, once they have been read.
    pub(super) fn copy_to(
        &self,
        column: ColumnWords,
        value: &'static str,
        count: u32,
        device: &Device,
    ) -> Result<(), Error> {
        let (expected, wanted) = (short_name(value), count as usize * column.each as usize);
        if self.value != expected || self.words.len() != wanted {
            let found = format!("{} words of {}", self.words.len(), self.value);
            return Err(ErrorKind::ColumnType { column: self.name.clone(), found, expected }.into());
        }
        column.write(device, 0, &self.words)
    }
}

/// The name of a type without the modules that it is in.
fn short_name(name: &'static str) -> &'static str {
    name.rsplit("::").next().unwrap_or(name)
}
