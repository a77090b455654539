//! The host's side of a shortest-path tree: it is built, follows updates and settles.

use super::climb::Climbs;
use super::paths::Paths;
use super::width::Width;
use super::{Length, PathTreeBuffers, TreeNode, UNREACHED, part, relax, relax_inserted};
use meerkat_runtime::ErrorKind;
use meerkat_runtime::frontier::CurrentFrontier;
use meerkat_runtime::prelude::*;

/// A shortest-path tree from one source that follows updates. What counts as an
/// edge's length is the `L` of its methods, the same in all of them. A method that fails
/// half-way leaves no tree: it is then to be computed again.
#[derive(Debug)]
pub struct PathTree {
    source: u32,
    state: Option<State>,
}

/// What a tree keeps on the device: 40 bytes a vertex.
#[derive(Debug)]
pub(super) struct State {
    pub(super) device: Device,
    pub(super) paths: Paths,
    pub(super) frontiers: Frontiers<Vertex>,
    /// Who is too far to be visited yet.
    pub(super) far: Frontiers<Vertex>,
    /// Who lost the path in the latest batch of deletions.
    pub(super) cut_off: LevelQueue<Vertex>,
    /// Once something was cut off many levels deep.
    pub(super) climbs: Option<Climbs>,
}

impl PathTree {
    /// A tree from `source`, to be computed.
    pub fn from_source(source: u32) -> Self {
        PathTree { source, state: None }
    }

    /// Whether the source is in the graph.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchVertex`].
    pub fn check_source<W: Weight>(&self, graph: &SlabGraph<W>) -> Result<(), Error> {
        check_source(graph, self.source)
    }

    /// Builds the tree from scratch, the nearest first. Synchronises a few times a
    /// range of distances.
    ///
    /// # Errors
    /// A source outside the graph, no out-edges kept, no memory; the device fails.
    pub fn compute<W: Weight, L: Length<W>>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.restart(graph)?;
        self.change(|state| state.settle_in_order::<W, L>(graph))
    }

    /// Builds the tree from scratch by a search of the caller's, which is given the
    /// source alone in the tree and in the current frontier.
    ///
    /// # Errors
    /// A source outside the graph, no memory; those of the search.
    pub(crate) fn compute_by<W: Weight>(
        &mut self,
        graph: &SlabGraph<W>,
        search: impl FnOnce(
            &DeviceBuffer<Atomic<TreeNode>>,
            &mut Frontiers<Vertex>,
        ) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.restart(graph)?;
        self.change(|state| search(&state.paths.nodes, &mut state.frontiers))
    }

    /// The source alone, in memory that fits the graph.
    fn restart<W: Weight>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        check_source(graph, self.source)?;
        let state = match self.state.take().filter(|state| state.fits(graph)) {
            Some(mut state) => {
                state.restart(self.source)?;
                state
            }
            None => State::new(graph, self.source)?,
        };
        self.state = Some(state);
        Ok(())
    }

    /// Takes out what hung below deleted edges and hangs it below its best
    /// in-neighbours that are left; [`settle`](Self::settle) corrects the rest.
    ///
    /// Cost: where the graph keeps in-edges, these and the out-edges of the vertices
    /// whose distance grows, and the in-edges of their children. Where it does not,
    /// the out-edges of all that hung below the deleted edges, and one pass over all
    /// edges. What was cut off more levels deep than a pass over all vertices is worth
    /// costs some such passes instead. Synchronises once in up to 32 levels.
    ///
    /// # Errors
    /// No tree; the device fails.
    pub fn on_delete<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        self.change(|state| state.on_delete::<W, L>(graph, deleted))
    }

    /// Relaxes inserted edges; [`settle`](Self::settle) does what follows.
    ///
    /// # Errors
    /// No tree; the device fails.
    pub fn on_insert<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
        inserted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        self.change(|state| {
            let (tree, next) = (state.paths.lend(), state.frontiers.next());
            relax_inserted::launch::<W, L>(graph.device(), inserted, tree, next)
        })
    }

    /// Relaxes until nothing gets nearer. Synchronises once in up to 32 rounds on CUDA.
    ///
    /// # Errors
    /// No tree; the device fails.
    pub fn settle<W: Weight, L: Length<W>>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        self.change(|state| state.settle::<W, L>(graph))
    }

    /// The place of every vertex. Synchronises.
    ///
    /// # Errors
    /// No tree; the device fails.
    pub fn nodes(&self) -> Result<Vec<TreeNode>, Error> {
        self.state.as_ref().ok_or(ErrorKind::OutOfStep)?.paths.nodes.to_vec()
    }

    /// Does a piece of work on the state, which is given up where that fails: rounds may
    /// have left stamps that later ones would take for their own.
    fn change(&mut self, work: impl FnOnce(&mut State) -> Result<(), Error>) -> Result<(), Error> {
        let mut state = self.state.take().ok_or(ErrorKind::OutOfStep)?;
        work(&mut state)?;
        self.state = Some(state);
        Ok(())
    }
}

