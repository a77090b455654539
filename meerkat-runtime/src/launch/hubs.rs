//! Hubs that many blocks walk. Few items leave blocks without any: then several have the same items, and
//! share the slab lists of the hubs among them. Where one of these blocks would still have 1,024 lists of
//! one hub, or as many as the launch asks for, hubs are put off: the launch lists them, and a second one has them
//! for its items.

use super::{Items, Schedule, VertexItems};
use crate::device::{Device, DeviceBuffer};
use crate::neighbors::Shape;
use crate::schedule::BLOCK_THREADS;
use crate::slab::HUB_LISTS;
use crate::view::Atomic;
use crate::{Error, Vertex};

/// What a device puts off, and how many blocks walk it.
#[derive(Clone, Copy)]
struct Limits {
    /// From how many slab lists on, if no other block shares them.
    long: u32,
    /// How many hubs at most.
    most: u32,
    /// How many blocks share the same hubs at most.
    replicas: u32,
    /// The threads of a block.
    block: u32,
}

/// One block took 2 to 4 ms for a hub of some hundred thousand neighbours, and takes 0.1 ms for 1,024 slab
/// lists; a second launch takes less than 0.01 ms (NVIDIA H200).
const ON_CUDA: Limits = Limits { long: 1024, most: 512, replicas: 64, block: BLOCK_THREADS };
/// On the CPU a second launch gains nothing. It is there so that tests see it, and hubs for which the
/// list has no place.
const ON_CPU: Limits = Limits { long: HUB_LISTS, most: 2, replicas: 2, block: 32 };
/// Hubs with less than a 32nd of the lists of the longest are not put off, for there may be many.
const SHORTER: u32 = 32;
/// The same where a launch says from how many lists on: a 256th.
const FAR_SHORTER: u32 = 256;

impl Limits {
    fn of(device: &Device) -> Limits {
        if device.is_cuda() { ON_CUDA } else { ON_CPU }
    }

    /// The threads of items that take `threads`, where each block is there as often as `replicas` says.
    fn threads_of(self, threads: u32, replicas: u32) -> u32 {
        (threads.div_ceil(self.block) * replicas).saturating_mul(self.block)
    }

    /// From how many lists on hubs are put off that `replicas` blocks would share: as many as were asked for, if
    /// any were, but not if the longest has far more. None are if each of these blocks would have fewer lists of the longest, which has `longest`, or
    /// if as many blocks as can be share them already.
    fn put_off_from(self, replicas: u32, longest: u32, asked: Option<u32>) -> Option<u32> {
        let (long, shorter) = asked.map_or((self.long, SHORTER), |asked| (asked, FAR_SHORTER));
        let from = (long.max(longest / shorter) / replicas).max(HUB_LISTS);
        (replicas < self.replicas && longest / replicas >= long).then_some(from)
    }

    /// How many blocks share the hubs among items that take this number of threads.
    fn replicas_for(self, device: &Device, threads: u32) -> u32 {
        match device.is_cuda() {
            true => {
                let blocks = threads.div_ceil(self.block).max(1);
                (device.threads_at_once() as u32 / self.block / blocks).clamp(1, self.replicas)
            }
            false => 1,
        }
    }
}

/// The launches of an operator whose hubs are shared: one, or two.
#[derive(Debug)]
pub struct Sharing {
    /// The items and the threads of the next launch.
    next: Option<(VertexItems, u32)>,
    /// The same of the one after it.
    then: Option<(VertexItems, u32)>,
    /// How many hubs are put off, and which. The launches view it.
    _put_off: Option<DeviceBuffer<Atomic<Vertex>>>,
}

impl Sharing {
    /// For these items, of a graph of this shape; hubs are put off from as many lists on as was asked for.
    /// Without memory for their list, nothing is put off.
    ///
    /// # Errors
    /// The device fails.
    ///
    /// # Safety
    /// As of [`next`](Self::next): the items become those of launches that this has the memory of.
    pub unsafe fn new(
        items: &VertexItems,
        device: &Device,
        schedule: Schedule,
        shape: Option<Shape>,
        asked: Option<u32>,
    ) -> Result<Self, Error> {
        let (mut own, limits) = (*items, Limits::of(device));
        let threads = own.spread(device, schedule);
        own.replicas = limits.replicas_for(device, threads);
        let longest = shape.map_or(0, |shape| shape.most_lists);
        // A round that is queued ahead has threads for at least `threads_ahead` items, whatever it finds: the
        // second launch would cost more than the hub, most often.
        let few = device.tuning().threads_ahead.saturating_mul(2);
        let is_small = threads == 0 || own.length.len() != 0 && own.count < few;
        let from = limits.put_off_from(own.replicas, longest, asked).filter(|_| !is_small);
        let list = from.map(|_| DeviceBuffer::zeroed(device, 1 + limits.most as usize));
        let put_off = match list {
            Some(Err(error)) if error.is_about_room() => None,
            list => list.transpose()?,
        };
        let then = from.zip(put_off.as_ref()).map(|(from, list)| {
            (own.replicas, own.put_off_from) = (1, from);
            (own.hub_count, own.hubs) = (list.view_of(0..1), list.view_of(1..list.len()));
            let (length, hubs) = (list.plain_view(0..1), list.plain_view(1..list.len()));
            let mut hubs = VertexItems { length, list: hubs, ..VertexItems::all(limits.most) };
            let threads = hubs.spread(device, schedule);
            hubs.replicas = limits.replicas;
            (hubs, limits.threads_of(threads, hubs.replicas))
        });
        let threads = limits.threads_of(threads, own.replicas);
        Ok(Sharing { next: Some((own, threads)), then, _put_off: put_off })
    }

