//! Random numbers without a state: each is a function of a seed and a counter, so lanes
//! share nothing, and a run can be repeated on any device and with any schedule.
//!
//! ```
//! use meerkat_runtime::prelude::*;
//! use meerkat_runtime::random::random_below;
//!
//! /// Each vertex draws one of six colours, another in each round.
//! #[vertex_operator]
//! fn draw(v: Vertex, seed: u64, round: u32, colors: &mut [u32]) {
//!     colors[v] = random_below(seed, (round as u64) << 32 | v as u64, 6);
//! }
//!
//! let device = Device::cpu();
//! let mut colors = DeviceBuffer::zeroed(&device, 100)?;
//! draw::launch(&device, 0..100, 7, 3, &mut colors)?;
//! // The host calls the same functions.
//! assert_eq!(colors.to_vec()?[42], random_below(7, 3 << 32 | 42, 6));
//! # Ok::<(), meerkat_runtime::Error>(())
//! ```
//!
//! Never use a counter twice for numbers that must be independent: give each vertex, round
//! and purpose its own, in the bits of the counter or in the seed.
//!
//! The generator is Philox4x32 with ten rounds, which passes TestU01's BigCrush. Source:
//! Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

use meerkat_macros::device;

/// What the two halves of the counter are multiplied with.
const MULTIPLIER_0: u64 = 0xd251_1f53;
const MULTIPLIER_1: u64 = 0xcd9e_8d57;
/// What is added to the key after each round: the golden ratio, and the square root of 3
/// less 1.
const WEYL_0: u32 = 0x9e37_79b9;
const WEYL_1: u32 = 0xbb67_ae85;

/// Philox4x32-10: four random words of a counter and a key.
#[device]
pub fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let mut a = counter[0];
    let mut b = counter[1];
    let mut c = counter[2];
    let mut d = counter[3];
    let mut key_0 = key[0];
    let mut key_1 = key[1];
    for _ in 0..10u32 {
        let product_0: u64 = MULTIPLIER_0 * a as u64;
        let product_1: u64 = MULTIPLIER_1 * c as u64;
        a = (product_1 >> 32) as u32 ^ b ^ key_0;
        b = product_1 as u32;
        c = (product_0 >> 32) as u32 ^ d ^ key_1;
        d = product_0 as u32;
        key_0 = key_0.wrapping_add(WEYL_0);
        key_1 = key_1.wrapping_add(WEYL_1);
    }
    [a, b, c, d]
}

/// Four random words.
#[device]
pub fn random_words(seed: u64, counter: u64) -> [u32; 4] {
    philox([counter as u32, (counter >> 32) as u32, 0, 0], [seed as u32, (seed >> 32) as u32])
}

/// A random number of 32 bits.
#[device]
pub fn random_u32(seed: u64, counter: u64) -> u32 {
    let words: [u32; 4] = random_words(seed, counter);
    words[0]
}

/// A random number of 64 bits.
#[device]
pub fn random_u64(seed: u64, counter: u64) -> u64 {
    let words: [u32; 4] = random_words(seed, counter);
    (words[1] as u64) << 32 | words[0] as u64
}

/// A random number from 0 to below 1: one of the 2^24 multiples of 2^-24.
#[device]
pub fn random_f32(seed: u64, counter: u64) -> f32 {
    let word: u32 = random_u32(seed, counter);
    (word >> 8) as f32 * 5.960_464_5e-8
}

/// A random number from 0 to below 1: one of the 2^53 multiples of 2^-53.
#[device]
pub fn random_f64(seed: u64, counter: u64) -> f64 {
    let word: u64 = random_u64(seed, counter);
    (word >> 11) as f64 * 1.110_223_024_625_156_5e-16
}

/// A random number from 0 to below `bound`, 0 if that is 0. Numbers differ in how likely
/// they are by at most `bound` parts in 2^32.
#[device]
pub fn random_below(seed: u64, counter: u64, bound: u32) -> u32 {
    let word: u32 = random_u32(seed, counter);
    ((word as u64 * bound as u64) >> 32) as u32
}

/// Steele, Lea and Flood's mixer of 64 bits (SplitMix64).
#[device]
pub(crate) fn mixed(x: u64) -> u64 {
    let mut bits: u64 = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers of Random123 for Philox4x32-10.
    #[test]
    fn philox_gives_the_3_known_answers() {
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        let ones = u32::MAX;
        let known = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([ones; 4], [ones; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (pi, [0xa409_3822, 0x299f_31d0], [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]),
        ];
        for (counter, key, answer) in known {
            assert_eq!(philox(counter, key), answer, "{counter:x?} {key:x?}");
        }
    }

    #[test]
    fn the_steps_of_floats_are_powers_of_two() {
        assert_eq!(5.960_464_5e-8f32, 2f32.powi(-24));
        assert_eq!(1.110_223_024_625_156_5e-16f64, 2f64.powi(-53));
    }

    /// Pearson's chi-squared of `counts`, which should all be alike.
    fn chi_squared(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    /// 255 degrees of freedom: below 190 or above 330 once in a thousand at most.
    #[test]
    fn of_2_to_the_18_draws_each_of_256_bins_has_its_share() {
        let bins: [fn(u64, u64) -> usize; 5] = [
            |seed, i| random_u32(seed, i) as usize & 255,
            |seed, i| (random_u64(seed, i) >> 56) as usize,
            |seed, i| (random_f32(seed, i) * 256.0) as usize,
            |seed, i| (random_f64(seed, i) * 256.0) as usize,
            |seed, i| random_below(seed, i << 32, 256) as usize,
        ];
        for (which, bin) in bins.into_iter().enumerate() {
            for seed in [0, 1, u64::MAX] {
                let mut counts = [0u32; 256];
                (0..1 << 18).for_each(|i| counts[bin(seed, i)] += 1);
                let found = chi_squared(&counts);
                assert!((180.0..340.0).contains(&found), "{which}, seed {seed}: {found}");
            }
        }
    }

    /// Neighbouring counters and seeds have nothing to do with each other: of 64 bits
    /// about half differ.
    #[test]
    fn a_bit_of_seed_or_counter_changes_half_of_the_bits() {
        let mut differing = [0u32; 2];
        for i in 0..1000 {
            let (seed, counter) = (random_u64(5, i), random_u64(6, i));
            let bit = 1 << (i % 64);
            let drawn = random_u64(seed, counter);
            differing[0] += (random_u64(seed ^ bit, counter) ^ drawn).count_ones();
            differing[1] += (random_u64(seed, counter ^ bit) ^ drawn).count_ones();
        }
        // 64,000 bits, standard deviation 126.
        assert!(differing.iter().all(|&bits| bits.abs_diff(32_000) < 600), "{differing:?}");
    }
}
