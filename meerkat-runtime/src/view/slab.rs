//! The unit of slab lists.

use super::Atomic;
use crate::device_type::{DeviceType, Element};
use crate::program::Program;
use crate::trap::{self, Fault};

/// The words of a [`Slab`], as the host reads them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub struct SlabWords(pub [u32; 32]);

/// 128 bytes of a slab list: 31 words of keys (and weights), one link.
#[derive(Debug)]
#[repr(C, align(128))]
pub struct Slab([Atomic<u32>; 32]);

impl Slab {
    /// One of its 32 words.
    #[track_caller]
    #[inline]
    pub fn word(&self, lane: u32) -> &Atomic<u32> {
        if lane >= 32 {
            trap::raise(Fault::Index { index: lane.into(), length: 32 });
        }
        &self.0[lane as usize]
    }

    /// Four neighbouring words, `4 * part` and on: one 16-byte load.
    #[track_caller]
    #[inline]
    pub fn quad(&self, part: u32) -> [u32; 4] {
        std::array::from_fn(|k| self.word(part.saturating_mul(4).saturating_add(k as u32)).load())
    }

    /// Two neighbouring words, `2 * part` and on: one 8-byte load.
    #[track_caller]
    #[inline]
    pub fn duo(&self, part: u32) -> [u32; 2] {
        std::array::from_fn(|k| self.word(part.saturating_mul(2).saturating_add(k as u32)).load())
    }

    /// Two words, from an even lane on, as one: a key (low) and its weight.
    #[track_caller]
    #[inline]
    pub fn pair(&self, lane: u32) -> &Atomic<u64> {
        if lane >= 31 || !lane.is_multiple_of(2) {
            trap::raise(Fault::Index { index: lane.into(), length: 32 });
        }
        let words: *const Atomic<u32> = self.0.as_ptr();
        // SAFETY: the lane is below 31, so it and the next are inside the slab.
        let pair = unsafe { words.add(lane as usize) };
        // SAFETY: two words of the slab, 8-byte aligned since the lane is even.
        unsafe { &*pair.cast::<Atomic<u64>>() }
    }
}

// SAFETY: a slab is 32 words, and the host sees it as such.
unsafe impl Element for Slab {
    type Value = SlabWords;
    fn element_name(_program: &mut Program) -> String {
        "Slab".to_owned()
    }
}

// SAFETY: 32 words without padding; CUDA's `Slab` is the same.
unsafe impl DeviceType for SlabWords {
    fn cuda_name(_program: &mut Program) -> String {
        "Slab".to_owned()
    }
}
