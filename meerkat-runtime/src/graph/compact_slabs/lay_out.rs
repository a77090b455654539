//! Lists laid out again, each for its degree of today: those that insertions found long, and hubs
//! whose buckets are full. Tombstones go; slabs and buckets go back to the pool.

use super::build::{Needs, lay_out_hub, needs_of, pairs_of, places_of_quad};
use super::cursor::end_of_record;
use super::edges::CompactEdges;
use super::give_back::Left;
use super::insert::tombstones_of;
use super::layout::*;
use super::pool::CLASSES;
use super::take::{MOST_NOTED, NOTED, most_noted};
use super::view::Compact;
use crate::device::{DeviceBuffer, read_together};
use crate::frontier::{Frontier, lane_enqueue_frontier};
use crate::graph::convert::{OF_HUBS, collect, items_of};
use crate::graph::insertion::NO_LIMIT;
use crate::graph::layout::{Edge, arc_at};
use crate::graph::lists::{InsertOutcome, Internal, ListOperations, Tombstones};
use crate::graph::options::Endpoint;
use crate::neighbors::Neighbors;
use crate::program::KernelInfo;
use crate::scalar::*;
use crate::view::Atomic;
use crate::{Error, Vertex, Weight};
use meerkat_macros::{DeviceStruct, device, kernel};

/// Sixteenths of buckets that are full when a list is laid out again: it is growing.
pub(super) const LOAD_AGAIN: u32 = 11;
/// A list of more slabs, whose neighbours are few, is mostly tombstones.
const MANY_SLABS: u32 = 8;

/// No list is laid out for more neighbours than this, unless it has them.
const MOST_WANTED: u32 = 1 << 29;

/// A list as it is, and as it is to be.
#[derive(Clone, Copy, Debug, Default, DeviceStruct)]
#[repr(C)]
pub(super) struct Outgrown {
    pub(super) vertex: u32,
    pub(super) degree: u32,
    /// How many tombstones a hub has.
    pub(super) tombstones: u32,
    /// The first pair of buckets and how many, if it is a hub.
    pub(super) pair: u32,
    pub(super) pairs: u32,
    /// How many slabs it has, and how many quads they are.
    pub(super) slabs: u32,
    pub(super) quads: u32,
    /// The buckets that it is to have.
    pub(super) new_pair: u32,
    pub(super) new_pairs: u32,
}

/// What the list of a vertex is.
#[device]
pub(super) fn describe<W: Weight>(graph: &Compact<W>, v: Vertex) -> Outgrown {
    let own: CompactLists = graph.lists_of(v);
    let degree: u32 = graph.degree_of(v);
    let pair = select(own.pairs == 0, 0, own.quad / 8);
    let mut slabs = 0u32;
    let mut quads = 0u32;
    let mut chunk: CompactChunk = graph.first_chunk(own, 0);
    while own.pairs == 0 && graph.is_chunk(chunk) {
        slabs += (chunk.kind == OF_SLAB) as u32;
        quads += select(chunk.kind == OF_SLAB, chunk.words / 4, 0);
        let link: u32 = graph.read_word(chunk, graph.link_place(chunk));
        chunk = graph.next_chunk(chunk, link);
    }
    let mut tombstones = 0u32;
    if own.pairs != 0 {
        tombstones = tombstones_of(graph, v);
    }
    let (pairs, new_pair, new_pairs) = (own.pairs, 0u32, 0u32);
    Outgrown { vertex: v, degree, tombstones, pair, pairs, slabs, quads, new_pair, new_pairs }
}

/// The list of no vertex.
#[device]
pub(super) fn no_list() -> Outgrown {
    Outgrown {
        vertex: 0,
        degree: 0,
        tombstones: 0,
        pair: 0,
        pairs: 0,
        slabs: 0,
        quads: 0,
        new_pair: 0,
        new_pairs: 0,
    }
}

/// What some lists are.
#[kernel]
fn describe_lists<W: Weight>(graph: &Compact<W>, vertices: &[Vertex], lists: &mut [Outgrown]) {
    let i = thread_id();
    if i < lists.len() {
        lists[i] = describe(graph, vertices[i]);
    }
}

