//! Publishing a link to an overflow slab, under weak memory: a record of four words whose last
//! is a key or, once there are more keys, a link to a slab that begins with that key. Three
//! warps insert at once; each key must end up there once, whatever the memory does.

use meerkat::prelude::*;
use std::collections::BTreeMap;

const SEEDS: u64 = 200;

const EMPTY: u32 = u32::MAX;
const LOCKED: u32 = u32::MAX - 1;
/// The tag of a link; what is left is a slab's number.
const LINK: u32 = 1 << 31;
/// Words of a record, and of a slab.
const WORDS: u32 = 4;

macro_rules! insertions {
    ($($name:ident |$words:ident, $last:ident, $link:ident| {$($publish:tt)*} {$($follow:tt)*})*) => {$(
        /// Warp `w` inserts `keys[w]` and says whether it was new.
        #[kernel]
        fn $name(
            $words: &[Atomic<u32>],
            slabs: &[Atomic<u32>],
            keys: &[u32],
            added: &[Atomic<u32>],
        ) {
            let me = global_warp_id();
            let mut done = lane_id() != 0 || me >= keys.len();
            let mut first = 0u32;
            while !done {
                let key = keys[me];
                let mut found = false;
                let mut place = EMPTY;
                for k in 0..WORDS {
                    let word = $words[first + k].load();
                    found |= word == key;
                    if word == EMPTY && place == EMPTY {
                        place = first + k;
                    }
                }
                let $last = first + WORDS - 1;
                let last_word = $words[$last].load();
                if found {
                    done = true;
                } else if place != EMPTY {
                    let before = $words[place].compare_and_swap(EMPTY, key);
                    done = before == EMPTY || before == key;
                    added[me].store((before == EMPTY) as u32);
                } else if last_word < LINK {
                    if $words[$last].compare_and_swap(last_word, LOCKED) == last_word {
                        let slab = slabs[0].fetch_add_aggregated(1);
                        let to = (slab + 1) * WORDS;
                        $words[to].store(last_word);
                        $words[to + 1].store(key);
                        let $link = LINK | slab;
                        $($publish)*
                        added[me].store(1);
                        done = true;
                    }
                } else if last_word < LOCKED {
                    $($follow)*
                    first = ((last_word & !LINK) + 1) * WORDS;
                }
            }
        }
    )*};
}

insertions! {
    released |words, last, link| { words[last].store_release(link); } { words[last].load_acquire(); }
    fenced |words, last, link| { memory_fence(); words[last].store(link); } { memory_fence(); }
    without_release |words, last, link| { words[last].store(link); } { words[last].load_acquire(); }
    without_acquire |words, last, link| { words[last].store_release(link); } {}
    without_either |words, last, link| { words[last].store(link); } {}
}

/// Keys that are there, and keys that three warps insert.
const CASES: [(&[u32], [u32; 3]); 10] = [
    (&[1, 2], [5, 6, 7]),
    (&[1, 2, 3], [5, 6, 7]),
    (&[1, 2, 3], [5, 5, 6]),
    (&[1, 2, 3], [5, 5, 5]),
    (&[1, 2, 3, 4], [5, 6, 7]),
    (&[1, 2, 3, 4], [5, 5, 6]),
    (&[1, 2, 3, 4], [5, 5, 5]),
    (&[1, 2, 3, 4], [5, 6, 4]),
    (&[1, 2, 3, 4], [5, 4, 4]),
    (&[1, 2, 3, 4], [5, 6, 1]),
];

/// How often each key is in the list of the record.
fn listed(words: &[u32]) -> BTreeMap<u32, u32> {
    let mut count = BTreeMap::new();
    let mut list = 0;
    loop {
        let all = &words[list * WORDS as usize..][..WORDS as usize];
        all.iter()
            .filter(|&&word| word < LINK)
            .for_each(|&key| *count.entry(key).or_default() += 1);
        match all[WORDS as usize - 1] {
            link @ LINK..LOCKED => list = (link & !LINK) as usize + 1,
            _ => return count,
        }
    }
}

/// How many launches lost a key, doubled one, or miscounted, and how many went on to a slab.
fn wrong(
    launch: impl Fn(
        &Device,
        &DeviceBuffer<Atomic<u32>>,
        &DeviceBuffer<Atomic<u32>>,
        &DeviceBuffer<u32>,
        &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error>,
) -> Result<[u64; 3], Error> {
    let [mut lost, mut doubled, mut miscounted] = [0; 3];
    for (case, (there, keys)) in CASES.iter().enumerate() {
        for seed in 0..SEEDS {
            let device = Device::cpu().with_weak_memory(seed * 100 + case as u64);
            let mut start = vec![EMPTY; 5 * WORDS as usize];
            start[..there.len()].copy_from_slice(there);
            let words = DeviceBuffer::from_slice(&device, &start)?;
            let slabs = DeviceBuffer::zeroed(&device, 1)?;
            let added = DeviceBuffer::zeroed(&device, 3)?;
            launch(&device, &words, &slabs, &DeviceBuffer::from_slice(&device, keys)?, &added)?;
            let count = listed(&words.to_vec()?);
            let mut wanted: Vec<u32> = there.iter().chain(keys).copied().collect();
            wanted.sort_unstable();
            wanted.dedup();
            lost += u64::from(wanted.iter().any(|key| !count.contains_key(key)));
            doubled += u64::from(count.values().any(|&times| times > 1));
            let new = added.to_vec()?.iter().sum::<u32>() as usize;
            miscounted += u64::from(there.len() + new != wanted.len());
        }
    }
    Ok([lost, doubled, miscounted])
}

macro_rules! wrong {
    ($($kernel:ident)*) => {
        [$((stringify!($kernel), wrong(|device, words, slabs, keys, added| {
            $kernel::launch(device, 96, words, slabs, keys, added)
        }).expect("no trap"))),*]
    };
}

#[test]
fn no_key_is_lost_or_doubled_with_release_and_acquire_in_10_cases_of_200_seeds() {
    let all = wrong! { released fenced };
    for (name, wrong) in all {
        assert_eq!(wrong, [0; 3], "{name}");
    }
}

#[test]
fn keys_are_lost_without_release_or_acquire_by_some_of_10_cases_of_200_seeds() {
    let all = wrong! { without_release without_acquire without_either };
    for (name, [lost, _, miscounted]) in all {
        assert!(lost > 0 && miscounted > 0, "{name}: {lost} lost, {miscounted} miscounted");
    }
}
