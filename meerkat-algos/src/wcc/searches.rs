//! Which small fragments a torn forest has, without looking at the large ones.
//!
//! A search begins at both ends of every cut edge, and ends when it has all of its fragment, or too much.
//! A tree with `c` cuts falls into `c + 1` fragments, so if all but one were found whole, the other one is
//! what is left, and nobody needs to know who is in it (cf. Even and Shiloach, "An on-line edge-deletion
//! problem": who looks at both sides of a cut pays for the smaller one). Most fragments have some few
//! vertices, so searches are short at first; those at cuts that are not settled then go on for longer.

use super::search_operators::{
    NOBODY, SearchBuffers, begin_searches, check_found, count_cuts, count_whole, forget,
    list_whole, resume, search_on, stop, stop_searches, wake_searches,
};
use meerkat_runtime::prelude::*;

/// How long searches go on before the host looks which are to go on further.
#[derive(Clone, Copy)]
struct Reach {
    /// Vertices that a search reaches.
    most: u32,
    rounds: u32,
}

/// What is worth a search.
struct Worth {
    /// One after another. Deeper fragments are found sooner by a pass over their whole component.
    reaches: &'static [Reach],
    /// There may be a cut for each so many vertices of the graph.
    vertices_a_cut: u32,
    /// At how many cuts searches may go on, in all: of uniform graphs 4 % have much on both sides, and
    /// some so much that all would be in vain.
    open_cuts: u32,
    /// A pass over fewer vertices takes no longer than the launches of searches.
    least_vertices: u32,
}

const ON_CUDA: Worth = Worth {
    reaches: &[
        Reach { most: 1 << 6, rounds: 4 },
        Reach { most: 1 << 10, rounds: 12 },
        Reach { most: 1 << 13, rounds: 32 },
    ],
    vertices_a_cut: 64,
    open_cuts: 16,
    least_vertices: 1 << 16,
};
/// On small graphs, so that tests see searches that stop and others that do not.
const ON_CPU: Worth = Worth {
    reaches: &[Reach { most: 3, rounds: 2 }, Reach { most: 6, rounds: 32 }],
    vertices_a_cut: 2,
    open_cuts: 4,
    least_vertices: 0,
};
/// After how many failures in a row it is tried as seldom as it will be.
const MOST_FAILURES: u32 = 6;

/// What searches leave behind: 24 bytes a vertex.
#[derive(Debug)]
pub(super) struct Searches {
    owner: DeviceBuffer<Atomic<u32>>,
    sizes: DeviceBuffer<Atomic<u32>>,
    stops: DeviceBuffer<Atomic<u32>>,
    cuts: DeviceBuffer<Atomic<u32>>,
    missing: DeviceBuffer<Atomic<u32>>,
    failed: DeviceBuffer<Atomic<u32>>,
    open: DeviceBuffer<Atomic<u32>>,
    /// All vertices that were reached.
    reached: LevelQueue<Vertex>,
    /// Whether the last ones were forgotten.
    is_clean: bool,
    /// How often they failed, one time after another.
    failures: u32,
    /// How many times they are not tried.
    pause: u32,
}

impl Worth {
    fn of(device: &Device) -> &'static Worth {
        if device.is_cuda() { &ON_CUDA } else { &ON_CPU }
    }
}

impl Searches {
    pub(super) fn new(device: &Device, vertices: u32) -> Result<Self, Error> {
        let zeros = || DeviceBuffer::zeroed(device, vertices as usize);
        Ok(Searches {
            owner: DeviceBuffer::filled(device, vertices as usize, NOBODY)?,
            sizes: zeros()?,
            stops: zeros()?,
            cuts: zeros()?,
            missing: zeros()?,
            failed: DeviceBuffer::zeroed(device, 1)?,
            open: DeviceBuffer::zeroed(device, 1)?,
            reached: LevelQueue::new(device, vertices)?,
            is_clean: true,
            failures: 0,
            pause: 0,
        })
    }

    /// Whether searches from so many cuts may cost less than a pass over the components that have them.
    pub(super) fn are_worth(device: &Device, vertices: u32, cuts: u32) -> bool {
        let Worth { vertices_a_cut, least_vertices, .. } = *Worth::of(device);
        vertices >= least_vertices && cuts <= (vertices / vertices_a_cut).max(1)
    }

