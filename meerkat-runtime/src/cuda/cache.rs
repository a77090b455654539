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
//! Its files together stay below a limit: whoever stores an entry removes those that were used
//! longest ago (`limit.rs`). An entry that another process removes meanwhile is a miss.
//!
//! A verified entry is loaded into the device, so the folder needs the same trust as the
//! program itself: do not point it at one that others can write.

mod entry;
mod limit;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::CudaError;
use super::key::Key;
use super::nvrtc::{self, Compiled, Image, Options, Source};

/// A folder of compiled images, or none.
#[derive(Clone, Debug)]
pub struct CubinCache {
    directory: Option<PathBuf>,
    limit: u64,
}

/// What the cache did for one compilation.
#[derive(Debug)]
#[non_exhaustive]
pub enum CacheOutcome {
    /// The image came from disk; nothing was compiled.
    Hit,
    /// The image was compiled and kept.
    Stored {
        /// How many entries were removed, so that the cache stays within its limit.
        evicted: u64,
    },
    /// The image was compiled, but could not be kept: always [`CudaError::Cache`].
    NotStored(CudaError),
    /// The image was compiled; this cache keeps nothing.
    Disabled,
}

impl CubinCache {
    /// The user's cache: in `MEERKAT_CACHE_DIR`, else `$XDG_CACHE_HOME/meerkat`, else
    /// `$HOME/.cache/meerkat`, else disabled. Empty variables count as unset, and so does a
    /// relative `XDG_CACHE_HOME`. Its limit is `MEERKAT_CACHE_LIMIT`, such as `200M`, else
    /// [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT). Creates nothing yet.
    ///
    /// # Errors
    /// [`CudaError::CacheLimit`] if `MEERKAT_CACHE_LIMIT` is not a size.
    pub fn from_env() -> Result<CubinCache, CudaError> {
        let directory = directory_from(|name| std::env::var_os(name));
        let limit = match std::env::var_os("MEERKAT_CACHE_LIMIT") {
            Some(text) if !text.is_empty() => limit::parse(&text.to_string_lossy())?,
            _ => Self::DEFAULT_LIMIT,
        };
        Ok(CubinCache { directory, limit })
    }

    /// The limit of a cache that is not asked for another: 512 MiB, a few thousand kernels.
    pub const DEFAULT_LIMIT: u64 = 512 << 20;

    /// A cache in `directory`, which is created when the first image is kept.
    pub fn at(directory: impl Into<PathBuf>) -> CubinCache {
        CubinCache { directory: Some(directory.into()), limit: Self::DEFAULT_LIMIT }
    }

    /// A cache that keeps nothing.
    pub fn disabled() -> CubinCache {
        CubinCache { directory: None, limit: 0 }
    }

    /// The same cache, whose files together take at most so many bytes after each image that it
    /// keeps. What was used longest ago goes first.
    #[must_use]
    pub fn with_limit(self, bytes: u64) -> CubinCache {
        CubinCache { limit: bytes, ..self }
    }

    /// The most bytes that its files take together.
    pub fn limit(&self) -> u64 {
        self.limit
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
        let key = Key::of_image(source, options, nvrtc::version()?, entry::LAYOUT_VERSION);
        if let Some((kind, image)) = load(directory, &key) {
            let compiled = Compiled::new(source.name, image, kind, String::new());
            return Ok((compiled, CacheOutcome::Hit));
        }
        let compiled = nvrtc::compile(source, options)?;
        let outcome = match self.store(directory, &key, &compiled) {
            Ok(evicted) => CacheOutcome::Stored { evicted },
            Err(error) => CacheOutcome::NotStored(error),
        };
        Ok((compiled, outcome))
    }

    /// Keeps an image and returns how many others had to go.
    fn store(&self, directory: &Path, key: &Key, compiled: &Compiled) -> Result<u64, CudaError> {
        let bytes = entry::encode(key, compiled.kind(), compiled.image());
        let path = path_of(directory, key);
        let refused = |source| CudaError::Cache { path: path.clone(), source };
        if bytes.len() as u64 > self.limit {
            let limit = format!("{} bytes are above the limit of {}", bytes.len(), self.limit);
            return Err(refused(io::Error::new(io::ErrorKind::FileTooLarge, limit)));
        }
        store(&path, |file| file.write_all(&bytes)).map_err(refused)?;
        Ok(limit::keep_within(directory, self.limit, &path))
    }
}

/// The file of a key.
fn path_of(directory: &Path, key: &Key) -> PathBuf {
    directory.join(format!("{key}.cubin"))
}

/// The entry of `key`, if it is there, can be read and is whole. It counts as used now.
fn load(directory: &Path, key: &Key) -> Option<(Image, Vec<u8>)> {
    let path = path_of(directory, key);
    let found = entry::decode(key, &fs::read(&path).ok()?)?;
    // The time of access is not kept on every file system. Where this one cannot be set either,
    // such as in a folder that is read only, nothing is removed by it.
    let _ = File::options()
        .append(true)
        .open(&path)
        .and_then(|file| file.set_modified(SystemTime::now()));
    Some(found)
}

/// Writes a file beside its place, then renames it into place. Whatever fails, nothing stays.
pub(crate) fn store(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(directory)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(limit::WRITING);
    // As any new file has them: the umask says who may read it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory)?;
    write(file.as_file_mut())?;
    file.persist(path)?;
    Ok(())
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
