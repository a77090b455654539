//! The memory of a launch as a machine of views: what each atomic may find and leave.
//!
//! The model is that of C++ and PTX for relaxed atomics, release, acquire and fences, as
//! Kang et al. run it (*A Promising Semantics for Relaxed-Memory Concurrency*), without
//! promises. Each place has a list of writes. A warp's view says for each place the oldest
//! write that the warp may still see.
//!
//! - A load sees any write that is no older than the view.
//! - A store goes after any such write. So one that was under way when a later one arrived
//!   still overwrites that.
//! - A read-modify-write sees any such write and goes right after it, where no other can
//!   come between.
//! - A write carries a view. That of a release is all that its warp has seen, that of a
//!   relaxed one what the warp had seen at its last fence. A read-modify-write adds what
//!   the write that it saw carried.
//! - Who sees a write gets the view it carries: at once by an acquire, else at the next fence.
//! - 8 bytes that are written at once are seen at once, also by who reads 4 of them and 4 again.
//!
//! Memory itself holds the last write of each list. Addresses are compared here, never
//! followed. Views belong to warps, so lanes of a warp see each other's writes at once.

use super::super::Word;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// How many writes of a place are kept.
const WRITES: usize = 8;
/// Between the numbers of a place's writes, for those that come between.
const GAP: u64 = 1 << 32;

/// The address and the number of bytes of an atomic.
type Place = (usize, usize);

/// For each place the number of the oldest write that may still be seen.
type View = BTreeMap<Place, u64>;

fn join(view: &mut View, other: &View) {
    for (place, &number) in other {
        let seen = view.entry(*place).or_default();
        *seen = number.max(*seen);
    }
}

/// One of the writes of a place.
struct Write {
    number: u64,
    value: u64,
    /// It stays right after the one before.
    is_update: bool,
    view: View,
    /// It is half of 8 bytes that were written at once.
    is_half: bool,
}

/// What a warp has seen.
#[derive(Default)]
struct Seen {
    now: View,
    /// At its next fence.
    at_fence: View,
    /// At its last fence.
    by_fence: View,
}

/// What was written, and who has seen what.
pub(super) struct Memory {
    pub(super) random: fastrand::Rng,
    places: BTreeMap<Place, Vec<Write>>,
    /// Of the warps under way.
    warps: Vec<Seen>,
    /// What any warp had seen at a fence: fences are in one order.
    fences: View,
}

impl Memory {
    /// For this number of warps at a time.
    pub(super) fn new(random: fastrand::Rng, warps: usize) -> Self {
        let warps = (0..warps).map(|_| Seen::default()).collect();
        Memory { random, places: BTreeMap::new(), warps, fences: View::new() }
    }

    /// A warp begins: it has seen what was there before the launch.
    pub(super) fn begin(&mut self, me: usize) {
        self.warps[me] = Seen::default();
    }

    /// Another array is at these addresses now.
    pub(super) fn forget(&mut self, addresses: &Range<usize>) {
        self.places.retain(|(address, _), _| !addresses.contains(address));
    }

    /// The last of some choices half of the time, so that the launch gets on.
    fn choice(&mut self, choices: Range<usize>) -> usize {
        if self.random.bool() { choices.end - 1 } else { self.random.usize(choices) }
    }

    /// Goes on with the halves of 8 bytes that were written together, where one is wanted now: who
    /// sees a write in one half sees no older one in the other.
    fn split(&mut self, address: usize) {
        let whole = (address & !7, 8);
        let halves = [(whole.0, 4), (whole.0 + 4, 4)];
        let Some(writes) = self.places.remove(&whole) else { return };
        let both = |view: &mut View| {
            if let Some(number) = view.remove(&whole) {
                view.extend(halves.map(|half| (half, number)));
            }
        };
        for (half, shift) in halves.into_iter().zip([0, 32]) {
            let of_half = |write: &Write| {
                let (value, view) = (write.value >> shift & 0xffff_ffff, write.view.clone());
                Write { value, view, is_half: true, ..*write }
            };
            self.places.insert(half, writes.iter().map(of_half).collect());
        }
        let others = self.places.values_mut().flatten();
        others.for_each(|write| both(&mut write.view));
        for seen in &mut self.warps {
            [&mut seen.now, &mut seen.at_fence, &mut seen.by_fence].into_iter().for_each(both);
        }
        both(&mut self.fences);
    }

