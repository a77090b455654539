//! Columns: a value for each id.

use super::saved_column::{SavedColumn, write_column};
use super::store::ColumnWords;
use crate::device::{Device, DeviceBuffer};
use crate::device_type::Element;
use crate::saved::StateWriter;
use crate::view::DeviceSlice;
use crate::{Error, ErrorKind};
use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::marker::PhantomData;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<E: Element> {
            pub(super) number: usize,
            element: PhantomData<fn() -> E>,
        }

        impl<E: Element> $name<E> {
            pub(super) fn of(number: usize) -> Self {
                $name { number, element: PhantomData }
            }
        }

        impl<E: Element> Clone for $name<E> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<E: Element> Copy for $name<E> {}

        impl<E: Element> fmt::Debug for $name<E> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "<{}>({})"), type_name::<E>(), self.number)
            }
        }
    )*};
}

handles! {
    /// Names a column of edges of one [`PropertyGraph`](super::PropertyGraph). `E` is a number or a
    /// device struct, for `&[E]` in operators, or an [`Atomic`](crate::Atomic) of one, for
    /// `&[Atomic<..>]`. It is whole words without padding.
    EdgeColumn;
    /// Names a column of vertices of one [`PropertyGraph`](super::PropertyGraph); see [`EdgeColumn`].
    VertexColumn;
}

/// Makes a buffer longer: by half, or by what is needed where memory has no room for that. In place
/// on CUDA.
pub(super) fn grow<E: Element>(buffer: &mut DeviceBuffer<E>, length: usize) -> Result<(), Error> {
    if length <= buffer.len() {
        return Ok(());
    }
    let most = (buffer.len() / 2 * 3).min((u32::MAX / DeviceBuffer::<E>::WORDS) as usize);
    match buffer.grow(length.max(most), 0) {
        Err(error) if error.is_out_of_memory() && most > length => buffer.grow(length, 0),
        done => done,
    }
}

/// A column of some type.
trait AnyColumn: Any + fmt::Debug + Send + Sync {
    /// Memory for so many elements. What it had stays.
    fn reserve(&mut self, length: usize) -> Result<(), Error>;
    fn words(&self) -> ColumnWords;
    fn bytes(&self) -> u64;
    fn element(&self) -> &'static str;
    fn value(&self) -> ValueType;
}

/// A type, and its name for messages.
#[derive(Clone, Copy)]
pub(super) struct ValueType {
    id: TypeId,
    name: &'static str,
}

impl ValueType {
    pub(super) fn of<T: 'static>() -> Self {
        ValueType { id: TypeId::of::<T>(), name: type_name::<T>() }
    }
}

#[derive(Debug)]
struct Column<E: Element> {
    values: DeviceBuffer<E>,
    /// The one that elements have at first.
    default: DeviceBuffer<E>,
}

impl<E: Element + fmt::Debug> AnyColumn for Column<E> {
    fn reserve(&mut self, length: usize) -> Result<(), Error> {
        // Kernels number the words.
        if length as u64 * u64::from(DeviceBuffer::<E>::WORDS) > u32::MAX.into() {
            return Err(ErrorKind::BufferTooLong { length }.into());
        }
        grow(&mut self.values, length)
    }
    fn words(&self) -> ColumnWords {
        let (words, default) = (self.values.words(), self.default.plain_words());
        ColumnWords { words, default, each: DeviceBuffer::<E>::WORDS }
    }
    fn bytes(&self) -> u64 {
        self.values.bytes() + self.default.bytes()
    }
    fn element(&self) -> &'static str {
        type_name::<E>()
    }
    fn value(&self) -> ValueType {
        ValueType::of::<E::Value>()
    }
}

/// The columns of edges, or of vertices.
#[derive(Debug)]
pub(super) struct Columns {
    device: Device,
    named: Vec<(String, Box<dyn AnyColumn>)>,
    /// Those of a file that were not added yet.
    waiting: Vec<SavedColumn>,
}

impl Columns {
    pub(super) fn new(device: &Device) -> Self {
        Self::with_waiting(device, Vec::new())
    }

    /// No columns yet; those of a file get its values when they are added.
    pub(super) fn with_waiting(device: &Device, waiting: Vec<SavedColumn>) -> Self {
        Columns { device: device.clone(), named: Vec::new(), waiting }
    }