    /// Whether they are tried once more, by how often they failed.
    pub(super) fn are_tried(&mut self) -> bool {
        let are_tried = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        are_tried
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
            cuts: &self.cuts,
            missing: &self.missing,
            failed: &self.failed,
            open: &self.open,
        };
        let first = frontier.next();
        begin_searches::launch(device, cuts, parent, searches, self.reached.next(), first)?;
        frontier.advance()?;
        let Worth { reaches, open_cuts, .. } = *Worth::of(device);
        for (number, &Reach { most, rounds }) in reaches.iter().enumerate() {
            if number > 0 {
                let all = self.reached.all();
                count_cuts::launch(device, cuts, searches)?;
                wake_searches::launch(device, cuts, parent, searches)?;
                resume::launch(device, all, open_cuts, searches, frontier.next())?;
                if frontier.advance()? == 0 {
                    break;
                }
            }
            let reached = self.reached.next();
            frontier.repeat(
                |done, _| done < rounds,
                |_, current, next| {
                    search_on::launch(device, current, forest, most, searches, reached, next)
                },
            )?;
            stop::launch(device, frontier.current(), &self.stops)?;
            frontier.restart(&[])?;
            self.reached.advance()?;
            stop_searches::launch(device, self.reached.all(), searches)?;
        }
        let all = self.reached.all();
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
        let words = [&mut self.sizes, &mut self.stops, &mut self.cuts, &mut self.missing];
        words.into_iter().try_for_each(|words| words.fill(0))?;
        self.failed.fill(0)?;
        self.open.fill(0)?;
        self.reached.clear()
    }
}

#[cfg(test)]
mod tests {
    use super::super::dynamic::FOREST;
    use super::*;
    use std::collections::BTreeSet;

    /// The vertices that searches from some cuts of a forest find, if they find all small fragments.
    fn found(
        searches: &mut Searches,
        arcs: &[(u32, u32)],
        cuts: &[(u32, u32)],
    ) -> Option<Vec<u32>> {
        let (device, n) = (Device::cpu(), searches.owner.len() as u32);
        let edge = |&(src, dst): &(u32, u32)| Edge { src, dst, weight: () };
        let cuts: Vec<_> = cuts.iter().map(edge).collect();
        let whole: Vec<_> = arcs.iter().map(edge).collect();
        let mut forest = SlabGraph::from_edges(&device, n, &whole, &FOREST).expect("a forest");
        let labels = crate::wcc::labels(&forest).expect("labels");
        let parent = DeviceBuffer::from_slice(&device, &labels).expect("labels");
        let cuts = DeviceBuffer::from_slice(&device, &cuts).expect("cuts");
        forest.delete_buffer(&cuts).expect("deletions");

        let mut frontier = Frontiers::new(&device, n, &[]).expect("lists");
        searches.find(&forest, &cuts, &parent, &mut frontier).expect("searches");
        let Searches { owner, sizes, stops, cuts, missing, failed, open, .. } = searches;
        assert!(owner.to_vec().expect("owners").iter().all(|&owner| owner == NOBODY));
        for words in [sizes, stops, cuts, missing, failed, open] {
            assert!(words.to_vec().expect("words").iter().all(|&word| word == 0));
        }
        let members: BTreeSet<_> = frontier.to_vec().expect("vertices").into_iter().collect();
        assert_eq!(members.len() as u32, frontier.len(), "each once");
        (!members.is_empty()).then(|| members.into_iter().collect())
    }

    fn searches(vertices: u32) -> Searches {
        Searches::new(&Device::cpu(), vertices).expect("memory")
    }

    fn path(vertices: std::ops::Range<u32>) -> Vec<(u32, u32)> {
        vertices.clone().zip(vertices.skip(1)).collect()
    }

    #[test]
    fn fragments_are_known_if_all_but_one_of_a_tree_are_small_and_the_label_is_in_that_one() {
        let (mut searches, path) = (searches(100), path(0..100));
        let mut of = |cuts: &[(u32, u32)]| found(&mut searches, &path, cuts);
        assert_eq!(of(&[(97, 98)]), Some(vec![98, 99]));
        assert_eq!(of(&[(1, 2)]), None, "those that are left need another label");
        assert_eq!(of(&[(50, 51)]), None, "both are large");
        let two: Vec<_> = (91..100).collect();
        assert_eq!(of(&[(95, 96), (90, 91)]), Some(two));
        assert_eq!(of(&[(50, 51), (97, 98)]), None, "two are large");
        assert_eq!(of(&[(3, 4), (94, 95)]), None, "the label is in a small one");
        assert_eq!(of(&[(92, 93)]), Some((93..100).collect()), "7 are few");
        assert_eq!(of(&[(84, 85)]), None, "15 are many");
    }

