//! Reads a file that is whole.

use super::element::{SavedElement, size_of_tag};
use super::{CHECKSUM, CHUNK, HEADER, MAGIC, VERSION, fault};
use crate::error::SnapshotFault;
use crate::{Error, ErrorKind};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// From where an algorithm reads its state back: see
/// [`SavedState`](crate::dynamic::SavedState). The file is as it was written; that its arrays
/// have the right lengths and fit the graph is checked with each, and by who reads them.
#[derive(Debug)]
pub struct StateReader {
    path: PathBuf,
    file: File,
    sections: BTreeMap<String, Section>,
    /// What the names of sections begin with.
    within: String,
}

/// Where an array lies.
#[derive(Clone, Copy, Debug)]
struct Section {
    tag: u32,
    count: u64,
    /// The byte of its first element.
    at: u64,
}

impl StateReader {
    /// Opens a file, all of which is read to compare its checksum.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let opened = File::open(path).map_err(SnapshotFault::from).and_then(|mut file| {
            let sections = check_whole(&mut file).and_then(|end| list_sections(&mut file, end))?;
            Ok((file, sections))
        });
        let (file, sections) = opened.map_err(|cause| fault(path, cause))?;
        Ok(StateReader { path: path.to_owned(), file, sections, within: String::new() })
    }

    /// Reads an array of as many elements as are expected.
    ///
    /// # Errors
    /// [`ErrorKind::Snapshot`] if there is no such array, it has other elements, or the file
    /// cannot be read; no memory.
    pub fn array<T: SavedElement>(&mut self, name: &str, length: usize) -> Result<Vec<T>, Error> {
        let count = self.count::<T>(name)?;
        if count != length as u64 {
            let what = format!("`{}{name}` has {count} elements, not {length}", self.within);
            return Err(self.refuse(what));
        }
        self.part(name, 0..count)
    }

    /// Reads an array of any length.
    ///
    /// # Errors
    /// As [`array`](Self::array).
    pub fn list<T: SavedElement>(&mut self, name: &str) -> Result<Vec<T>, Error> {
        let count = self.count::<T>(name)?;
        self.part(name, 0..count)
    }

    /// Reads a number.
    ///
    /// # Errors
    /// As [`array`](Self::array).
    pub fn number<T: SavedElement>(&mut self, name: &str) -> Result<T, Error> {
        Ok(self.array(name, 1)?[0])
    }

    /// Reads a text.
    ///
    /// # Errors
    /// As [`array`](Self::array); it is no UTF-8.
    pub fn text(&mut self, name: &str) -> Result<String, Error> {
        let bytes = self.list(name)?;
        String::from_utf8(bytes).map_err(|_| self.refuse(format!("`{name}` is no text")))
    }

    /// Reads arrays whose names begin with this one and a slash.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn within<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let length = self.within.len();
        self.within = format!("{}{name}/", self.within);
        let read = read(self);
        self.within.truncate(length);
        read
    }

    /// Reads arrays by their whole names.
    pub(crate) fn at_root<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let within = std::mem::take(&mut self.within);
        let read = read(self);
        self.within = within;
        read
    }

    /// The error for a state that contradicts itself, or the graph.
    pub fn refuse(&self, what: impl Into<String>) -> Error {
        self.fault(SnapshotFault::State { what: what.into() })
    }

    pub(crate) fn fault(&self, cause: SnapshotFault) -> Error {
        fault(&self.path, cause)
    }

    /// Whether there is an array of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.sections.contains_key(&format!("{}{name}", self.within))
    }

    /// How many elements an array has.
    pub(crate) fn count<T: SavedElement>(&self, name: &str) -> Result<u64, Error> {
        Ok(self.section::<T>(name)?.count)
    }

    fn section<T: SavedElement>(&self, name: &str) -> Result<Section, Error> {
        let name = format!("{}{name}", self.within);
        match self.sections.get(&name) {
            Some(section) if section.tag == T::TAG => Ok(*section),
            Some(_) => Err(self.refuse(format!("`{name}` has elements of another type"))),
            None => Err(self.refuse(format!("it has no `{name}`"))),
        }
    }

    /// Reads some elements of an array.
    pub(crate) fn part<T: SavedElement>(
        &mut self,
        name: &str,
        elements: Range<u64>,
    ) -> Result<Vec<T>, Error> {
        let section = self.section::<T>(name)?;
        let count = elements.end.min(section.count).saturating_sub(elements.start);
        let start = section.at + elements.start * T::SIZE as u64;
        let mut values = Vec::new();
        let bytes = count * T::SIZE as u64;
        let room = usize::try_from(count).ok().and_then(|count| values.try_reserve(count).ok());
        room.ok_or(ErrorKind::OutOfMemory { bytes })?;
        let read = read_elements(&mut self.file, start, count, &mut values);
        read.map_err(|error| fault(&self.path, error))?;
        Ok(values)
    }
}

