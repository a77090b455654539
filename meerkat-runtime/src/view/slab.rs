//! The unit of slab lists.

use super::Atomic;
use crate::atomics::weak;
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
        self.words(part)
    }

    /// Two neighbouring words, `2 * part` and on: one 8-byte load.
    #[track_caller]
    #[inline]
    pub fn duo(&self, part: u32) -> [u32; 2] {
        self.words(part)
    }

    /// Changes four neighbouring words, `4 * part` and on, each as by [`Atomic::store`]: one 16-byte
    /// store.
    #[track_caller]
    #[inline]
    pub fn store_quad(&self, part: u32, next: [u32; 4]) {
        for (k, word) in (0u32..).zip(next) {
            self.word(part.saturating_mul(4).saturating_add(k)).store(word);
        }
    }

    /// [`quad`](Self::quad) of words that nobody writes in this launch: loads that share 32 bytes
    /// cost one. Of a word that somebody writes it may give an older value.
    #[track_caller]
    #[inline]
    pub fn cached_quad(&self, part: u32) -> [u32; 4] {
        self.words(part)
    }

    /// One of its 32 words, as [`cached_quad`](Self::cached_quad) reads.
    #[track_caller]
    #[inline]
    pub fn cached_word(&self, lane: u32) -> u32 {
        self.word(lane).load()
    }

    /// [`duo`](Self::duo), as [`cached_quad`](Self::cached_quad) reads.
    #[track_caller]
    #[inline]
    pub fn cached_duo(&self, part: u32) -> [u32; 2] {
        self.words(part)
    }

    #[track_caller]
    #[inline(always)]
    fn words<const N: usize>(&self, part: u32) -> [u32; N] {
        let first = part.saturating_mul(N as u32);
        if first >= 32 {
            trap::raise(Fault::Index { index: first.into(), length: 32 });
        }
        if first == 0 {
            self.prefetch_ahead();
        }
        // 32 is a multiple of N, so the last is inside, too.
        let mut words = [0; N];
        for (k, word) in words.iter_mut().enumerate() {
            *word = self.0[(first as usize + k) & 31].load();
        }
        words
    }

    /// Asks for a slab further on: the first slabs of neighbouring vertices lie side by side,
    /// and a walk of low degrees mostly waits for them.
    #[inline(always)]
    pub(crate) fn prefetch_ahead(&self) {
        #[cfg(target_arch = "x86_64")]
        {
            const SLABS_AHEAD: usize = 8;
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let ahead = std::ptr::from_ref(self).wrapping_add(SLABS_AHEAD);
            // SAFETY: a hint, which reads nothing, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(ahead.cast()) };
        }
    }

    /// All words, each read as by [`Atomic::load`].
    #[inline(always)]
    pub(crate) fn all_words(&self) -> [u32; 32] {
        self.prefetch_ahead();
        if weak::is_off() { load_row(&self.0) } else { std::array::from_fn(|at| self.0[at].load()) }
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
        // SAFETY: two words of the slab, 8-byte aligned since the lane is even. Others use them as
        // words, which neither Rust nor PTX defines: what is relied on is in decision 45.
        unsafe { &*pair.cast::<Atomic<u64>>() }
    }
}

/// The words of a slab, each read as by [`Atomic::load`] without weak memory.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn load_row(words: &[Atomic<u32>; 32]) -> [u32; 32] {
    use std::arch::x86_64::__m128i;
    let (a, b, c, d, e, f, g, h): (
        __m128i,
        __m128i,
        __m128i,
        __m128i,
        __m128i,
        __m128i,
        __m128i,
        __m128i,
    );
    // SAFETY: reads 128 bytes of a slab, whose alignment is 128. rustc has no atomic vectors;
    // the processor reads each of the four words of an aligned vector at once, as by `mov`.
    unsafe {
        std::arch::asm!(
            "movdqa {0}, [{8}]",
            "movdqa {1}, [{8} + 16]",
            "movdqa {2}, [{8} + 32]",
            "movdqa {3}, [{8} + 48]",
            "movdqa {4}, [{8} + 64]",
            "movdqa {5}, [{8} + 80]",
            "movdqa {6}, [{8} + 96]",
            "movdqa {7}, [{8} + 112]",
            out(xmm_reg) a, out(xmm_reg) b, out(xmm_reg) c, out(xmm_reg) d,
            out(xmm_reg) e, out(xmm_reg) f, out(xmm_reg) g, out(xmm_reg) h,
            in(reg) words,
            options(nostack, readonly, preserves_flags),
        );
    }
    // SAFETY: both are 128 bytes, of which all values are allowed.
    unsafe { std::mem::transmute([a, b, c, d, e, f, g, h]) }
}

/// The words of a slab, each read as by [`Atomic::load`] without weak memory.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline(always)]
fn load_row(words: &[Atomic<u32>; 32]) -> [u32; 32] {
    std::array::from_fn(|lane| words[lane].load())
}

// SAFETY: a slab is 32 words, and the host sees it as such.
unsafe impl Element for Slab {
    type Value = SlabWords;
    const SHARED_WORD: usize = 4;
    fn element_name(_program: &mut Program) -> String {
        "Slab".to_owned()
    }
}

// SAFETY: 32 words without padding; CUDA's `Slab` is the same.
unsafe impl DeviceType for SlabWords {
    const HAS_PADDING: bool = false;
    fn cuda_name(_program: &mut Program) -> String {
        "Slab".to_owned()
    }
}

#[cfg(test)]
mod tests;
