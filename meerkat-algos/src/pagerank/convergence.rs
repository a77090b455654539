//! In which steps the change of the ranks is measured.

use super::model::Stop;

/// What a step measures. A step that measures nothing leaves most ranks unwritten: the
/// next one needs shares alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Nothing.
    Nothing,
    /// It writes the ranks, against which the next step measures its change.
    Ranks,
    /// How far the ranks change.
    Change,
}

/// Chooses the steps that measure their change. Measuring costs a pass over the ranks and
/// a wait for the device, so the next measurement comes half-way to the step in which the
/// changes so far predict the end; and in the last step.
#[derive(Debug)]
pub(super) struct ConvergenceSchedule {
    /// The change to reach, and the last step there may be.
    tolerance: f64,
    last: u32,
    next: u32,
    /// The step measured last, and its change.
    before: Option<(u32, f64)>,
}

/// At most one step in this many of those made so far goes by without a measurement. Where
/// changes suddenly shrink faster, no more steps than that are wasted.
const UNMEASURED_PART: u32 = 3;

impl ConvergenceSchedule {
    pub(super) fn new(stop: &Stop) -> Self {
        let before = None;
        match *stop {
            Stop::Steps(steps) => {
                ConvergenceSchedule { tolerance: 0.0, last: steps, next: steps, before }
            }
            Stop::Change { tolerance, max_iterations, .. } => {
                ConvergenceSchedule { tolerance, last: max_iterations, next: 1, before }
            }
        }
    }

    /// What a step measures; steps count from 1.
    pub(super) fn at(&self, step: u32) -> Measure {
        match self.next - step.min(self.next) {
            0 => Measure::Change,
            1 => Measure::Ranks,
            _ => Measure::Nothing,
        }
    }

    /// Notes the change of a step, and chooses the next to measure.
    pub(super) fn note(&mut self, step: u32, change: f64) {
        let unmeasured = self.before.map_or(0.0, |(before, larger)| {
            let rate = (change / larger).ln() / f64::from(step - before);
            ((self.tolerance / change).ln() / rate / 2.0)
                .clamp(0.0, f64::from(step / UNMEASURED_PART))
        });
        self.before = Some((step, change));
        // No number becomes 0: the next step.
        self.next = step.saturating_add(1 + unmeasured as u32).min(self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Norm;
    use super::*;

    /// After how many steps a run of these changes ends, and how often it measures.
    fn run(changes: &[f64], tolerance: f64) -> (u32, u32) {
        let max_iterations = changes.len() as u32;
        let norm = Norm::LInfinity;
        let mut schedule =
            ConvergenceSchedule::new(&Stop::Change { tolerance, norm, max_iterations });
        let (mut measurements, mut kept) = (0, true);
        for (step, &change) in (1..).zip(changes) {
            let measure = schedule.at(step);
            if measure == Measure::Change {
                assert!(kept, "the change of step {step} needs the ranks before");
                measurements += 1;
                if change < tolerance {
                    return (step, measurements);
                }
                schedule.note(step, change);
            }
            kept = measure != Measure::Nothing;
        }
        (max_iterations, measurements)
    }

    fn shrinking(rate: f64, count: usize) -> Vec<f64> {
        std::iter::successors(Some(1.0), |change| Some(change * rate)).take(count).collect()
    }

    #[test]
    fn even_changes_are_seen_in_the_step_that_ends_the_run() {
        for rate in [0.2, 0.5, 0.85, 0.95] {
            let changes = shrinking(rate, 1000);
            let first = changes.iter().position(|change| *change < 1e-9).expect("small enough");
            let (steps, measurements) = run(&changes, 1e-9);
            assert_eq!(steps, first as u32 + 1, "rate {rate}");
            assert!(
                measurements <= steps,
                "{measurements} measure in {steps} steps at rate {rate}"
            );
            assert!(
                steps < 30 || measurements * 2 < steps,
                "{measurements} measure in {steps} steps"
            );
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
    fn the_last_step_is_measured() {
        for count in 1..40 {
            for changes in [shrinking(0.99, count), vec![1.0; count], vec![f64::NAN; count]] {
                let mut schedule = ConvergenceSchedule::new(&Stop::Steps(count as u32));
                assert_eq!(schedule.at(count as u32), Measure::Change);
                let stop =
                    Stop::Change { tolerance: 0.0, norm: Norm::L1, max_iterations: count as u32 };
                schedule = ConvergenceSchedule::new(&stop);
                let mut last = Measure::Nothing;
                for (step, &change) in (1..).zip(&changes) {
                    last = schedule.at(step);
                    if last == Measure::Change {
                        schedule.note(step, change);
                    }
                }
                assert_eq!(last, Measure::Change, "{count} steps");
            }
        }
    }
}
