//! A temporal graph in time order: records that enter and leave, as batches.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use crate::graph::{Batch, Edge, Update};
use crate::read::{Duplicates, GraphFile};
use crate::{Direction, Weight};

/// The records of a temporal graph by time, equal times in the order of the
/// file, and the simple graph of those that are present: self-loops are left
/// out, an arc is there while at least one of its records is.
///
/// ```text
/// gone | present | to come      enter: the next become present
///      first     end            expire: the oldest go; retract: the newest go
/// ```
#[derive(Clone, Debug)]
pub struct Timeline<W: Weight> {
    records: Vec<Edge<W>>,
    times: Vec<i64>,
    direction: Direction,
    duplicates: Duplicates,
    present: Range<usize>,
    /// The weights of each present arc's records, by time.
    arcs: HashMap<(u32, u32), VecDeque<W>>,
}

impl<W: Weight + PartialOrd> Timeline<W> {
    /// The timeline of a file, with nothing present; `weight` gives the weight of
    /// a record by its place in the file. `None` if the file has no times.
    #[must_use]
    pub fn new(
        file: &GraphFile,
        direction: Direction,
        duplicates: Duplicates,
        weight: impl Fn(usize) -> W,
    ) -> Option<Self> {
        let times = file.times.as_ref()?;
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by_key(|&record| times[record]);
        let record = |&at: &usize| Edge {
            src: file.sources[at],
            dst: file.destinations[at],
            weight: weight(at),
        };
        Some(Timeline {
            records: order.iter().map(record).collect(),
            times: order.iter().map(|&record| times[record]).collect(),
            direction,
            duplicates,
            present: 0..0,
            arcs: HashMap::new(),
        })
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records that are present, by their place in time.
    #[must_use]
    pub fn present(&self) -> Range<usize> {
        self.present.clone()
    }

    /// When a record was made, in ticks of the file's
    /// [`time_scale`](GraphFile::time_scale).
    ///
    /// # Panics
    /// If `record` is not below [`len`](Self::len).
    #[must_use]
    pub fn time(&self, record: usize) -> i64 {
        self.times[record]
    }

    /// How many arcs are present; two for each edge of an undirected graph.
    #[must_use]
    pub fn arc_count(&self) -> usize {
        match self.direction {
            Direction::Directed => self.arcs.len(),
            Direction::Undirected => 2 * self.arcs.len(),
        }
    }

    /// Lets the next `count` records enter, or as many as there are.
    pub fn enter(&mut self, count: usize) -> Batch<W> {
        let end = self.present.end.saturating_add(count).min(self.records.len());
        let entering = std::mem::replace(&mut self.present.end, end)..end;
        self.change(entering, |weights, weight| weights.push_back(weight))
    }

    /// Lets the `count` oldest records go, or as many as are present.
    pub fn expire(&mut self, count: usize) -> Batch<W> {
        let first = self.present.start.saturating_add(count).min(self.present.end);
        let leaving = std::mem::replace(&mut self.present.start, first)..first;
        self.change(leaving, |weights, _| {
            weights.pop_front();
        })
    }

    /// Lets the `count` newest records go, or as many as are present: the way back.
    pub fn retract(&mut self, count: usize) -> Batch<W> {
        let end = self.present.end.saturating_sub(count).max(self.present.start);
        let leaving = end..std::mem::replace(&mut self.present.end, end);
        self.change(leaving, |weights, _| {
            weights.pop_back();
        })
    }

    /// Does something to the weights of each record's arc, and says what the arc
    /// is afterwards.
    fn change(&mut self, records: Range<usize>, act: impl Fn(&mut VecDeque<W>, W)) -> Batch<W> {
        let mut batch = Batch::new();
        for &Edge { src, dst, weight } in &self.records[records] {
            if src == dst {
                continue;
            }
            let (src, dst) = match self.direction {
                Direction::Directed => (src, dst),
                Direction::Undirected => (src.min(dst), src.max(dst)),
            };
            let weights = self.arcs.entry((src, dst)).or_default();
            act(weights, weight);
            match chosen(weights, self.duplicates) {
                Some(weight) => batch.push(Update::Insert(Edge { src, dst, weight })),
                None => {
                    self.arcs.remove(&(src, dst));
                    batch.push(Update::Delete(Edge { src, dst, weight }));
                }
            }
        }
        batch
    }
}

/// The weight of an arc with these records.
fn chosen<W: Copy + PartialOrd>(weights: &VecDeque<W>, duplicates: Duplicates) -> Option<W> {
    match duplicates {
        Duplicates::Last => weights.back().copied(),
        Duplicates::Min => weights.iter().copied().reduce(|a, b| if b < a { b } else { a }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Model;
    use crate::read::read;

    /// Not in time order, with a loop and repeats.
    const FILE: &str = "1,2,5,10\n2,3,7,30\n1,2,3,20\n2,2,1,25\n2,1,4,30\n1,2,9,40\n";

    fn timeline(direction: Direction, duplicates: Duplicates) -> Timeline<u32> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        std::fs::write(&path, FILE).expect("a file");
        let file = read(&path, &mut |_| {}).expect("a graph");
        let weights = file.weights.clone().expect("weights");
        Timeline::new(&file, direction, duplicates, |record| weights[record] as u32).expect("times")
    }

    fn arcs(model: &Model<u32>) -> Vec<(u32, u32, u32)> {
        model.edges().iter().map(|edge| (edge.src, edge.dst, edge.weight)).collect()
    }

    #[test]
    fn arcs_come_with_their_first_record_and_go_with_their_last() {
        let mut timeline = timeline(Direction::Directed, Duplicates::Min);
        assert_eq!((timeline.len(), timeline.time(0), timeline.time(5)), (6, 10, 40));
        let mut model = Model::new(3, Direction::Directed);
        model.apply(&timeline.enter(2));
        assert_eq!(arcs(&model), [(0, 1, 3)]);
        model.apply(&timeline.enter(100));
        assert_eq!(arcs(&model), [(0, 1, 3), (1, 0, 4), (1, 2, 7)]);
        assert_eq!((timeline.arc_count(), timeline.present()), (3, 0..6));
        model.apply(&timeline.expire(2));
        assert_eq!(arcs(&model), [(0, 1, 9), (1, 0, 4), (1, 2, 7)]);
        model.apply(&timeline.retract(1));
        assert_eq!(arcs(&model), [(1, 0, 4), (1, 2, 7)]);
        model.apply(&timeline.expire(9));
        assert!(model.edges().is_empty() && timeline.present().is_empty());
        assert_eq!(timeline.arc_count(), 0);
    }

    #[test]
    fn more_records_than_there_can_be_are_all_that_there_are() {
        let mut timeline = timeline(Direction::Directed, Duplicates::Min);
        timeline.enter(1);
        timeline.enter(usize::MAX);
        assert_eq!(timeline.present(), 0..6);
        timeline.expire(1);
        timeline.retract(usize::MAX);
        assert_eq!(timeline.present(), 1..1);
        timeline.enter(usize::MAX);
        timeline.expire(usize::MAX);
        assert_eq!(timeline.present(), 6..6);
    }

    #[test]
    fn the_last_record_counts_both_ways_of_an_undirected_edge() {
        let mut timeline = timeline(Direction::Undirected, Duplicates::Last);
        let mut model = Model::new(3, Direction::Undirected);
        let mut weight = |batch| {
            model.apply(&batch);
            model.weight(1, 0)
        };
        assert_eq!(weight(timeline.enter(1)), Some(5));
        assert_eq!(weight(timeline.enter(1)), Some(3));
        assert_eq!(weight(timeline.enter(3)), Some(4));
        assert_eq!(weight(timeline.enter(1)), Some(9));
        assert_eq!(weight(timeline.retract(1)), Some(4));
        assert_eq!(weight(timeline.retract(4)), Some(5));
        assert_eq!(weight(timeline.expire(1)), None);
    }
}
