//! Compiled images kept on disk, so that a warm start compiles nothing.
//!
//! One file an image, named by its key: a hash of all that the image depends on. A file is
//! written beside its place and renamed into it, so a reader sees a whole entry or none, and
//! writers of the same key only replace equals. Every byte is verified on a hit; a damaged
//! entry counts as a miss and is overwritten.
//!
//! The cache never makes a compilation fail: what could not be kept is named in
//! [`CacheOutcome`] and compiled again next time.
//!
//! A verified entry is loaded into the device, so the folder needs the same trust as the
//! program itself: do not point it at one that others can write.

mod entry;

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::CudaError;
use super::nvrtc::{self, Compiled, Image, Options, Source};

/// A folder of compiled images, or none.
#[derive(Clone, Debug)]
pub struct CubinCache {
    directory: Option<PathBuf>,
}

/// What the cache did for one compilation.
#[derive(Debug)]
#[non_exhaustive]
pub enum CacheOutcome {
    /// The image came from disk; nothing was compiled.
    Hit,
    /// The image was compiled and kept.
    Stored,
    /// The image was compiled, but could not be kept: always [`CudaError::Cache`].
    NotStored(CudaError),
    /// The image was compiled; this cache keeps nothing.
    Disabled,
}

/// The hash of all that a compiled image depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key([u8; 32]);

impl CubinCache {
    /// The user's cache: in `MEERKAT_CACHE_DIR`, else `$XDG_CACHE_HOME/meerkat`, else
    /// `$HOME/.cache/meerkat`, else disabled. Empty variables count as unset, and so does a
    /// relative `XDG_CACHE_HOME`. Creates nothing yet.
    pub fn from_env() -> CubinCache {
        CubinCache { directory: directory_from(|name| std::env::var_os(name)) }
    }

    /// A cache in `directory`, which is created when the first image is kept.
    pub fn at(directory: impl Into<PathBuf>) -> CubinCache {
        CubinCache { directory: Some(directory.into()) }
    }

    /// A cache that keeps nothing.
    pub fn disabled() -> CubinCache {
        CubinCache { directory: None }
    }

    /// The folder, unless the cache is disabled.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// The compiled image of a program: from disk, else from NVRTC and then kept.
    ///
    /// Any number of threads and processes may share a folder.
    ///
    /// # Errors
    /// Those of [`nvrtc::compile`], never one of the cache itself. NVRTC must be present even
    /// for a hit, since its version is part of the key.
    pub fn compile(
        &self,
        source: &Source<'_>,
        options: &Options,
    ) -> Result<(Compiled, CacheOutcome), CudaError> {
        let Some(directory) = &self.directory else {
            return Ok((nvrtc::compile(source, options)?, CacheOutcome::Disabled));
        };
        let key = Key::new(source, options, nvrtc::version()?);
        if let Some((kind, image)) = load(directory, &key) {
            let compiled = Compiled::new(source.name, image, kind, String::new());
            return Ok((compiled, CacheOutcome::Hit));
        }
        let compiled = nvrtc::compile(source, options)?;
        let outcome = match store(directory, &key, compiled.kind(), compiled.image()) {
            Ok(()) => CacheOutcome::Stored,
            Err(error) => CacheOutcome::NotStored(error),
        };
        Ok((compiled, outcome))
    }
}

impl Key {
    fn new(source: &Source<'_>, options: &Options, nvrtc_version: (i32, i32)) -> Key {
        let mut hash = Sha256::new();
        let mut field = |bytes: &[u8]| {
            // The length first: no two lists of fields then hash the same bytes.
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        field(b"meerkat cubin");
        field(&entry::LAYOUT_VERSION.to_le_bytes());
        field(env!("CARGO_PKG_VERSION").as_bytes());
        field(&nvrtc_version.0.to_le_bytes());
        field(&nvrtc_version.1.to_le_bytes());
        // The name too: an image carries it in its line table.
        field(source.name.as_bytes());
        field(source.text.as_bytes());
        for option in options.command_line(&options.arch.to_string()) {
            field(option.as_bytes());
        }
        Key(hash.finalize().into())
    }

    fn path(&self, directory: &Path) -> PathBuf {
        directory.join(format!("{self}.cubin"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The entry of `key`, if it is there, can be read and is whole.
fn load(directory: &Path, key: &Key) -> Option<(Image, Vec<u8>)> {
    let bytes = fs::read(key.path(directory)).ok()?;
    entry::decode(key, &bytes)
}

/// Writes the entry of `key` beside its place, then renames it into place.
fn store(directory: &Path, key: &Key, kind: Image, image: &[u8]) -> Result<(), CudaError> {
    let path = key.path(directory);
    let write = || -> io::Result<()> {
        fs::create_dir_all(directory)?;
        let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(directory)?;
        file.write_all(&entry::encode(key, kind, image))?;
        file.persist(&path)?;
        Ok(())
    };
    write().map_err(|source| CudaError::Cache { path: path.clone(), source })
}

fn directory_from(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    path("MEERKAT_CACHE_DIR")
        .or_else(|| {
            let base = path("XDG_CACHE_HOME").filter(|base| base.is_absolute());
            base.map(|base| base.join("meerkat"))
        })
        .or_else(|| path("HOME").map(|home| home.join(".cache").join("meerkat")))
}

#[cfg(test)]
mod tests;
