//! What deletions do to a shortest-path tree: who loses its path, and where it hangs
//! until the tree settles.

use super::climb::{Climbs, find_rise, rise};
use super::path_tree::{State, next_stamp};
use super::{Length, condemn, cut, detach, invalidate, reattach, rehang, relax_border};
use meerkat_runtime::graph::Adjacency;
use meerkat_runtime::prelude::*;

/// How many levels below a deleted edge are looked at one by one: at least this many,
/// and about as many as cost what some passes over all vertices do.
const LEAST_LEVELS: u32 = 16;
const VERTICES_A_LEVEL: u32 = 1 << 18;

impl State {
    pub(super) fn on_delete<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
    ) -> Result<(), Error> {
        let most = LEAST_LEVELS.max(graph.vertex_count() / VERTICES_A_LEVEL);
        let mut deep = match self.cut_off::<W, L>(graph, deleted, most)? {
            true => Some(self.list_fallen()?),
            false => None,
        };
        if self.cut_off.advance()? == 0 {
            return Ok(());
        }
        match (graph.in_edges(), &mut deep) {
            (Ok(in_edges), Some(climbs)) if L::ADDS_UP => {
                self.rise::<W, L>(in_edges, climbs)?;
            }
            (Ok(in_edges), _) => self.pull_border::<W, L>(in_edges)?,
            (Err(_), _) => self.push_border::<W, L>(graph)?,
        }
        self.climbs = deep.or_else(|| self.climbs.take());
        Ok(())
    }

    /// Marks and lists the vertices whose path is gone, up to so many levels below the
    /// deleted edges; whether there is more below. Where in-edges are kept, a vertex with
    /// another path as short hangs itself below that and stays, with all below it (the
    /// idea of Even and Shiloach, "An on-line edge-deletion problem").
    fn cut_off<W: Weight, L: Length<W>>(
        &mut self,
        graph: &SlabGraph<W>,
        deleted: &DeviceBuffer<Edge<W>>,
        most_levels: u32,
    ) -> Result<bool, Error> {
        next_stamp(&mut self.epoch, &mut self.invalid)?;
        self.cut_off.clear()?;
        // Nobody waits between two settlements, so the lists are free.
        let State { device, tree, invalid, epoch, cut_off, far: suspects, .. } = self;
        let (tree, invalid, epoch) = (&*tree, &*invalid, *epoch);
        cut::launch(device, deleted, tree, suspects.next())?;
        suspects.advance()?;
        suspects.repeat(
            |levels, _| levels < most_levels,
            |_, current, next| {
                match graph.in_edges() {
                    Ok(into) => {
                        rehang::launch::<W, L>(device, current.clone(), into, epoch, tree, invalid)?
                    }
                    Err(_) => condemn::launch(device, current.clone(), epoch, invalid)?,
                }
                let all = cut_off.next();
                invalidate::launch(device, current, graph, epoch, tree, invalid, next, all)
            },
        )?;
        if suspects.is_empty() {
            return Ok(false);
        }
        condemn::launch(device, suspects.current(), epoch, invalid)?;
        suspects.restart(&[])?;
        Ok(true)
    }

    /// Lists all invalid vertices and what hangs below them, at any depth. Returns the
    /// memory for climbs.
    fn list_fallen(&mut self) -> Result<Climbs, Error> {
        self.cut_off.clear()?;
        let State { device, tree, invalid, epoch, cut_off, .. } = self;
        let mut climbs = match self.climbs.take() {
            Some(climbs) => climbs,
            None => Climbs::new(device, tree.len())?,
        };
        climbs.list_fallen(*epoch, tree, invalid, cut_off.next())?;
        Ok(climbs)
    }

    /// Every invalid vertex moves as it hangs.
    fn rise<W: Weight, L: Length<W>>(
        &mut self,
        in_edges: &Adjacency<W>,
        climbs: &mut Climbs,
    ) -> Result<(), Error> {
        let State { device, tree, queued, round, frontiers, invalid, epoch, cut_off, .. } = self;
        let (tree, all, next) = (&*tree, cut_off.all(), frontiers.next());
        let Climbs { climbs: from, offers, .. } = &mut *climbs;
        let (of, from) = (all.clone(), &*from);
        find_rise::launch::<W, L>(device, of, in_edges, *epoch, tree, &*invalid, from, offers)?;
        climbs.climb(device, all.clone())?;
        let Climbs { climbs: from, offers, .. } = &*climbs;
        rise::launch(device, all, *round, from, offers, tree, &*queued, next)
    }

    /// From the invalid vertices back along their in-edges.
    fn pull_border<W: Weight, L: Length<W>>(
        &mut self,
        in_edges: &Adjacency<W>,
    ) -> Result<(), Error> {
        let State { device, tree, queued, round, frontiers, invalid, epoch, cut_off, .. } = self;
        let (tree, queued, invalid) = (&*tree, &*queued, &*invalid);
        let (items, next) = (cut_off.all(), frontiers.next());
        reattach::launch::<W, L>(
            device, items, in_edges, *epoch, *round, tree, invalid, queued, next,
        )
    }

    /// From all valid vertices along their out-edges.
    fn push_border<W: Weight, L: Length<W>>(&mut self, graph: &SlabGraph<W>) -> Result<(), Error> {
        let State { device, tree, queued, round, frontiers, invalid, epoch, cut_off, .. } = self;
        let (tree, queued, invalid) = (&*tree, &*queued, &*invalid);
        detach::launch(device, cut_off.all(), tree)?;
        let (items, next) = (0..graph.vertex_count(), frontiers.next());
        relax_border::launch::<W, L>(
            device, items, graph, *epoch, *round, tree, invalid, queued, next,
        )
    }
}
