//! Values of all vertices, from their owners to all ranks, again and again: part by part, so that the next part is
//! computed while one is on its way.
//!
//! ```text
//! own vertices: part 0 --compute--> packed --exchange--> gathered --put_at--> values of all vertices
//!               part 1 ........... --compute--> packed --exchange--> ..
//! ```

use super::own_vertices::{OwnPart, OwnVertices};
use super::part::Part;
use super::route::take_at;
use super::values::{check_length, put_at};
use crate::communicator::{Plan, Transfer};
use crate::device::{Device, DeviceBuffer};
use crate::graph::EdgeLists;
use crate::{DeviceType, Error, ErrorKind};
use std::ops::Range;

/// The most parts: with more, what is left to wait for at the end is shorter, but each has launches and a wait.
/// (docs/RANKS.md, "A model of scale", counts on these numbers.)
const MOST_PARTS: usize = 4;
/// From how many own vertices on there is another part: a wait, some 40 us, is short beside it then.
const PART: usize = 1 << 21;
/// With more ranks there is one part: each rank's values of a part are put to their places by a launch.
const FEW_RANKS: usize = 8;

/// Takes values of all vertices from their owners, again and again: memory for that.
#[derive(Debug)]
pub struct OwnerGather<T: DeviceType> {
    parts: Vec<ValuePart>,
    /// Of two parts that follow one another.
    slots: [Slot<T>; 2],
    /// For how many vertices.
    own: usize,
    all: usize,
}

/// A part of the vertices of each rank.
#[derive(Debug)]
struct ValuePart {
    /// Which of the own vertices.
    own: Range<usize>,
    plan: Plan,
    /// Where values lie that were gathered, and where the list of all vertices has theirs.
    placed: Vec<(Range<usize>, Range<usize>)>,
}

/// The own values of a part side by side, and those of all ranks; none where ranks own ranges.
#[derive(Debug)]
struct Slot<T: DeviceType> {
    packed: DeviceBuffer<T>,
    gathered: DeviceBuffer<T>,
}

impl<T: DeviceType> OwnerGather<T> {
    /// Memory for values of the vertices of a graph: where ranks own ranges, none. All of a rank's are computed at
    /// once.
    ///
    /// # Errors
    /// No memory.
    pub fn new<L: EdgeLists>(part: &Part<'_, L>) -> Result<Self, Error> {
        Self::of_parts(part, 1)
    }

    /// The same, for values that are computed in parts where there are many. That pays where the vertices of a rank
    /// take about as long as one another: at the end of each part the device waits for its longest lists. On all
    /// ranks, or on none.
    ///
    /// # Errors
    /// No memory.
    pub fn in_parts<L: EdgeLists>(part: &Part<'_, L>) -> Result<Self, Error> {
        // The smallest part of any rank decides: all have as many parts.
        let least = part.own.counts().iter().copied().min().unwrap_or(0);
        match part.own.counts().len() {
            ranks if ranks <= FEW_RANKS => {
                Self::of_parts(part, (least / PART).clamp(1, MOST_PARTS))
            }
            _ => Self::of_parts(part, 1),
        }
    }

    /// In so many parts where a hash divides the vertices.
    fn of_parts<L: EdgeLists>(part: &Part<'_, L>, count: usize) -> Result<Self, Error> {
        let (device, own, rank) = (part.device(), part.own, part.communicator.rank());
        let count = if own.sorted().is_some() { count } else { 1 };
        let parts: Vec<_> = (0..count).map(|at| ValuePart::new(own, rank, at, count)).collect();
        let most = |of: fn(&ValuePart) -> usize| parts.iter().map(of).max().unwrap_or(0);
        let rooms = match own.sorted() {
            Some(_) => [most(|part| part.own.len()), most(|part| part.plan.received_in_all())],
            None => [0; 2],
        };
        // With one part, none is packed while it is on its way.
        let slots = [
            Slot::new(device, rooms)?,
            Slot::new(device, rooms.map(|room| if count > 1 { room } else { 0 }))?,
        ];
        Ok(OwnerGather { parts, slots, own: own.count(), all: own.all() as usize })
    }