/// Empties some lists, a warp each, and lists the slabs that they leave. A list that is to be a
/// hub gets its buckets, another an empty record.
#[kernel]
pub(super) fn empty_outgrown<W: Weight>(
    graph: &Compact<W>,
    lists: &[Outgrown],
    left: &Frontier<u32>,
) {
    let i = global_warp_id();
    let me = lane_id();
    if i < lists.len() {
        let own = lists[i];
        let mut word = me;
        while word < own.pairs * 32 {
            graph.pool[own.pair + word / 32].word(word % 32).store(EMPTY);
            word += 32;
        }
        if me == 0 {
            let end: u32 = end_of_record(graph.record, own.vertex);
            let mut link: u32 = TOMBSTONE;
            if own.pairs == 0 {
                link = graph.records[end / 8].word(end % 8 * 4 + link_place::<W>()).load();
            }
            while is_link(link) {
                lane_enqueue_frontier(left, link, true);
                link = empty_slab(graph, link);
            }
            for k in 0..graph.record * 4 {
                let quad = own.vertex * graph.record + k / 4;
                graph.records[quad / 8].word(quad % 8 * 4 + k % 4).store(EMPTY);
            }
            if own.new_pairs != 0 {
                lay_out_hub(graph, own.vertex, own.new_pair, own.new_pairs);
            }
        }
    }
}

/// Clears the flags of the noted hubs. A vertex may be noted twice, so nothing is read by way of a cache.
#[kernel]
fn forget_hubs<W: Weight>(graph: &Compact<W>) {
    let most: u32 = most_noted(graph);
    let count = graph.counters[NOTED].load().min(most);
    let mut i = thread_id();
    while i < count {
        let vertex = graph.counters[NOTED + 1 + i].load();
        let end: u32 = end_of_record(graph.record, vertex);
        let link = graph.records[end / 8].word(end % 8 * 4 + link_place::<W>()).load();
        if is_link(link) && class_of(link) == HUB {
            let word = end % 8 * 4 + state_place::<W>();
            graph.records[end / 8].word(word).fetch_and(NOTED_HUB - 1);
        }
        i += block_count() * block_size();
    }
}

/// Empties a slab and returns the link at its end.
#[device]
fn empty_slab<W: Weight>(graph: &Compact<W>, link: u32) -> u32 {
    let first: u32 = quad_of(link);
    let quads = 1 << class_of(link);
    let end = first + quads - 1;
    let next = graph.pool[end / 8].word(end % 8 * 4 + link_place::<W>()).load();
    for k in 0..quads * 4 {
        let quad = first + k / 4;
        graph.pool[quad / 8].word(quad % 8 * 4 + k % 4).store(EMPTY);
    }
    next
}