    /// The writes of an atomic, and which of them the warp may see.
    fn writes(&mut self, me: usize, word: Word<'_>) -> (Place, Range<usize>) {
        let place @ (address, bytes) = word.place();
        if bytes == 4 {
            self.split(address);
        }
        let value = word.load(Ordering::Relaxed);
        let last = self.places.get(&place).and_then(|writes| writes.last());
        if last.is_none_or(|write| write.value != value) {
            // The first time, or after an access of another width: all see what is there.
            let mut first =
                Write { number: 0, value, is_update: false, view: View::new(), is_half: false };
            let low = address & !7;
            for other in [(low, 8), (low, 4), (low + 4, 4)] {
                if (other.0..other.0 + other.1).contains(&address) || place.1 == 8 {
                    for write in self.places.remove(&other).unwrap_or_default() {
                        first.number = first.number.max(write.number + GAP);
                        join(&mut first.view, &write.view);
                    }
                }
            }
            self.places.insert(place, vec![first]);
        }
        let writes = &self.places[&place];
        let seen = self.warps[me].now.get(&place).copied().unwrap_or_default();
        let oldest = writes.partition_point(|write| write.number < seen);
        (place, oldest.min(writes.len() - 1)..writes.len())
    }

    /// Has the warp see a write.
    fn see(&mut self, me: usize, place: Place, at: usize, acquires: bool) -> u64 {
        let (write, seen) = (&self.places[&place][at], &mut self.warps[me]);
        seen.now.insert(place, write.number);
        if write.is_half {
            let other = seen.now.entry((place.0 ^ 4, 4)).or_default();
            *other = write.number.max(*other);
        }
        join(&mut seen.at_fence, &write.view);
        if acquires {
            join(&mut seen.now, &write.view);
        }
        write.value
    }

    /// Whether another write may come right after.
    fn has_room(&self, place: Place, at: usize) -> bool {
        let writes = &self.places[&place];
        let next = writes.get(at + 1);
        next.is_none_or(|next| !next.is_update && next.number - writes[at].number > 1)
    }

    /// Puts a write right after another.
    fn put(&mut self, me: usize, word: Word<'_>, after: usize, mut write: Write) {
        let place = word.place();
        let Some(writes) = self.places.get_mut(&place) else { return };
        let before = writes[after].number;
        write.number = match writes.get(after + 1) {
            Some(next) => before + (next.number - before) / 2,
            None => before + GAP,
        };
        if after + 1 == writes.len() {
            word.store(write.value, Ordering::Relaxed);
        }
        write.view.insert(place, write.number);
        self.warps[me].now.insert(place, write.number);
        writes.insert(after + 1, write);
        if writes.len() > WRITES {
            writes.remove(0);
        }
    }

    pub(super) fn load(&mut self, me: usize, word: Word<'_>, order: Ordering) -> u64 {
        let (place, choices) = self.writes(me, word);
        let at = self.choice(choices);
        self.see(me, place, at, order == Ordering::Acquire)
    }

    pub(super) fn store(&mut self, me: usize, word: Word<'_>, value: u64, order: Ordering) {
        let (place, choices) = self.writes(me, word);
        let mut after = self.choice(choices);
        while !self.has_room(place, after) {
            after += 1;
        }
        let seen = &self.warps[me];
        let view = if order == Ordering::Release { &seen.now } else { &seen.by_fence }.clone();
        self.put(
            me,
            word,
            after,
            Write { number: 0, value, is_update: false, view, is_half: false },
        );
    }

    pub(super) fn update(
        &mut self,
        me: usize,
        word: Word<'_>,
        f: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> u64 {
        let (place, choices) = self.writes(me, word);
        let mut at = self.choice(choices);
        let mut value = f(self.places[&place][at].value);
        while value.is_some() && !self.has_room(place, at) {
            at += 1;
            value = f(self.places[&place][at].value);
        }
        let before = self.see(me, place, at, false);
        if let Some(value) = value {
            let mut view = self.places[&place][at].view.clone();
            join(&mut view, &self.warps[me].by_fence);
            self.put(
                me,
                word,
                at,
                Write { number: 0, value, is_update: true, view, is_half: false },
            );
        }
        before
    }

    pub(super) fn fence(&mut self, me: usize) {
        let seen = &mut self.warps[me];
        join(&mut seen.now, &seen.at_fence);
        join(&mut seen.now, &self.fences);
        self.fences.clone_from(&seen.now);
        seen.by_fence.clone_from(&seen.now);
    }
}