    /// The names of columns of a file that were not added.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &str> {
        self.waiting.iter().map(SavedColumn::name)
    }

    /// Writes the values of the first `count` elements of each. Synchronises.
    pub(super) fn write_to(&self, count: u32, to: &mut StateWriter) -> Result<(), Error> {
        to.number("count", self.named.len() as u32)?;
        for ((name, column), number) in self.named.iter().zip(0u32..) {
            let (value, words) = (column.value().name, column.words());
            to.within(&number.to_string(), |to| {
                write_column(name, value, words, count, &self.device, to)
            })?;
        }
        Ok(())
    }

    /// Another one, whose elements up to `count` have the value `default`, or those of the file; its
    /// number.
    pub(super) fn add<E: Element + fmt::Debug>(
        &mut self,
        name: &str,
        default: E::Value,
        count: u32,
    ) -> Result<usize, Error> {
        if self.named.iter().any(|(other, _)| other == name) {
            return Err(ErrorKind::ColumnExists { column: name.to_owned() }.into());
        }
        let values = DeviceBuffer::growable(&self.device, 0, 0)?;
        let default = DeviceBuffer::from_slice(&self.device, &[default])?;
        let mut column: Column<E> = Column { values, default };
        column.reserve(count as usize)?;
        let words = column.words();
        match self.waiting.iter().position(|saved| saved.name() == name) {
            None => words.reset_all(&self.device, count)?,
            Some(at) => {
                self.waiting[at].copy_to(words, type_name::<E::Value>(), count, &self.device)?;
                self.waiting.remove(at);
            }
        }
        self.named.push((name.to_owned(), Box::new(column)));
        Ok(self.named.len() - 1)
    }

    /// The number of the column of this name, if it has these elements.
    pub(super) fn number<E: Element>(&self, name: &str) -> Result<usize, Error> {
        let number = self.named.iter().position(|(other, _)| other == name);
        let number = number.ok_or_else(|| no_column(format!("`{name}`")))?;
        self.values::<E>(number).map(|_| number)
    }

    fn column(&self, number: usize) -> Result<&(String, Box<dyn AnyColumn>), Error> {
        self.named.get(number).ok_or_else(|| no_column(format!("number {number}")))
    }

    pub(super) fn values<E: Element>(&self, number: usize) -> Result<&DeviceBuffer<E>, Error> {
        let (name, column) = self.column(number)?;
        let any: &dyn Any = &**column;
        match any.downcast_ref::<Column<E>>() {
            Some(column) => Ok(&column.values),
            None => Err(another_type(name, column.element(), type_name::<E>())),
        }
    }

    pub(super) fn values_mut<E: Element>(
        &mut self,
        number: usize,
    ) -> Result<&mut DeviceBuffer<E>, Error> {
        let Some((name, column)) = self.named.get_mut(number) else {
            return Err(no_column(format!("number {number}")));
        };
        let found = column.element();
        let any: &mut dyn Any = &mut **column;
        match any.downcast_mut::<Column<E>>() {
            Some(column) => Ok(&mut column.values),
            None => Err(another_type(name, found, type_name::<E>())),
        }
    }

    /// Refuses values that are not one for each of `updates`, or not of the column's type.
    pub(super) fn check(
        &self,
        number: usize,
        value: ValueType,
        length: usize,
        updates: usize,
    ) -> Result<(), Error> {
        let (name, column) = self.column(number)?;
        if column.value().id != value.id {
            return Err(another_type(name, column.value().name, value.name));
        }
        if length != updates {
            let column = name.clone();
            return Err(ErrorKind::ColumnLength { column, values: length, updates }.into());
        }
        Ok(())
    }

    /// Memory for so many elements in each.
    pub(super) fn reserve(&mut self, length: u32) -> Result<(), Error> {
        self.named.iter_mut().try_for_each(|(_, column)| column.reserve(length as usize))
    }

    /// Gives some elements of each column the value that they have at first. Queued on CUDA.
    pub(super) fn reset(&self, items: DeviceSlice<u32>) -> Result<(), Error> {
        self.named.iter().try_for_each(|(_, column)| column.words().reset(&self.device, items))
    }

    /// Gives some elements of one column a value each. Queued on CUDA.
    pub(super) fn store(
        &self,
        number: usize,
        items: DeviceSlice<u32>,
        values: DeviceSlice<u32>,
    ) -> Result<(), Error> {
        self.column(number)?.1.words().store(&self.device, items, values)
    }

    /// Their names, in the order in which they were added.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn bytes(&self) -> u64 {
        self.named.iter().map(|(_, column)| column.bytes()).sum()
    }
}

fn no_column(column: String) -> Error {
    ErrorKind::NoSuchColumn { column }.into()
}

fn another_type(name: &str, found: &'static str, expected: &'static str) -> Error {
    ErrorKind::ColumnType { column: name.to_owned(), found: found.to_owned(), expected }.into()
}