fn read_elements<T: SavedElement>(
    file: &mut File,
    start: u64,
    count: u64,
    values: &mut Vec<T>,
) -> io::Result<()> {
    file.seek(SeekFrom::Start(start))?;
    let (mut left, at_once) = (count as usize, CHUNK / T::SIZE);
    let mut bytes = vec![0; left.min(at_once) * T::SIZE];
    while left > 0 {
        let now = left.min(at_once);
        let bytes = &mut bytes[..now * T::SIZE];
        file.read_exact(bytes)?;
        values.extend(bytes.chunks_exact(T::SIZE).map(T::of_bytes));
        left -= now;
    }
    Ok(())
}

/// Where the sections end, if header and checksum are right.
fn check_whole(file: &mut File) -> Result<u64, SnapshotFault> {
    let mut start = Vec::new();
    Read::by_ref(file).take(HEADER).read_to_end(&mut start)?;
    let version = start.strip_prefix(MAGIC).ok_or(SnapshotFault::NoSnapshot)?;
    let version = <[u8; 4]>::try_from(version).map_err(|_| SnapshotFault::Damaged)?;
    // Another version may have another checksum.
    if version != VERSION.to_le_bytes() {
        return Err(SnapshotFault::Version(u32::from_le_bytes(version)));
    }
    let end = file.metadata()?.len().checked_sub(CHECKSUM).filter(|end| *end >= HEADER);
    let end = end.ok_or(SnapshotFault::Damaged)?;
    file.seek(SeekFrom::Start(0))?;
    let mut checksum = Sha256::new();
    io::copy(&mut BufReader::with_capacity(CHUNK, Read::by_ref(file).take(end)), &mut checksum)?;
    let mut wanted = Vec::new();
    file.seek(SeekFrom::Start(end))?;
    file.read_to_end(&mut wanted)?;
    match checksum.finalize().as_slice() == wanted {
        true => Ok(end),
        false => Err(SnapshotFault::Damaged),
    }
}

fn list_sections(file: &mut File, end: u64) -> Result<BTreeMap<String, Section>, SnapshotFault> {
    let (mut sections, mut at) = (BTreeMap::new(), HEADER);
    while at < end {
        file.seek(SeekFrom::Start(at))?;
        let length = u64::from(u32::from_le_bytes(read_bytes(file, end)?));
        if length > end - at {
            return Err(SnapshotFault::Damaged);
        }
        let mut name = vec![0; length as usize];
        file.read_exact(&mut name)?;
        let name = String::from_utf8(name).map_err(|_| SnapshotFault::Damaged)?;
        let tag = u32::from_le_bytes(read_bytes(file, end)?);
        let count = u64::from_le_bytes(read_bytes(file, end)?);
        at += 4 + length + 4 + 8;
        let section = Section { tag, count, at };
        let bytes = size_of_tag(tag).and_then(|size| size.checked_mul(count));
        let next = bytes.and_then(|bytes| bytes.checked_add(at)).filter(|next| *next <= end);
        at = next.ok_or(SnapshotFault::Damaged)?;
        if sections.insert(name, section).is_some() {
            return Err(SnapshotFault::Damaged);
        }
    }
    Ok(sections)
}

/// The next bytes, if they are before the checksum.
fn read_bytes<const N: usize>(file: &mut File, end: u64) -> Result<[u8; N], SnapshotFault> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    if file.stream_position()? <= end { Ok(bytes) } else { Err(SnapshotFault::Damaged) }
}
