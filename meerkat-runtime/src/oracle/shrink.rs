//! Leaving out of a failing sequence what the failure does not need (delta
//! debugging: Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input").

use super::{Flaw, Sequence};
use crate::Weight;
use crate::graph::Batch;

/// Most replays; a failure need not be reproducible for ever.
const MOST_REPLAYS: usize = 5000;

/// Longer sequences have too many vertices to try all pairs of.
const MOST_UPDATES_TO_MERGE: usize = 64;

/// The shortest sequence found that still fails, and how it fails.
pub(super) fn shrink<W: Weight>(
    original: &Sequence<W>,
    flaw: Flaw,
    fails: impl Fn(&Sequence<W>) -> Option<Flaw>,
) -> (Sequence<W>, Flaw) {
    let mut best = Best { sequence: original.clone(), flaw, replays: 0, fails };
    best.sequence.batches.truncate(best.flaw.batches);
    loop {
        let before = best.sequence.updates() + best.sequence.batches.len();
        best.shorten(|sequence| &mut sequence.batches);
        best.shorten(|sequence| &mut sequence.start);
        for batch in 0..best.sequence.batches.len() {
            best.shorten_batch(batch);
        }
        best.merge_vertices();
        best.drop_vertices();
        if best.sequence.updates() + best.sequence.batches.len() == before {
            return (best.sequence, best.flaw);
        }
    }
}

struct Best<W: Weight, F> {
    sequence: Sequence<W>,
    flaw: Flaw,
    replays: usize,
    fails: F,
}

impl<W: Weight, F: Fn(&Sequence<W>) -> Option<Flaw>> Best<W, F> {
    /// Keeps a candidate that still fails.
    fn keep(&mut self, candidate: Sequence<W>) -> bool {
        self.replays += 1;
        if self.replays > MOST_REPLAYS {
            return false;
        }
        match (self.fails)(&candidate) {
            Some(flaw) => {
                self.sequence = candidate;
                self.flaw = flaw;
                true
            }
            None => false,
        }
    }

    /// Leaves out runs of a list's items: long ones first, single ones last.
    fn shorten<T: Clone>(&mut self, list: impl Fn(&mut Sequence<W>) -> &mut Vec<T>) {
        let mut run = list(&mut self.sequence).len();
        while run > 0 {
            let mut at = 0;
            while at < list(&mut self.sequence).len() {
                let mut candidate = self.sequence.clone();
                let items = list(&mut candidate);
                let end = (at + run).min(items.len());
                items.drain(at..end);
                if !self.keep(candidate) {
                    at += run;
                }
            }
            run /= 2;
        }
    }

    /// The same with the updates of a batch.
    fn shorten_batch(&mut self, batch: usize) {
        let length = |best: &Self| best.sequence.batches[batch].len();
        let mut run = length(self);
        while run > 0 {
            let mut at = 0;
            while at < length(self) {
                let mut candidate = self.sequence.clone();
                let updates = (0..).zip(candidate.batches[batch].updates());
                let kept = updates.filter(|(number, _)| !(at..at + run).contains(number));
                candidate.batches[batch] = kept.map(|(_, update)| update).collect::<Batch<W>>();
                if !self.keep(candidate) {
                    at += run;
                }
            }
            run /= 2;
        }
    }

    /// Puts vertices in the place of smaller ones: long ways become short, gaps
    /// are closed.
    fn merge_vertices(&mut self) {
        if self.sequence.updates() > MOST_UPDATES_TO_MERGE {
            return;
        }
        for from in (1..self.sequence.vertices).rev() {
            if self.sequence.names(from) {
                let _ = (0..from).any(|to| self.keep(self.sequence.renamed(from, to)));
            }
        }
    }

    /// Leaves out the vertices above the largest that is named.
    fn drop_vertices(&mut self) {
        let needed = self.sequence.largest_vertex().map_or(1, |largest| largest + 1);
        if needed < self.sequence.vertices {
            let candidate = Sequence { vertices: needed, ..self.sequence.clone() };
            self.keep(candidate);
        }
    }
}
