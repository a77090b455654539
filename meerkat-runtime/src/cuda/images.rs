//! Where compiled images come from: a bundle, else the cache on disk, else NVRTC.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::bundle::Bundle;
use super::cache::{CacheOutcome, CubinCache};
use super::error::CudaError;
use super::nvrtc::{Compiled, Options, Source};

/// Gives compiled images, and counts where they came from.
#[derive(Debug)]
pub struct Images {
    bundle: Option<Bundle>,
    cache: CubinCache,
    counts: Counts,
    /// Whether it has been said that the cache cannot be written.
    has_warned: AtomicBool,
}

/// Where the kernels that a device compiled or loaded came from, since it was opened:
/// [`Images::counters`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageCounters {
    /// Those that were in a bundle.
    pub bundled: u64,
    /// Those that were in the cache on disk.
    pub cached: u64,
    /// Those that NVRTC compiled.
    pub compiled: u64,
    /// Of which the cache could not keep.
    pub not_kept: u64,
    /// Entries that were removed, so that the cache stays within its limit.
    pub evicted: u64,
    /// Bytes of all images, wherever they came from.
    pub bytes: u64,
}

#[derive(Debug, Default)]
struct Counts {
    bundled: AtomicU64,
    cached: AtomicU64,
    compiled: AtomicU64,
    not_kept: AtomicU64,
    evicted: AtomicU64,
    bytes: AtomicU64,
}

impl Images {
    /// Images of a cache.
    pub fn new(cache: CubinCache) -> Images {
        let (counts, has_warned) = (Counts::default(), AtomicBool::new(false));
        Images { bundle: None, cache, counts, has_warned }
    }

    /// The same, which looks into a bundle first.
    #[must_use]
    pub fn with_bundle(self, bundle: Bundle) -> Images {
        Images { bundle: Some(bundle), ..self }
    }

    /// Whether it looks into a bundle first.
    pub fn has_bundle(&self) -> bool {
        self.bundle.is_some()
    }

    /// The compiled image of a program. Takes tenths of a second if it has to be compiled. NVRTC
    /// is not looked for if the image is in the bundle.
    ///
    /// # Errors
    /// As [`CubinCache::compile`]; [`CudaError::NotInBundle`] where a bundle lacks the program and
    /// NVRTC is not there. A cache that cannot be written is none: `tracing` gets one warning, and
    /// the [counters](Self::counters) have it.
    pub fn get(&self, source: &Source<'_>, options: &Options) -> Result<Compiled, CudaError> {
        if let Some(bundle) = &self.bundle {
            if let Some(compiled) = bundle.get(source, options)? {
                self.counts.bundled.fetch_add(1, Relaxed);
                self.counts.bytes.fetch_add(compiled.image().len() as u64, Relaxed);
                return Ok(compiled);
            }
            tracing::info!(program = source.name, %bundle, "not in the bundle");
        }
        let compiled = self.cache.compile(source, options);
        let (compiled, outcome) = compiled.map_err(|cause| self.without(cause, source, options))?;
        self.counts.bytes.fetch_add(compiled.image().len() as u64, Relaxed);
        self.count(&outcome);
        Ok(compiled)
    }

    /// The error of a program that NVRTC would have to compile.
    fn without(&self, cause: CudaError, source: &Source<'_>, options: &Options) -> CudaError {
        match (&self.bundle, cause) {
            (Some(bundle), cause @ CudaError::LibraryMissing { .. }) => CudaError::NotInBundle {
                program: source.name.to_owned(),
                arch: options.arch,
                path: bundle.path().to_owned(),
                bundle: bundle.to_string(),
                cause: Box::new(cause),
            },
            (_, cause) => cause,
        }
    }

    fn count(&self, outcome: &CacheOutcome) {
        match outcome {
            CacheOutcome::Hit => {
                self.counts.cached.fetch_add(1, Relaxed);
                return;
            }
            CacheOutcome::Stored { evicted } => {
                self.counts.evicted.fetch_add(*evicted, Relaxed);
            }
            CacheOutcome::NotStored(error) => {
                self.counts.not_kept.fetch_add(1, Relaxed);
                if !self.has_warned.swap(true, Relaxed) {
                    tracing::warn!(%error, "compiled kernels are not kept");
                }
            }
            CacheOutcome::Disabled => {}
        }
        self.counts.compiled.fetch_add(1, Relaxed);
    }

    /// Where the images came from so far.
    pub fn counters(&self) -> ImageCounters {
        let Counts { bundled, cached, compiled, not_kept, evicted, bytes } = &self.counts;
        ImageCounters {
            bundled: bundled.load(Relaxed),
            cached: cached.load(Relaxed),
            compiled: compiled.load(Relaxed),
            not_kept: not_kept.load(Relaxed),
            evicted: evicted.load(Relaxed),
            bytes: bytes.load(Relaxed),
        }
    }
}
