//! The vertices of a rank.

use super::partition::{Ownership, Partition};
use super::route::Route;
use crate::device::{Device, DeviceBuffer};
use crate::launch::{HostArg, VertexItems};
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::DeviceSlice;
use crate::{Error, Vertex};
use meerkat_macros::kernel;
use std::ops::Range;

/// Numbers a list: each place gets itself.
#[kernel]
fn number_places(places: &mut [u32]) {
    let i = thread_id();
    if i < places.len() {
        places[i] = i;
    }
}

/// The vertices of a rank, as the items of a launch: `for v in` all that it owns.
#[derive(Debug)]
pub struct OwnVertices {
    device: Device,
    rank: usize,
    vertices: u32,
    counts: Vec<usize>,
    list: List,
}

#[derive(Debug)]
enum List {
    Range(Range<Vertex>),
    /// All vertices, ascending within each rank, and where the own begin.
    Sorted(Box<DeviceBuffer<Vertex>>, usize),
}

impl OwnVertices {
    /// Those of a rank, of so many vertices in all. Synchronises.
    ///
    /// Cost: where a hash decides, a list of all vertices, 4 bytes each.
    pub(super) fn new(
        device: &Device,
        partition: Partition,
        rank: usize,
        vertices: u32,
    ) -> Result<Self, Error> {
        let (counts, list) = match partition.ownership() {
            Ownership::Range => {
                let range = |rank| partition.range(rank, vertices);
                let counts = (0..partition.ranks).map(|rank| range(rank).len()).collect();
                (counts, List::Range(range(rank as u32)))
            }
            Ownership::Hash => {
                let mut all = DeviceBuffer::zeroed(device, vertices as usize)?;
                number_places::launch(device, vertices, &mut all)?;
                let Route { order, counts } = Route::of(&all, vertices, partition)?;
                let first = counts.iter().take(rank).sum();
                (counts, List::Sorted(Box::new(order), first))
            }
        };
        Ok(OwnVertices { device: device.clone(), rank, vertices, counts, list })
    }

    /// How many vertices this rank owns.
    pub fn count(&self) -> usize {
        self.counts.get(self.rank).copied().unwrap_or(0)
    }

    /// How many vertices each rank owns.
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// The first id, where they are a range.
    pub(super) fn first_of_range(&self) -> Option<Vertex> {
        match &self.list {
            List::Range(range) => Some(range.start),
            List::Sorted(..) => None,
        }
    }

    /// All vertices, those of rank 0 first, and where the own begin; none where they are ranges.
    pub(super) fn sorted(&self) -> Option<(&DeviceBuffer<Vertex>, usize)> {
        match &self.list {
            List::Range(_) => None,
            List::Sorted(order, first) => Some((order, *first)),
        }
    }

    /// How many vertices there are in all.
    pub(super) fn all(&self) -> u32 {
        self.vertices
    }

    /// The own vertices, ascending. Synchronises.
    ///
    /// # Errors
    /// The device fails.
    pub fn to_vec(&self) -> Result<Vec<Vertex>, Error> {
        match &self.list {
            List::Range(range) => Ok(range.clone().collect()),
            List::Sorted(order, first) => order.read(*first, self.count()),
        }
    }

    /// Some of them, by their places among them.
    pub(super) fn part(&self, places: Range<usize>) -> OwnPart<'_> {
        OwnPart { own: self, places }
    }

    /// The device that they are listed on.
    pub fn device(&self) -> &Device {
        &self.device
    }
}

/// Some of the vertices of a rank, as the items of a launch.
#[derive(Clone, Debug)]
pub struct OwnPart<'a> {
    pub(super) own: &'a OwnVertices,
    pub(super) places: Range<usize>,
}

#[allow(unsafe_code)] // Views for a launch, as the launcher asks for them.
impl HostArg<VertexItems> for OwnPart<'_> {
    unsafe fn to_device_arg(self, device: &Device) -> Result<VertexItems, Error> {
        let OwnPart { own, places: Range { start, end } } = self;
        match &own.list {
            List::Range(range) => {
                let items = range.start + start as u32..range.start + end as u32;
                // SAFETY: what the caller promises of the vertices holds for a part of their range.
                unsafe { items.to_device_arg(device) }
            }
            List::Sorted(order, first) => {
                order.check_device(device)?;
                let list: DeviceSlice<u32> = order.view_of(first + start..first + end);
                Ok(VertexItems { list, ..VertexItems::all((end - start) as u32) })
            }
        }
    }
}

#[allow(unsafe_code)] // As for a part.
impl HostArg<VertexItems> for &OwnVertices {
    unsafe fn to_device_arg(self, device: &Device) -> Result<VertexItems, Error> {
        // SAFETY: what the caller promises.
        unsafe { self.part(0..self.count()).to_device_arg(device) }
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![number_places::info()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_is_owned_once_by_hash_and_by_range() -> Result<(), Error> {
        let device = Device::cpu();
        for ownership in [Ownership::Hash, Ownership::Range] {
            for (vertices, ranks) in [(0, 3), (1, 4), (7, 3), (1000, 8), (4099, 5)] {
                let partition = Partition::new(ownership, vertices, ranks);
                assert_eq!((partition.ownership(), partition.ranks()), (ownership, ranks as usize));
                let mut all = Vec::new();
                for rank in 0..ranks as usize {
                    let own = OwnVertices::new(&device, partition, rank, vertices)?;
                    let ids = own.to_vec()?;
                    assert!(ids.iter().all(|&v| partition.owner(v) == rank) && ids.is_sorted());
                    assert_eq!((own.count(), own.counts()[rank]), (ids.len(), ids.len()));
                    all.extend(ids);
                }
                all.sort_unstable();
                assert!(all.into_iter().eq(0..vertices), "{ownership:?} {vertices} {ranks}");
            }
        }
        Ok(())
    }

    #[test]
    fn ranks_that_a_hash_divides_are_even() -> Result<(), Error> {
        let partition = Partition::new(Ownership::Hash, 100_000, 8);
        let own = OwnVertices::new(&Device::cpu(), partition, 0, 100_000)?;
        let even = 11_500..13_500;
        assert!(own.counts().iter().all(|count| even.contains(count)), "{:?}", own.counts());
        Ok(())
    }
}