/// Counts the edges that have their end at each of some vertices, which ascend.
#[kernel]
fn count_coming<W: Weight>(
    edges: &[Edge<W>],
    reversed: bool,
    vertices: &[Vertex],
    coming: &[Atomic<u32>],
) {
    let i = thread_id();
    if i < edges.len() {
        let src: Vertex = arc_at(edges, i, reversed).src;
        let mut first = 0u32;
        let mut end = vertices.len();
        while first < end {
            let middle = (first + end) / 2;
            if vertices[middle] < src {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        if first < vertices.len() && vertices[first] == src {
            coming[first].fetch_add(1);
        }
    }
}

/// Counts the slabs of each class that a list takes whose neighbours come one after another.
fn count_slabs<W: Weight>(degree: u32, record: u32, slabs: &mut [u64; CLASSES]) {
    let per_quad = places_of_quad::<W>();
    let (mut left, mut places, mut class) = (degree, record * per_quad, 0);
    while left > places {
        // The link takes the place of a key.
        left -= places - 1;
        places = per_quad << class;
        slabs[class] += 1;
        class = (class + 1).min(CLASSES - 1);
    }
}

/// Whether a hub keeps its row of pairs, which is a little longer than it asks for, or just as long.
fn stays(list: &Outgrown, pairs: u32) -> bool {
    pairs != 0 && pairs <= list.pairs && list.pairs - pairs <= pairs / 8
}

/// The rows of pairs that are taken for lists that are to have so many: none for those that stay.
pub(super) fn rows_to_take(lists: &[Outgrown], rows: &[u32]) -> Vec<u32> {
    let other = |(list, &pairs): (&Outgrown, &u32)| if stays(list, pairs) { 0 } else { pairs };
    lists.iter().zip(rows).map(other).collect()
}

/// How many keys, of neighbours and tombstones, a hub of so many pairs holds before it is laid out
/// again: above, probes get long.
fn most_in_hub<W: Weight>(pairs: u32) -> u64 {
    places_of_hub::<W>(pairs * 2) * 27 / 32
}

/// The degree that a list is laid out for. A hub that has a sixteenth more neighbours than it was to
/// hold got them in one batch: with room for twice as many, the next batches do not find it full again.
fn expected_degree<W: Weight>(list: &Outgrown) -> u32 {
    let grows_fast = u64::from(list.degree) > most_in_hub::<W>(list.pairs) * 17 / 16;
    match list.pairs != 0 && grows_fast && list.degree < MOST_WANTED {
        true => list.degree * 2,
        false => list.degree,
    }
}

/// How neighbours come back into lists that are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refill {
    /// As a batch inserts: lists that are hubs have room to spare.
    Roomy,
    /// Into hubs of as many places as before, by walks that end at the last of them.
    Exact,
}

/// What a layout of some lists needs.
pub(super) struct Layout<W: Weight> {
    lists: DeviceBuffer<Outgrown>,
    arcs: DeviceBuffer<Edge<W>>,
    left: Left,
}

impl<W: Weight> CompactEdges<W> {
    /// Lays out the noted lists that are outgrown, and for which there is memory; whether there are any.
    /// Memory is taken first; if there is none for any of them, the lists stay noted. Synchronises.
    pub(super) fn lay_out_noted(&mut self) -> Result<bool, Error> {
        self.has_long_lists = false;
        let vertices = DeviceBuffer::from_slice(&self.device, &self.pool.noted()?)?;
        let mut lists = self.described(&vertices)?.to_vec()?;
        lists.retain(|list| self.is_outgrown(list));
        let is_any = !lists.is_empty();
        if is_any {
            let rows = self.pairs_for(&lists);
            self.pack_for(&mut lists, &rows)?;
            self.lay_out_outgrown(lists, &rows)?;
        }
        self.forget_noted().map(|()| is_any)
    }

    /// Lays out what fits of these lists or, if there is no room for any, of as many pairs as their
    /// neighbours of now ask for.
    fn lay_out_outgrown(&mut self, lists: Vec<Outgrown>, rows: &[u32]) -> Result<(), Error> {
        let Err(error) = self.lay_out_what_fits(lists.clone(), rows) else { return Ok(()) };
        let of_now = |list: &Outgrown| needs_of::<W>(list.degree, self.record, LOAD_AGAIN).pairs;
        let fewer: Vec<_> = lists.iter().map(of_now).collect();
        match error.is_about_room() && fewer != rows {
            true => self.lay_out_what_fits(lists, &fewer),
            false => Err(error),
        }
    }

    /// No list is noted from now on, nor those that a layout has noted: the ones that were packed are
    /// no fuller than they were. Queued on CUDA.
    fn forget_noted(&mut self) -> Result<(), Error> {
        forget_hubs::launch(&self.device, MOST_NOTED, &*self)?;
        self.pool.forget_noted()
    }

    /// Lays out the noted lists in buckets, with a place for each of these edges that has its end
    /// there: those that are to be inserted, and those whose deletion may be taken back. Memory is
    /// taken first; if that fails, the lists stay noted. Synchronises.
    pub(super) fn lay_out_for(
        &mut self,
        edges: &[&DeviceBuffer<Edge<W>>],
        ends: &[Endpoint],
    ) -> Result<(), Error> {
        self.has_long_lists = false;
        let vertices = DeviceBuffer::from_slice(&self.device, &self.pool.noted()?)?;
        let count = vertices.len();
        let coming = DeviceBuffer::<Atomic<u32>>::zeroed(&self.device, count)?;
        for (edges, end) in edges.iter().flat_map(|&edges| ends.iter().map(move |end| (edges, end)))
        {
            let (threads, reversed) = (edges.len() as u32, end.is_reversed());
            count_coming::launch(&self.device, threads, edges, reversed, &vertices, &coming)?;
        }
        let lists = self.described(&vertices)?.to_vec()?;
        // Who gave up is one of many, perhaps: all of them get room.
        let pairs = |(list, coming): (&Outgrown, u32)| {
            let most = list.degree.saturating_add(coming).min(MOST_WANTED).max(list.degree);
            // In slabs, what comes back might need another one.
            pairs_of::<W>(most, LOAD_AGAIN).max(1)
        };
        let rows: Vec<_> = lists.iter().zip(coming.to_vec()?).map(pairs).collect();
        self.lay_out_what_fits(lists, &rows)?;
        self.forget_noted()
    }

    /// Lays out all of some lists or, if there is no room for that, each that wants more pairs than it has
    /// and for which there is room.
    ///
    /// # Errors
    /// There is room for none that wants more: who tries again would not find more than now.
    fn lay_out_what_fits(&mut self, lists: Vec<Outgrown>, rows: &[u32]) -> Result<(), Error> {
        let Err(error) = self.lay_out(lists.clone(), rows) else { return Ok(()) };
        if !error.is_about_room() || lists.len() == 1 {
            return Err(error);
        }
        let mut fits = false;
        let wants_more = |(list, row): &(Outgrown, &u32)| **row > list.pairs;
        for (list, row) in lists.into_iter().zip(rows).filter(wants_more) {
            match self.lay_out(vec![list], &[*row]) {
                Ok(()) => fits = true,
                Err(error) if error.is_about_room() => {}
                Err(error) => return Err(error),
            }
        }
        if fits { Ok(()) } else { Err(error) }
    }

    /// What the lists of some vertices are. Queued on CUDA.
    pub(super) fn described(
        &self,
        vertices: &DeviceBuffer<Vertex>,
    ) -> Result<DeviceBuffer<Outgrown>, Error> {
        let mut lists = DeviceBuffer::zeroed(&self.device, vertices.len())?;
        let threads = vertices.len() as u32;
        describe_lists::launch(&self.device, threads, self, vertices, &mut lists)?;
        Ok(lists)
    }

    /// Whether a list that was noted is to be laid out again: a hub whose buckets are full, of
    /// neighbours or tombstones, or that wants fewer; or a list that is as long as a hub's, or mostly
    /// tombstones.
    fn is_outgrown(&self, list: &Outgrown) -> bool {
        let Needs { pairs, .. } = needs_of::<W>(list.degree, self.record, LOAD_AGAIN);
        match list.pairs {
            0 => pairs != 0 || list.slabs > MANY_SLABS,
            // Below half, keys alone do not fill buckets one after another.
            there => {
                let taken = u64::from(list.degree) + u64::from(list.tombstones);
                // Some more neighbours are no reason, nor is a long walk: a large hub would be laid out
                // again and again.
                taken >= most_in_hub::<W>(there) || 2 * pairs < there
            }
        }
    }

    /// The pairs of buckets that lists of these degrees ask for, or none.
    pub(super) fn pairs_for(&self, lists: &[Outgrown]) -> Vec<u32> {
        let wanted = |list: &Outgrown| {
            needs_of::<W>(expected_degree::<W>(list), self.record, LOAD_AGAIN).pairs
        };
        lists.iter().map(wanted).collect()
    }

    /// Lays lists out in these numbers of pairs of buckets, or in slabs.
    pub(super) fn lay_out(&mut self, mut lists: Vec<Outgrown>, rows: &[u32]) -> Result<(), Error> {
        self.pool.check_limit(&rows_to_take(&lists, rows))?;
        let layout = self.prepare(&lists)?;
        self.take_pairs_for(&mut lists, rows)?;
        let left = |list: &Outgrown| match list.new_pair == list.pair {
            true => (list.pair + list.new_pairs, list.pairs - list.new_pairs),
            false => (list.pair, list.pairs),
        };
        let rows: Vec<_> = lists.iter().filter(|list| list.pairs != 0).map(left).collect();
        self.lay_out_in(layout, &lists, &rows, Refill::Roomy)
    }

    /// Takes the memory that a layout of these lists needs, beside their new places. Synchronises.
    pub(super) fn prepare(&self, lists: &[Outgrown]) -> Result<Layout<W>, Error> {
        let vertices: Vec<_> = lists.iter().map(|list| list.vertex).collect();
        let vertices = DeviceBuffer::from_slice(&self.device, &vertices)?;
        let arcs = lists.iter().map(|list| u64::from(list.degree)).sum();
        let arcs = collect(&self.device, self, items_of(&vertices), OF_HUBS, arcs)?;
        let slabs: usize = lists.iter().map(|list| list.slabs as usize).sum();
        let left = Left::with_room(&self.device, slabs)?;
        let lists = DeviceBuffer::from_slice(&self.device, lists)?;
        self.load_insertion()?;
        Ok(Layout { lists, arcs, left })
    }

    /// Lays lists out where they are to be; these rows of pairs are in no list then. Synchronises.
    pub(super) fn lay_out_in(
        &mut self,
        layout: Layout<W>,
        lists: &[Outgrown],
        rows: &[(u32, u32)],
        refill: Refill,
    ) -> Result<(), Error> {
        let Layout { lists: mut on_device, arcs, left } = layout;
        on_device.write(0, lists)?;
        self.pool.forget_exhaustion()?;
        let threads = lists.len() as u32 * 32;
        empty_outgrown::launch(&self.device, threads, &*self, &on_device, left.view())?;
        match refill {
            Refill::Roomy => self.queue(&arcs, Endpoint::Source, NO_LIMIT)?,
            Refill::Exact => {
                let (end, token) = (Endpoint::Source, Internal::TOKEN);
                self.queue_restorations(arcs.view(), end, false, token)?;
            }
        }
        // While the device works.
        for &(first, pairs) in rows {
            self.pool.give_back_pairs(first, pairs);
        }
        let found = read_together(&[self.pool.found()])?;
        if self.note_found(&found, 0) != InsertOutcome::Done {
            // An insertion before, which nobody waited for, may have said so.
            self.insert_by(&arcs, &[Endpoint::Source], Tombstones::Swept, NO_LIMIT)?;
        }
        self.give_back(&left)
    }

    /// Room for the buckets that lists want, or for none.
    fn take_pairs_for(&mut self, lists: &mut [Outgrown], rows: &[u32]) -> Result<(), Error> {
        // Lists that are no hubs take slabs as they are filled.
        let mut slabs = [0; CLASSES];
        for (list, _) in lists.iter().zip(rows).filter(|(_, pairs)| **pairs == 0) {
            count_slabs::<W>(list.degree, self.record, &mut slabs);
        }
        self.pool.reserve(slabs)?;
        let taken = rows_to_take(lists, rows);
        let first = self.pool.take_pairs(&taken)?;
        for (i, list) in lists.iter_mut().enumerate() {
            (list.new_pair, list.new_pairs) = match taken[i] == rows[i] {
                true => (first[i], rows[i]),
                false => (list.pair, list.pairs),
            };
            self.most_lists = self.most_lists.max(list.new_pairs);
        }
        Ok(())
    }
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        describe_lists::info::<()>(),
        count_coming::info::<()>(),
        count_coming::info::<u32>(),
        empty_outgrown::info::<()>(),
        empty_outgrown::info::<u32>(),
        forget_hubs::info::<()>(),
    ]
}

#[cfg(test)]
mod tests;
