//! Lists sorted by the rank that items are for, on the device, each rank's in their order.
//!
//! ```text
//! keys: a vertex for each item --count_keys--> how many items of each warp are for each rank
//!   --host: running sums--> where these begin --place_keys--> order: the items of rank 0, ..
//! ```
#![allow(unsafe_code)] // One write into a place that was counted for a lane; the block says why.

use super::partition::{Partition, owner_of};
use crate::device::{Device, DeviceBuffer};
use crate::launch::HostArg;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::{Atomic, DeviceSlice};
use crate::{DeviceType, Error, ErrorKind, Uniform, Vertex};
use meerkat_macros::kernel;

/// The key of an item that is for no rank.
pub(super) const NOBODY: u32 = u32::MAX;

/// How many items a warp takes, in turns of 32.
const OF_WARP: u32 = 256;

/// Counts how many of a warp's items are for each of up to 32 ranks, from `first` on. After the counts
/// there is a key that is no vertex, and one more, if there is such a key.
#[kernel]
fn count_keys(
    keys: &[Vertex],
    vertices: u32,
    partition: Partition,
    first: u32,
    warps: u32,
    counts: &[Atomic<u32>],
) {
    let warp = global_warp_id();
    let ranks = (partition.ranks - first).min(32);
    let mut own = 0u32;
    let mut turn: Uniform<u32> = 0u32;
    while turn < OF_WARP && warp < warps {
        let i = warp * OF_WARP + turn + lane_id();
        let mut owner = NOBODY;
        if i < keys.len() && keys[i] != NOBODY {
            owner = owner_of(partition, keys[i]);
            if keys[i] >= vertices {
                counts[counts.len() - 1].store(keys[i] + 1);
            }
        }
        for lane in 0..ranks {
            let votes = warp_ballot(owner == first + lane);
            if lane_id() == lane {
                own += votes.count_ones();
            }
        }
        turn += 32;
    }
    if warp < warps && lane_id() < ranks {
        counts[(first + lane_id()) * warps + warp].store(own);
    }
}

/// Puts the numbers of a warp's items where those of its ranks begin.
#[kernel]
fn place_keys(
    keys: &[Vertex],
    partition: Partition,
    first: u32,
    warps: u32,
    starts: &[u32],
    order: &mut [u32],
) {
    let warp = global_warp_id();
    let ranks = (partition.ranks - first).min(32);
    let mut next = 0u32;
    if warp < warps && lane_id() < ranks {
        next = starts[(first + lane_id()) * warps + warp];
    }
    let mut turn: Uniform<u32> = 0u32;
    while turn < OF_WARP && warp < warps {
        let i = warp * OF_WARP + turn + lane_id();
        let mut owner = NOBODY;
        if i < keys.len() && keys[i] != NOBODY {
            owner = owner_of(partition, keys[i]);
        }
        let mut place = NOBODY;
        for lane in 0..ranks {
            let is_for_it = owner == first + lane;
            let votes = warp_ballot(is_for_it);
            let begin = warp_broadcast(next, lane);
            if is_for_it {
                place = begin + (votes & lanes_below()).count_ones();
            }
            if lane_id() == lane {
                next += votes.count_ones();
            }
        }
        if place < order.len() {
            // SAFETY: `count_keys` has counted the items of each warp and rank, and `starts` has their
            // running sums, so each place is one item's.
            unsafe { order.write(place, i) }
        }
        turn += 32;
    }
}

/// Takes the values at some places, all of which there are: the host sees to that, and without it nothing
/// is taken.
#[kernel]
pub(super) fn take_at<T: DeviceType>(values: &[T], places: &[u32], taken: &mut [T]) {
    let i = thread_id();
    if i < taken.len() && i < places.len() && places[i] < values.len() {
        taken[i] = values[places[i]];
    }
}

/// Where the items of a list go.
#[derive(Debug)]
pub(super) struct Route {
    /// The numbers of the items, those for rank 0 first, each rank's in their order.
    pub(super) order: DeviceBuffer<u32>,
    /// How many are for each rank.
    pub(super) counts: Vec<usize>,
}

