//! Kernels compiled ahead, for a start without a compiler.
//!
//! ```text
//! Source + Options + Compiled --BundleBuilder--> file --Bundle--> Compiled
//! ```
//!
//! A bundle is one file with the images of many programs for some architectures. An image is
//! found by the text of its program and how it is compiled, so that NVRTC is not asked even for
//! its version. The whole file is verified when it is read.
//!
//! Its images are loaded into the device, so a bundle needs the same trust as the program itself.

mod file;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arch::Arch;
use super::cache::store;
use super::error::{BundleFault, CudaError};
use super::key::Key;
use super::nvrtc::{Compiled, Image, Options, Source};

/// Kernels compiled ahead. Copies are the same bundle.
#[derive(Clone)]
pub struct Bundle(Arc<Contents>);

struct Contents {
    path: PathBuf,
    index: file::Index,
    bytes: Cow<'static, [u8]>,
}

impl Bundle {
    /// The bundle of a file. Reads and verifies all of it.
    ///
    /// # Errors
    /// [`CudaError::Bundle`] if it cannot be read, is damaged, or is no bundle.
    pub fn read(path: impl Into<PathBuf>) -> Result<Bundle, CudaError> {
        let path = path.into();
        match fs::read(&path) {
            Ok(bytes) => Bundle::from_bytes(path, bytes),
            Err(source) => Err(CudaError::Bundle { path, fault: source.into() }),
        }
    }

    /// The bundle in the bytes of a file, such as those of `include_bytes!`. Verifies all of it.
    /// Messages name it by `path`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_bytes(
        path: impl Into<PathBuf>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Bundle, CudaError> {
        let (path, bytes) = (path.into(), bytes.into());
        match file::decode(&bytes) {
            Ok(index) => Ok(Bundle(Arc::new(Contents { path, index, bytes }))),
            Err(fault) => Err(CudaError::Bundle { path, fault }),
        }
    }

    /// The bundle that the environment variable `MEERKAT_BUNDLE` names, if it is set.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_env() -> Result<Option<Bundle>, CudaError> {
        let path = std::env::var_os("MEERKAT_BUNDLE").filter(|path| !path.is_empty());
        path.map(Bundle::read).transpose()
    }

    /// The file, as messages name it.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The version of Meerkat that made it.
    pub fn version(&self) -> &str {
        &self.0.index.version
    }

    /// How many images it has: one for each kernel and architecture.
    pub fn len(&self) -> usize {
        self.0.index.images.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.index.images.is_empty()
    }

    /// The architectures that it has images for, lowest first.
    pub fn archs(&self) -> Vec<Arch> {
        let archs: BTreeSet<_> = self.0.index.images.keys().map(|(_, arch)| *arch).collect();
        archs.into_iter().collect()
    }

    /// The image of a program, for the architecture that is asked for or for an older one whose
    /// machine code it runs, too: of the same generation, unless one is of Tegra. Needs no library of CUDA.
    ///
    /// # Errors
    /// [`CudaError::Bundle`] if the image is damaged.
    pub fn get(
        &self,
        source: &Source<'_>,
        options: &Options,
    ) -> Result<Option<Compiled>, CudaError> {
        let key = Key::of_program(source, options);
        let oldest = Arch::new(options.arch.major, 0);
        let older = self.0.index.images.range((key, oldest)..=(key, options.arch));
        let newest = older.rev().find(|((_, arch), _)| options.arch.runs(*arch));
        let Some((_, place)) = newest else { return Ok(None) };
        match file::image(&self.0.bytes, place) {
            Some(image) => Ok(Some(Compiled::new(source.name, image, place.kind, String::new()))),
            None => {
                let path = self.0.path.clone();
                Err(CudaError::Bundle { path, fault: BundleFault::Damaged })
            }
        }
    }
}

impl fmt::Debug for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundle").field("path", &self.0.path).field("len", &self.len()).finish()
    }
}

/// What it is, for people: `8 kernels by meerkat 0.1.0 for sm_80, sm_90`.
impl fmt::Display for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let archs = self.archs();
        let kernels: BTreeSet<_> = self.0.index.images.keys().map(|(key, _)| *key).collect();
        write!(f, "{} kernels by meerkat {}", kernels.len(), self.version())?;
        for (at, arch) in archs.iter().enumerate() {
            write!(f, "{}{arch}", if at == 0 { " for " } else { ", " })?;
        }
        Ok(())
    }
}

/// A bundle in the making.
#[derive(Debug, Default)]
pub struct BundleBuilder {
    /// Compressed.
    images: BTreeMap<(Key, Arch), (Image, Vec<u8>)>,
}

impl BundleBuilder {
    /// One without images.
    pub fn new() -> BundleBuilder {
        BundleBuilder::default()
    }

    /// Puts in the image of a program. One that is there already is replaced.
    pub fn insert(&mut self, source: &Source<'_>, options: &Options, compiled: &Compiled) {
        let image = file::compress(compiled.image());
        self.images
            .insert((Key::of_program(source, options), options.arch), (compiled.kind(), image));
    }

    /// Whether it has the image of a program, for exactly the architecture that is asked for.
    pub fn contains(&self, source: &Source<'_>, options: &Options) -> bool {
        self.images.contains_key(&(Key::of_program(source, options), options.arch))
    }

    /// How many images it has.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// The bytes of the file. The same images give the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::encode(&self.images)
    }

    /// Writes the file beside its place, then renames it into place, and returns its size. A file
    /// that is there stays until then, and for good if this fails.
    ///
    /// # Errors
    /// [`CudaError::Bundle`] if it cannot be written.
    pub fn write(&self, path: impl Into<PathBuf>) -> Result<u64, CudaError> {
        let (path, bytes) = (path.into(), self.to_bytes());
        let write = |file: &mut fs::File| file.write_all(&bytes).and_then(|()| file.sync_all());
        match store(&path, write) {
            Ok(()) => Ok(bytes.len() as u64),
            Err(source) => Err(CudaError::Bundle { path, fault: source.into() }),
        }
    }
}

#[cfg(test)]
mod tests;