    /// Computes values of the own vertices, and gives all ranks those of all. `compute` launches for a part of the
    /// own vertices what writes theirs to the first of the lists that `values` has; it is called for each part, or
    /// until it fails on any rank, which is an error of all. In the end the first list has the values of all
    /// vertices; the other may be used for them, too. Both have a value for each vertex. Collective. Takes no memory
    /// of its own.
    ///
    /// Cost: all values over the wire, to each rank, most of them while others are computed; where a hash divides
    /// the vertices, a pass over the own and a pass over all of them.
    ///
    /// # Errors
    /// Not a value for each vertex, or an error of `compute`, on any rank; as
    /// [`Communicator`](crate::communicator::Communicator).
    pub fn gather<S, L: EdgeLists>(
        &mut self,
        part: &Part<'_, L>,
        state: &mut S,
        values: fn(&mut S) -> [&mut DeviceBuffer<T>; 2],
        mut compute: impl FnMut(&mut S, OwnPart<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let fits = self.check(part, values(state));
        if part.own.sorted().is_none() {
            let all = part.own.part(0..part.own.count());
            let computed = fits.and_then(|()| compute(state, all));
            return self.gather_ranges(part, values(state), computed);
        }
        let (communicator, own) = (part.communicator, part.own);
        let OwnerGather { parts, slots, .. } = self;
        let [mut current, mut other] = slots.each_mut();
        let mut pack = |state: &mut S, at: usize, slot: &mut Slot<T>| {
            let Some(ValuePart { own: places, .. }) = parts.get(at) else { return Ok(()) };
            compute(state, own.part(places.clone()))?;
            slot.pack(own, places, values(state)[0])
        };
        let mut packed = fits.and_then(|()| pack(state, 0, current));
        for (at, ValuePart { plan, .. }) in parts.iter().enumerate() {
            let Slot { packed: of_own, gathered } = &mut *current;
            let transfers = packed.map(|()| vec![Transfer::new(&*of_own, 0, gathered)]);
            let mut next = Ok(());
            communicator.exchange_beside(plan, transfers, &mut || {
                next = pack(state, at + 1, other).and_then(|()| match at.checked_sub(1) {
                    Some(before) => parts[before].put(own, other, values(state)[0]),
                    None => Ok(()),
                });
            })?;
            packed = next;
            std::mem::swap(&mut current, &mut other);
        }
        packed?;
        parts.last().map_or(Ok(()), |last| last.put(own, other, values(state)[0]))
    }

    /// [`gather`](Self::gather) where the own values lie side by side.
    fn gather_ranges<L: EdgeLists>(
        &self,
        part: &Part<'_, L>,
        [computed, into]: [&mut DeviceBuffer<T>; 2],
        done: Result<(), Error>,
    ) -> Result<(), Error> {
        let start = part.own.first_of_range().unwrap_or(0) as usize;
        let plan = Plan::gather_of(part.communicator.rank(), part.own.counts().to_vec());
        let transfers = done.map(|()| vec![Transfer::new(&*computed, start, into)]);
        part.communicator.exchange(&plan, transfers)?;
        std::mem::swap(computed, into);
        Ok(())
    }

    /// Whether this is memory for the vertices of the part, and these are lists for them.
    fn check<L: EdgeLists>(
        &self,
        part: &Part<'_, L>,
        values: [&mut DeviceBuffer<T>; 2],
    ) -> Result<(), Error> {
        let own = part.own;
        for values in values {
            check_length(own, values.len())?;
            values.check_device(part.device())?;
        }
        check_length(own, self.all)?;
        match self.own == own.count() {
            true => Ok(()),
            false => {
                let (vertices, of_graph) = (self.own, own.count() as u32);
                Err(ErrorKind::StateOfAnotherGraph { vertices, of_graph }.into())
            }
        }
    }
}

impl ValuePart {
    /// The part `at` of so many.
    fn new(own: &OwnVertices, rank: usize, at: usize, count: usize) -> Self {
        let of = |vertices: usize| vertices * at / count..vertices * (at + 1) / count;
        let lengths: Vec<_> = own.counts().iter().map(|&vertices| of(vertices).len()).collect();
        let (mut placed, mut first, mut gathered) = (Vec::new(), 0, 0);
        for (from, (&vertices, &length)) in own.counts().iter().zip(&lengths).enumerate() {
            let places = of(vertices);
            // The own ones are there.
            if from != rank {
                placed
                    .push((gathered..gathered + length, first + places.start..first + places.end));
            }
            (first, gathered) = (first + vertices, gathered + length);
        }
        if count == 1 {
            // All in one launch.
            placed = vec![(0..first, 0..first)];
        }
        let own = of(own.count());
        ValuePart { own, plan: Plan::gather_of(rank, lengths), placed }
    }

