//! When the change of a step is looked at.

use super::model::Stop;

/// What is looked at in a step. A step that nobody looks at leaves most ranks unwritten:
/// the next one needs shares alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looks {
    /// Nothing.
    Away,
    /// The ranks, from which the next step will be measured.
    AtRanks,
    /// How far the ranks change.
    AtChange,
}

/// In which steps the change is looked at: in half of those that the changes seen so far
/// let expect, and in the last. For looking costs a pass over the ranks and a wait.
#[derive(Debug)]
pub(super) struct Glances {
    /// The change to be reached, and the step that is looked at at the latest.
    tolerance: f64,
    last: u32,
    next: u32,
    /// The step that was looked at, and its change.
    before: Option<(u32, f64)>,
}

/// How many steps go by unseen, at most: such a part of those that were made, so that no
/// more than that are too many where changes shrink ever faster.
const UNSEEN_PART: u32 = 3;

impl Glances {
    pub(super) fn new(stop: &Stop) -> Self {
        let before = None;
        match *stop {
            Stop::Steps(steps) => Glances { tolerance: 0.0, last: steps, next: steps, before },
            Stop::Change { tolerance, max_iterations, .. } => {
                Glances { tolerance, last: max_iterations, next: 1, before }
            }
        }
    }

    /// What is looked at in a step, from 1 on.
    pub(super) fn at(&self, step: u32) -> Looks {
        match self.next - step.min(self.next) {
            0 => Looks::AtChange,
            1 => Looks::AtRanks,
            _ => Looks::Away,
        }
    }

    /// Notes the change of a step, and when to look again.
    pub(super) fn seen(&mut self, step: u32, change: f64) {
        let unseen = self.before.map_or(0.0, |(before, larger)| {
            let rate = (change / larger).ln() / f64::from(step - before);
            ((self.tolerance / change).ln() / rate / 2.0).clamp(0.0, f64::from(step / UNSEEN_PART))
        });
        self.before = Some((step, change));
        // No number becomes 0: the next step.
        self.next = step.saturating_add(1 + unseen as u32).min(self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Norm;
    use super::*;

    /// After how many steps a run of these changes ends, and how often it looks.
    fn run(changes: &[f64], tolerance: f64) -> (u32, u32) {
        let max_iterations = changes.len() as u32;
        let norm = Norm::LInfinity;
        let mut glances = Glances::new(&Stop::Change { tolerance, norm, max_iterations });
        let (mut looked, mut kept) = (0, true);
        for (step, &change) in (1..).zip(changes) {
            let looks = glances.at(step);
            if looks == Looks::AtChange {
                assert!(kept, "the change of step {step} needs the ranks before");
                looked += 1;
                if change < tolerance {
                    return (step, looked);
                }
                glances.seen(step, change);
            }
            kept = looks != Looks::Away;
        }
        (max_iterations, looked)
    }

    fn shrinking(rate: f64, count: usize) -> Vec<f64> {
        std::iter::successors(Some(1.0), |change| Some(change * rate)).take(count).collect()
    }

    #[test]
    fn even_changes_are_seen_in_the_step_that_ends_the_run() {
        for rate in [0.2, 0.5, 0.85, 0.95] {
            let changes = shrinking(rate, 1000);
            let first = changes.iter().position(|change| *change < 1e-9).expect("small enough");
            let (steps, looked) = run(&changes, 1e-9);
            assert_eq!(steps, first as u32 + 1, "rate {rate}");
            assert!(looked <= steps, "{looked} looks in {steps} steps at rate {rate}");
            assert!(steps < 30 || looked * 2 < steps, "{looked} looks in {steps} steps");
        }
    }

    #[test]
    fn where_changes_shrink_faster_than_before_a_third_of_the_steps_is_too_many_at_most() {
        for slow in 1..60 {
            let mut changes = shrinking(0.99, slow);
            changes.extend([0.0; 60]);
            let (steps, _) = run(&changes, 1e-9);
            assert!(steps as usize <= (slow + 1) * 4 / 3 + 1, "{steps} steps for {slow}");
        }
    }

    #[test]
    fn the_last_step_is_looked_at() {
        for count in 1..40 {
            for changes in [shrinking(0.99, count), vec![1.0; count], vec![f64::NAN; count]] {
                let mut glances = Glances::new(&Stop::Steps(count as u32));
                assert_eq!(glances.at(count as u32), Looks::AtChange);
                let stop =
                    Stop::Change { tolerance: 0.0, norm: Norm::L1, max_iterations: count as u32 };
                glances = Glances::new(&stop);
                let mut last = Looks::Away;
                for (step, &change) in (1..).zip(&changes) {
                    last = glances.at(step);
                    if last == Looks::AtChange {
                        glances.seen(step, change);
                    }
                }
                assert_eq!(last, Looks::AtChange, "{count} steps");
            }
        }
    }
}