    /// How many threads the next launch takes, if there is one; the items become its own.
    ///
    /// # Safety
    /// The items are used for this launch alone, while this is there: they view its list of hubs.
    pub unsafe fn next(&mut self, items: &mut VertexItems) -> Option<u32> {
        let (own, threads) = self.next.take()?;
        self.next = self.then.take();
        *items = own;
        Some(threads)
    }
}

#[cfg(test)]
#[allow(unsafe_code)] // The items are looked at as numbers.
mod tests {
    use super::*;

    fn items_of_launches(most_lists: u32) -> Vec<(VertexItems, u32)> {
        launches_for(VertexItems::all(100), most_lists)
    }

    fn launches_for(mut items: VertexItems, most_lists: u32) -> Vec<(VertexItems, u32)> {
        let shape = Shape { vertices: 100, average_degree: 9, most_lists };
        let device = Device::cpu();
        // SAFETY: nothing is launched, and no view is followed.
        let mut sharing =
            unsafe { Sharing::new(&items, &device, Schedule::Hybrid, Some(shape), None) }
                .expect("a list");
        std::iter::from_fn(|| {
            // SAFETY: as above.
            unsafe { sharing.next(&mut items) }.map(|threads| (items, threads))
        })
        .collect()
    }

    #[test]
    fn a_graph_with_a_long_list_takes_two_launches_the_second_for_what_the_first_lists() {
        let [(own, threads)] = items_of_launches(63)[..] else { panic!("one launch") };
        assert_eq!((threads, own.put_off_from, own.hubs.len()), (128, u32::MAX, 0));

        let [(own, threads), (hubs, shared)] = items_of_launches(64)[..] else {
            panic!("two launches")
        };
        assert_eq!((threads, own.put_off_from, own.hubs.len(), own.replicas), (128, 64, 2, 1));
        assert_eq!((shared, hubs.put_off_from, hubs.replicas), (64, u32::MAX, 2));
        assert_eq!(hubs.list.address_on_device(), own.hubs.address_on_device());
        assert_eq!(hubs.length.address_on_device(), own.hub_count.address_on_device());

        let [(own, _), _] = items_of_launches(64 * 64)[..] else { panic!("two launches") };
        assert_eq!(own.put_off_from, 128, "a 32nd of the longest");
    }

    /// A tile that walks 60 lists alone is what a launch of few items waits for.
    #[test]
    fn a_block_takes_vertices_of_fewer_lists_where_few_items_have_many_lanes() {
        let of = |spread| super::super::hub_lists(&VertexItems { spread, ..VertexItems::all(9) });
        assert_eq!([0, 1, 2, 3, 5].map(of), [64, 32, 16, 8, 8]);
    }

    #[test]
    fn hubs_that_more_blocks_would_share_are_put_off_from_fewer_lists_on() {
        let from = |replicas, longest| ON_CUDA.put_off_from(replicas, longest, None);
        assert_eq!([from(1, 1023), from(1, 1024), from(1, 65_536)], [None, Some(1024), Some(2048)]);
        assert_eq!([from(4, 4095), from(4, 4096), from(4, 65_536)], [None, Some(256), Some(512)]);
        assert_eq!([from(32, 32_767), from(32, 32_768)], [None, Some(64)]);
        assert_eq!([from(64, 65_536), from(64, u32::MAX)], [None, None], "as many as the list has");
        let asked = |replicas, longest| ON_CUDA.put_off_from(replicas, longest, Some(128));
        assert_eq!([asked(1, 127), asked(1, 32_768), asked(4, 512)], [None, Some(128), Some(64)]);
        assert_eq!(
            asked(1, 65_536),
            Some(256),
            "600 of 139 lists would take the places of two far longer"
        );
    }

    #[test]
    fn a_round_queued_ahead_puts_hubs_off_only_if_it_may_be_large() -> Result<(), Error> {
        let length = DeviceBuffer::<Atomic<u32>>::zeroed(&Device::cpu(), 1)?;
        let ahead =
            |count| VertexItems { length: length.plain_view(0..1), ..VertexItems::all(count) };
        let launches = |items| launches_for(items, 64).len();
        let few = 2 * Device::cpu().tuning().threads_ahead;
        assert_eq!([few - 1, few].map(ahead).map(launches), [1, 2]);
        assert_eq!(launches(VertexItems::all(1)), 2);
        Ok(())
    }
}
