//! Random numbers are the host's, on every device.

use super::expect;
use super::kernels::random::{self, Drawn};
use meerkat::runtime::random::{
    philox, random_below, random_f32, random_f64, random_u32, random_u64,
};

#[test]
fn numbers_of_1000_lanes_are_those_that_the_host_computes() {
    for (seed, first) in [(0, 0), (7, 1 << 40), (u64::MAX, u64::MAX - 1000)] {
        let drawn = |i: u32| {
            let at = first + u64::from(i);
            Drawn {
                wide: random_u64(seed, at),
                share: random_f64(seed, at),
                word: random_u32(seed, at),
                part: random_f32(seed, at),
                below: random_below(seed, at, i),
                mixed: philox([i, 1, 2, 3], [seed as u32, 5]).into_iter().fold(0, |a, b| a ^ b),
            }
        };
        let expected: Vec<Drawn> = (0..1000).map(drawn).collect();
        assert!(expected.iter().zip(0..).all(|(x, i)| x.below < i || i == 0));
        assert!(expected.iter().all(|x| x.part < 1.0 && x.share < 1.0));
        expect(&expected, |device, out| random::draws::launch(device, 1000, seed, first, out));
    }
}