impl Route {
    /// By a vertex for each item, of so many vertices, whose owner it is for, or [`NOBODY`]. Synchronises.
    ///
    /// Cost: two passes over the keys; a word for every 256 items and rank, to the host and back.
    ///
    /// # Errors
    /// A key that is no vertex; no memory; the device fails.
    pub(super) fn of(
        keys: &DeviceBuffer<Vertex>,
        vertices: u32,
        partition: Partition,
    ) -> Result<Self, Error> {
        let (device, ranks) = (keys.device(), partition.ranks());
        let warps = (keys.len() as u32).div_ceil(OF_WARP);
        let mut counts = DeviceBuffer::<Atomic<u32>>::zeroed(device, ranks * warps as usize + 1)?;
        let groups = || (0..partition.ranks).step_by(32);
        for first in groups() {
            count_keys::launch(
                device,
                32 * warps,
                keys,
                vertices,
                partition,
                first,
                warps,
                &counts,
            )?;
        }
        let mut places = counts.to_vec()?;
        if let Some(vertex) = places.pop().and_then(|stray| stray.checked_sub(1)) {
            return Err(ErrorKind::NoSuchVertex { vertex, count: vertices }.into());
        }
        let (mut sum, mut of_ranks) = (0u32, Vec::with_capacity(ranks));
        for of_rank in places.chunks_mut(warps.max(1) as usize) {
            let before = sum;
            of_rank.iter_mut().for_each(|count| sum += std::mem::replace(count, sum));
            of_ranks.push((sum - before) as usize);
        }
        of_ranks.resize(ranks, 0);
        counts.write(0, &places)?;
        let mut order = DeviceBuffer::zeroed(device, sum as usize)?;
        let starts = counts.plain_view(0..places.len());
        for first in groups() {
            place_keys::launch(
                device,
                32 * warps,
                keys,
                partition,
                first,
                warps,
                starts,
                &mut order,
            )?;
        }
        Ok(Route { order, counts: of_ranks })
    }

    /// The values of the items, as they are sent. Queued on CUDA.
    pub(super) fn sorted<T: DeviceType>(
        &self,
        device: &Device,
        values: &DeviceBuffer<T>,
    ) -> Result<DeviceBuffer<T>, Error> {
        taken_at(device, values, &self.order)
    }
}

/// The values at some places. Queued on CUDA.
pub(super) fn taken_at<T: DeviceType>(
    device: &Device,
    values: impl HostArg<DeviceSlice<T>>,
    places: &DeviceBuffer<u32>,
) -> Result<DeviceBuffer<T>, Error> {
    let mut taken = DeviceBuffer::zeroed(device, places.len())?;
    take_at::launch(device, places.len() as u32, values, places, &mut taken)?;
    Ok(taken)
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![count_keys::info(), place_keys::info(), take_at::info::<u32>()]
}

#[cfg(test)]
mod tests {
    use super::super::partition::Ownership;
    use super::*;

    #[test]
    fn items_for_1_to_70_ranks_are_sorted_and_keep_their_order() -> Result<(), Error> {
        let device = Device::cpu();
        let mut rng = fastrand::Rng::with_seed(19);
        for ranks in [1, 2, 8, 32, 33, 70] {
            for length in [0, 1, 255, 257, 5000] {
                let partition = Partition::new(Ownership::Hash, 1000, ranks);
                let key = |_| if rng.u32(0..9) == 0 { NOBODY } else { rng.u32(0..1000) };
                let keys: Vec<u32> = (0..length).map(key).collect();
                let keys_there = DeviceBuffer::from_slice(&device, &keys)?;
                let route = Route::of(&keys_there, 1000, partition)?;
                let of = |rank: usize| {
                    let is_for_it = move |key: u32| key != NOBODY && partition.owner(key) == rank;
                    let numbered = (0..).zip(&keys);
                    numbered.filter(move |&(_, &key)| is_for_it(key)).map(|(i, _)| i)
                };
                let expected: Vec<u32> = (0..ranks as usize).flat_map(of).collect();
                assert_eq!(route.order.to_vec()?, expected, "{ranks} ranks, {length} items");
                let counts: Vec<_> = (0..ranks as usize).map(|rank| of(rank).count()).collect();
                assert_eq!(route.counts, counts);
            }
        }
        Ok(())
    }

    #[test]
    fn a_key_that_is_no_vertex_is_refused_by_hash_and_by_range() -> Result<(), Error> {
        let device = Device::cpu();
        for ownership in [Ownership::Hash, Ownership::Range] {
            let partition = Partition::new(ownership, 10, 3);
            let of =
                |keys: &[u32]| Route::of(&DeviceBuffer::from_slice(&device, keys)?, 10, partition);
            assert_eq!(of(&[9, NOBODY, 0])?.order.len(), 2);
            let error = of(&[9, 10, NOBODY]).expect_err("there are 10 vertices");
            let kind = error.kind();
            assert!(matches!(kind, ErrorKind::NoSuchVertex { vertex: 10, count: 10 }), "{error}");
        }
        Ok(())
    }
}
