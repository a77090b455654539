//! Which small fragments a torn forest has, without looking at the large ones.
//!
//! A search begins at both ends of every cut edge, and ends when it has all of its fragment, or too much.
//! A tree with `c` cuts falls into `c + 1` fragments, so if all but one were found whole, the other one is
//! what is left, and nobody needs to know who is in it (cf. Even and Shiloach, "An on-line edge-deletion
//! problem": who looks at both sides of a cut pays for the smaller one).

use super::search_operators::{
    NOBODY, SearchBuffers, begin_searches, check_found, count_whole, forget, list_whole, search_on,
    stop, stop_searches,
};
use meerkat_runtime::prelude::*;

/// Vertices of a fragment that is worth a search.
const MOST_ON_CUDA: u32 = 1 << 12;
/// Few, so that tests see searches that stop.
const MOST_ON_CPU: u32 = 8;
/// Rounds of a search: as many as are queued before the host looks. Deep fragments take more, and are
/// found sooner by a pass over their whole component.
const MOST_ROUNDS: u32 = 32;
/// There is a search for a part of the vertices at most: one of so many.
const VERTICES_A_CUT: u32 = 64;
/// After how many failures in a row it is tried as seldom as it will be.
const MOST_FAILURES: u32 = 6;

/// What searches leave behind: 20 bytes a vertex.
#[derive(Debug)]
pub(super) struct Searches {
    owner: DeviceBuffer<Atomic<u32>>,
    sizes: DeviceBuffer<Atomic<u32>>,
    stops: DeviceBuffer<Atomic<u32>>,
    missing: DeviceBuffer<Atomic<u32>>,
    failed: DeviceBuffer<Atomic<u32>>,
    /// All vertices that were reached.
    reached: LevelQueue<Vertex>,
    /// Whether the last ones were forgotten.
    is_clean: bool,
    /// How often they failed, one time after another.
    failures: u32,
    /// How many times they are not tried.
    pause: u32,
}

impl Searches {
    pub(super) fn new(device: &Device, vertices: u32) -> Result<Self, Error> {
        let zeros = || DeviceBuffer::zeroed(device, vertices as usize);
        Ok(Searches {
            owner: DeviceBuffer::filled(device, vertices as usize, NOBODY)?,
            sizes: zeros()?,
            stops: zeros()?,
            missing: zeros()?,
            failed: DeviceBuffer::zeroed(device, 1)?,
            reached: LevelQueue::new(device, vertices)?,
            is_clean: true,
            failures: 0,
            pause: 0,
        })
    }

    /// Whether searches from so many cuts may cost less than a pass over the components that have them.
    pub(super) fn are_worth(&mut self, cuts: u32) -> bool {
        if cuts > (self.owner.len() as u32 / VERTICES_A_CUT).max(1) {
            return false;
        }
        let is_tried = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        is_tried
    }

    /// Finds the fragments that cuts have made of the trees of a forest, but for the largest of each tree:
    /// their vertices become the current frontier. Nobody's if some were not found. Every `parent` is a
    /// root. Synchronises a few times.
    pub(super) fn find<W: Weight>(
        &mut self,
        forest: &SlabGraph<W>,
        cuts: &DeviceBuffer<Edge<W>>,
        parent: &DeviceBuffer<Atomic<u32>>,
        frontier: &mut Frontiers<Vertex>,
    ) -> Result<(), Error> {
        self.clean()?;
        self.is_clean = false;
        let device = forest.device();
        let searches = SearchBuffers {
            owner: &self.owner,
            sizes: &self.sizes,
            stops: &self.stops,
            missing: &self.missing,
            failed: &self.failed,
        };
        let reached = self.reached.next();
        begin_searches::launch(device, cuts, parent, searches, reached, frontier.next())?;
        frontier.advance()?;
        let most = if device.is_cuda() { MOST_ON_CUDA } else { MOST_ON_CPU };
        frontier.repeat(
            |rounds, _| rounds < MOST_ROUNDS,
            |_, current, next| {
                search_on::launch(device, current, forest, most, searches, reached, next)
            },
        )?;
        stop::launch(device, frontier.current(), &self.stops)?;
        frontier.restart(&[])?;
        self.reached.advance()?;
        let all = self.reached.all();
        stop_searches::launch(device, all.clone(), searches)?;
        count_whole::launch(device, all.clone(), parent, searches)?;
        check_found::launch(device, cuts, parent, searches)?;
        list_whole::launch(device, all.clone(), searches, frontier.next())?;
        forget::launch(device, all, parent, searches)?;
        self.reached.clear()?;
        let found = frontier.advance()?;
        self.is_clean = true;
        self.failures = if found == 0 { (self.failures + 1).min(MOST_FAILURES) } else { 0 };
        self.pause = (1 << self.failures) - 1;
        Ok(())
    }

    /// Forgets searches that did not come to their end.
    fn clean(&mut self) -> Result<(), Error> {
        if self.is_clean {
            return Ok(());
        }
        self.owner.fill(NOBODY)?;
        for words in [&mut self.sizes, &mut self.stops, &mut self.missing, &mut self.failed] {
            words.fill(0)?;
        }
        self.reached.clear()
    }
}