    #[test]
    fn a_small_fragment_between_two_cuts_settles_neither() {
        let (mut searches, path) = (searches(100), path(0..100));
        let mut of = |cuts: &[(u32, u32)]| found(&mut searches, &path, cuts);
        assert_eq!(of(&[(40, 41), (42, 43)]), None, "large ones on both sides");
        assert_eq!(of(&[(93, 94), (95, 96)]), Some((94..100).collect()), "4 behind 2");
        assert_eq!(of(&[(93, 94), (94, 95), (95, 96)]), Some((94..100).collect()));
    }

    #[test]
    fn a_component_of_small_fragments_alone_is_listed_whole() {
        let arcs = [path(0..40), path(50..56), path(60..62)].concat();
        let mut searches = searches(70);
        let mut of = |cuts: &[(u32, u32)]| found(&mut searches, &arcs, cuts);
        assert_eq!(of(&[(52, 53)]), Some((50..56).collect()));
        let both: Vec<_> = (38..40).chain([60, 61]).collect();
        assert_eq!(of(&[(60, 61), (37, 38)]), Some(both));
        assert_eq!(of(&[(60, 61), (20, 21)]), None, "what fails for one fails for all");
        // The small side of a cut has the label: the other one is found by a search that goes on.
        let arcs = [path(0..9), path(10..40)].concat();
        let mut searches = super::Searches::new(&Device::cpu(), 40).expect("memory");
        let both: Vec<_> = (0..9).chain([38, 39]).collect();
        assert_eq!(found(&mut searches, &arcs, &[(1, 2), (37, 38)]), Some(both));
    }

    /// In paths of 13, cuts in the middle are settled by searches that go on: at some cuts, and not at many.
    #[test]
    fn searches_do_not_go_on_at_many_cuts() {
        let arcs: Vec<_> = (0..6).flat_map(|at| path(13 * at..13 * at + 13)).collect();
        let cuts: Vec<_> = (0..6).map(|at| (13 * at + 7, 13 * at + 8)).collect();
        let mut searches = searches(78);
        let behind = |count| (0..count).flat_map(|at| 13 * at + 8..13 * at + 13);
        let mut of = |count: usize| found(&mut searches, &arcs, &cuts[..count]);
        assert_eq!(of(4), Some(behind(4).collect()));
        assert_eq!(of(5), None);
        assert_eq!(of(4), Some(behind(4).collect()), "nothing of it is left");
    }

    #[test]
    fn nobody_walks_a_hub_and_its_leaves_are_found() {
        let star: Vec<_> = (0..60).filter(|&v| v != 30).map(|v| (30, v)).collect();
        let mut searches = searches(60);
        let mut of = |cuts: &[(u32, u32)]| found(&mut searches, &star, cuts);
        assert_eq!(of(&[(30, 7), (30, 40), (30, 59)]), Some(vec![7, 40, 59]));
        assert_eq!(of(&[(30, 7), (30, 0)]), None, "the leaf 0 gave them their label");
    }

    #[test]
    fn what_fails_is_tried_more_and_more_seldom_until_it_succeeds() {
        let (mut searches, path) = (searches(100), path(0..100));
        let mut tries = |at: u32| -> Vec<bool> {
            let mut tries = Vec::new();
            for _ in 0..10 {
                tries.push(searches.are_tried());
                if tries.ends_with(&[true]) {
                    found(&mut searches, &path, &[(at, at + 1)]);
                }
            }
            tries
        };
        let seldom = [true, false, true, false, false, false, true, false, false, false];
        assert_eq!(tries(50), seldom);
        assert_eq!(tries(97)[3..], [false, true, true, true, true, true, true]);
        let are_worth = |cuts| Searches::are_worth(&Device::cpu(), 100, cuts);
        assert!(are_worth(50) && !are_worth(51), "too many cuts");
    }

    #[test]
    fn what_searches_that_failed_left_behind_is_cleared() {
        let mut searches = searches(100);
        for words in [&mut searches.owner, &mut searches.sizes, &mut searches.missing] {
            words.fill(3).expect("words");
        }
        searches.is_clean = false;
        assert_eq!(found(&mut searches, &path(0..100), &[(97, 98)]), Some(vec![98, 99]));
    }
}
