//! Ids that are text: all of them in one string.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use super::fields::Quoting;
use super::limits::MAX_VERTICES;
use super::number::{Flaw, TextFlaw};

/// Most bytes of an id. A longer one is rather a quote that nobody closed, or no id.
pub(super) const MAX_ID_BYTES: usize = 1024;

/// Texts by number, in one allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    text: String,
    /// Where each ends in `text`; it starts where the one before ends.
    ends: Vec<usize>,
}

impl Names {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// # Panics
    /// If `index` is not below `len`.
    pub(super) fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
    }

    /// The number of a name, where the names ascend.
    pub(super) fn search(&self, name: &str) -> Option<usize> {
        let (mut first, mut end) = (0, self.len());
        while first < end {
            let middle = first + (end - first) / 2;
            match self.get(middle).cmp(name) {
                std::cmp::Ordering::Less => first = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }

    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }
}

/// The distinct names of a file, numbered as they come.
pub(super) struct Interner {
    names: Names,
    numbers: HashTable<u32>,
    hasher: RandomState,
}

impl Interner {
    pub(super) fn new() -> Self {
        let (names, numbers) = (Names::default(), HashTable::new());
        Self { names, numbers, hasher: RandomState::new() }
    }

    /// The number of the id in a field.
    pub(super) fn read(&mut self, field: &[u8], quoting: Quoting) -> Result<u64, Flaw> {
        let text = std::str::from_utf8(field).map_err(|_| Flaw::Text(TextFlaw::NotUtf8))?;
        let text = match quoting {
            Quoting::Doubled => Cow::Owned(text.replace("\"\"", "\"")),
            Quoting::Plain if text.starts_with('"') => return Err(Flaw::Text(TextFlaw::OpenQuote)),
            Quoting::Plain | Quoting::Quoted => Cow::Borrowed(text),
        };
        if text.trim().is_empty() {
            return Err(Flaw::Text(TextFlaw::Empty));
        }
        if text.len() > MAX_ID_BYTES {
            return Err(Flaw::Text(TextFlaw::TooLong));
        }
        if text.contains(char::is_control) {
            return Err(Flaw::Text(TextFlaw::Control));
        }
        self.intern(&text)
    }

    fn intern(&mut self, name: &str) -> Result<u64, Flaw> {
        let Self { names, numbers, hasher } = self;
        let is_name = |&number: &u32| names.get(number as usize) == name;
        let hash_of = |&number: &u32| hasher.hash_one(names.get(number as usize));
        let number = match numbers.entry(hasher.hash_one(name), is_name, hash_of) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(_) if names.len() as u64 >= MAX_VERTICES => return Err(Flaw::TooMany),
            Entry::Vacant(free) => {
                let number = names.len() as u32;
                free.insert(number);
                names.push(name);
                number
            }
        };
        Ok(u64::from(number))
    }

    /// The names, ascending by their bytes, and the place there of each number.
    pub(super) fn into_sorted(self) -> (Names, Vec<u32>) {
        let names = self.names;
        drop(self.numbers);
        let mut order: Vec<u32> = (0..names.len() as u32).collect();
        order.par_sort_unstable_by(|&a, &b| names.get(a as usize).cmp(names.get(b as usize)));
        let mut sorted = Names {
            text: String::with_capacity(names.text.len()),
            ends: Vec::with_capacity(names.len()),
        };
        let mut places = vec![0; names.len()];
        for (place, &number) in order.iter().enumerate() {
            sorted.push(names.get(number as usize));
            places[number as usize] = place as u32;
        }
        (sorted, places)
    }
}