impl State {
    /// The source alone, and it is to be visited.
    fn new<W: Weight>(graph: &SlabGraph<W>, source: u32) -> Result<Self, Error> {
        let (device, count) = (graph.device(), graph.vertex_count());
        Ok(State {
            device: device.clone(),
            paths: Paths::new(device, count as usize, source)?,
            frontiers: Frontiers::new(device, count, &[source])?,
            far: Frontiers::new(device, count, &[])?,
            cut_off: LevelQueue::new(device, count)?,
            climbs: None,
        })
    }

    /// Whether its memory is that of a tree of this graph.
    fn fits<W: Weight>(&self, graph: &SlabGraph<W>) -> bool {
        self.device == *graph.device() && self.paths.nodes.len() == graph.vertex_count() as usize
    }

    /// As new.
    fn restart(&mut self, source: u32) -> Result<(), Error> {
        self.paths.restart(source)?;
        self.far.restart(&[])?;
        self.frontiers.restart(&[source])
    }

    /// Visits the current frontier, or else the next, and all that follow.
    fn settle<W: Weight, L: Length<W>>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        if self.frontiers.is_empty() {
            self.advance()?;
        }
        let idle = match self.device.is_cuda() {
            true if L::DIFFERS => IDLE_ON_CUDA,
            true => u32::MAX,
            false => 0,
        };
        let goes_on = |done, length| done < ROUNDS_OUT_OF_ORDER || length < idle;
        self.relax::<W, L>(graph, UNREACHED, goes_on)?;
        if self.frontiers.is_empty() { Ok(()) } else { self.settle_in_order::<W, L>(graph) }
    }

    /// Visits the nearest first, a range of distances at a time, so that little is
    /// visited before its distance is final (near-far: Davidson et al.,
    /// "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths").
    fn settle_in_order<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
    ) -> Result<(), Error> {
        let mut width = Width::of::<W, L>(graph)?;
        let (mut visited, mut limit) = (0, 0);
        // All wait at first, which finds the nearest.
        self.part(visited, limit, |state| state.frontiers.current())?;
        loop {
            if self.frontiers.is_empty() {
                let nearest = self.paths.nearest()?;
                (visited, limit) = (limit, width.beyond::<W, L>(nearest));
            } else {
                let (before, first) = (self.frontiers.visited(), self.paths.round);
                self.relax::<W, L>(graph, limit, |_, _| true)?;
                let rounds = self.paths.round.saturating_sub(first).max(1);
                width.adapt((self.frontiers.visited() - before) / u64::from(rounds));
                (visited, limit) = (limit, width.beyond::<W, L>(limit));
            }
            if self.far.advance()? == 0 {
                return Ok(());
            }
            self.part(visited, limit, |state| state.far.current())?;
        }
    }

    /// Relaxes until nobody nearer than `limit` is left, or `goes_on` says no.
    fn relax<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
        limit: u32,
        goes_on: impl Fn(u32, u32) -> bool,
    ) -> Result<(), Error> {
        self.paths.spare_rounds()?;
        let (device, tree, far) = (&self.device, self.paths.lend(), self.far.next());
        let rounds = self.frontiers.repeat(goes_on, |number, current, next| {
            let tree = PathTreeBuffers { round: tree.round + number, ..tree };
            relax::launch::<W, L>(device, current, graph, limit, tree, next, far)
        })?;
        self.paths.round += rounds;
        Ok(())
    }

    /// Parts a list of vertices into who is visited next and who waits.
    fn part(
        &mut self,
        visited: u32,
        limit: u32,
        items: impl Fn(&Self) -> CurrentFrontier<'_, Vertex>,
    ) -> Result<(), Error> {
        self.paths.next_turn()?;
        let (next, far) = (self.frontiers.next(), self.far.next());
        part::launch(&self.device, items(self), visited, limit, self.paths.lend(), next, far)?;
        self.advance()
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.frontiers.advance()?;
        self.paths.next_round()
    }
}

/// Rounds in which changes die out on graphs of small diameter; only what lives
/// longer is worth the trouble of an order.
const ROUNDS_OUT_OF_ORDER: u32 = 8;
/// A frontier that leaves a large GPU idle: visiting a vertex once more costs nothing
/// there, a round more does. (Where all lengths are 1 that goes for any: waves are as
/// fast as each other, and an order costs a round for every distance.)
const IDLE_ON_CUDA: u32 = 1 << 13;

pub(crate) fn check_source<W: Weight>(graph: &SlabGraph<W>, source: u32) -> Result<(), Error> {
    let count = graph.vertex_count();
    if source < count {
        return Ok(());
    }
    Err(ErrorKind::NoSuchVertex { vertex: source, count }.into())
}
