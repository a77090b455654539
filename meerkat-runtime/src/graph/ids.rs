//! Which ids are vertices.

/// Which ids of a graph are vertices.
#[derive(Clone, Debug)]
pub(super) struct Ids {
    pub(super) count: u32,
    /// A bit for each id that was deleted; no words while there are none.
    deleted: Vec<u32>,
    /// The deleted ids, in no order.
    free: Vec<u32>,
}

impl Ids {
    pub(super) fn new(count: u32) -> Self {
        Ids { count, deleted: Vec::new(), free: Vec::new() }
    }

    pub(super) fn is_deleted(&self, id: u32) -> bool {
        let word = self.deleted.get(id as usize / 32);
        word.is_some_and(|word| word >> (id % 32) & 1 == 1)
    }

    /// A bit for each id that is deleted, as kernels read it; empty if none is.
    pub(super) fn deleted_bits(&self) -> &[u32] {
        if self.free.is_empty() { &[] } else { &self.deleted }
    }

    /// The deleted ids, ascending.
    pub(super) fn deleted(&self) -> Vec<u32> {
        let mut ids = self.free.clone();
        ids.sort_unstable();
        ids
    }

    /// What deletion of some ids leaves; or the first of them that is no vertex.
    pub(super) fn without(&self, ids: &[u32]) -> Result<Self, u32> {
        let mut left = self.clone();
        left.deleted.resize((self.count as usize).div_ceil(32), 0);
        left.free.reserve(ids.len());
        for &id in ids {
            if id >= self.count || self.is_deleted(id) {
                return Err(id);
            }
            let (word, bit) = (&mut left.deleted[id as usize / 32], 1 << (id % 32));
            if *word & bit == 0 {
                *word |= bit;
                left.free.push(id);
            }
        }
        Ok(left)
    }

    /// What [`without`](Self::without) deleted from `before`: each once, in the order of
    /// their mention.
    pub(super) fn gone_from(&self, before: &Self) -> &[u32] {
        &self.free[before.free.len()..]
    }

    /// How many ids [`insert`](Self::insert) would use again.
    pub(super) fn reused(&self, count: u32) -> u32 {
        self.free.len().min(count as usize) as u32
    }

    /// `count` ids: the smallest deleted ones, then new ones.
    pub(super) fn insert(&mut self, count: u32) -> Vec<u32> {
        self.free.sort_unstable_by(|a, b| b.cmp(a));
        let reused = self.free.len().saturating_sub(count as usize);
        let mut ids = self.free.split_off(reused);
        ids.reverse();
        ids.iter().for_each(|&id| self.deleted[id as usize / 32] &= !(1 << (id % 32)));
        let fresh = count - ids.len() as u32;
        ids.extend(self.count..self.count + fresh);
        self.count += fresh;
        ids
    }
}