    /// Puts what was gathered to its vertices. Queued on CUDA.
    fn put<T: DeviceType>(
        &self,
        own: &OwnVertices,
        slot: &Slot<T>,
        values: &mut DeviceBuffer<T>,
    ) -> Result<(), Error> {
        let Some((order, _)) = own.sorted() else { return Ok(()) };
        for (gathered, places) in &self.placed {
            let (from, places) =
                (slot.gathered.view_of(gathered.clone()), order.view_of(places.clone()));
            put_at::launch(own.device(), gathered.len() as u32, from, places, &mut *values)?;
        }
        Ok(())
    }
}

impl<T: DeviceType> Slot<T> {
    fn new(device: &Device, [packed, gathered]: [usize; 2]) -> Result<Self, Error> {
        let packed = DeviceBuffer::zeroed(device, packed)?;
        Ok(Slot { packed, gathered: DeviceBuffer::zeroed(device, gathered)? })
    }

    /// Takes the values of some of the own vertices. Queued on CUDA.
    fn pack(
        &mut self,
        own: &OwnVertices,
        part: &Range<usize>,
        values: &DeviceBuffer<T>,
    ) -> Result<(), Error> {
        let Some((order, first)) = own.sorted() else { return Ok(()) };
        let places = order.view_of(first + part.start..first + part.end);
        take_at::launch(own.device(), part.len() as u32, values, places, &mut self.packed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DistributedGraph, Ownership};
    use super::*;
    use crate::communicator::{Communicator, HostCommunicator, first_cause, run_ranks};
    use crate::graph::{Adjacency, SlabOptions};
    use std::rc::Rc;
    use std::time::Duration;

    const VERTICES: u32 = 211;

    /// The values after a step and those before, and after how many parts computing is to fail.
    struct Steps {
        values: [DeviceBuffer<u64>; 2],
        fails_after: Option<u32>,
    }

    fn next(before: &[u64], v: u32) -> u64 {
        // Of a vertex that another rank may own.
        before[(v as usize * 7 + 3) % before.len()] + u64::from(v)
    }

    fn step(steps: &mut Steps, own: &OwnPart<'_>) -> Result<(), Error> {
        match &mut steps.fails_after {
            Some(0) => return Err(ErrorKind::OutOfMemory { bytes: 1 }.into()),
            Some(parts) => *parts -= 1,
            None => {}
        }
        let before = steps.values[1].to_vec()?;
        for v in &own.own.to_vec()?[own.places.clone()] {
            steps.values[0].write(*v as usize, &[next(&before, *v)])?;
        }
        Ok(())
    }

    fn lists(steps: &mut Steps) -> [&mut DeviceBuffer<u64>; 2] {
        steps.values.each_mut()
    }

    fn follow(ranks: usize, parts: usize, ownership: Ownership) -> Result<(), Error> {
        let run = |communicator: HostCommunicator| {
            let (device, is_last) = (Device::cpu(), communicator.rank() == ranks - 1);
            let graph = DistributedGraph::<Adjacency>::from_edges(
                Rc::new(communicator),
                &device,
                VERTICES,
                &[],
                &SlabOptions::DEFAULT,
                ownership,
            )?;
            let part = graph.part()?;
            let mut gather = OwnerGather::<u64>::of_parts(&part, parts)?;
            let zeros = || DeviceBuffer::zeroed(&device, VERTICES as usize);
            let mut steps = Steps { values: [zeros()?, zeros()?], fails_after: None };
            let mut compute = |steps: &mut Steps| {
                gather.gather(&part, steps, lists, |steps, own| step(steps, &own))
            };
            let mut expected = vec![0; VERTICES as usize];
            for turn in 0..4 {
                if turn == 2 {
                    // In its last part.
                    steps.fails_after = is_last.then_some(parts as u32 - 1);
                    let error = compute(&mut steps).expect_err("the last rank fails");
                    assert_eq!(error.is_out_of_memory(), is_last, "{error}");
                    steps.fails_after = None;
                }
                compute(&mut steps)?;
                expected = (0..VERTICES).map(|v| next(&expected, v)).collect();
                assert_eq!(steps.values[0].to_vec()?, expected, "{parts} parts, step {turn}");
                steps.values.swap(0, 1);
            }
            Ok(())
        };
        first_cause(run_ranks(ranks, Duration::from_secs(60), run)).map(drop)
    }

    #[test]
    fn all_ranks_have_the_values_of_each_step_in_any_number_of_parts() -> Result<(), Error> {
        for ranks in [1, 2, 3, 5] {
            for parts in 1..=4 {
                follow(ranks, parts, Ownership::Hash)?;
            }
            follow(ranks, 1, Ownership::Range)?;
        }
        Ok(())
    }
}
