//! The schedule that a launch takes.

use crate::device::Device;
use crate::neighbors::Shape;
use crate::program::KernelInfo;
use crate::schedule::{LaunchOptions, Schedule};
use crate::{Error, ErrorKind};
use std::any::TypeId;

/// The average degree up to which a lane walks its own vertex, unless some vertex has
/// more slab lists than a few.
const LOW_DEGREE: u32 = 4;
const FEW_LISTS: u32 = 8;

/// What `Schedule::Auto` goes by.
#[doc(hidden)]
pub struct Load {
    /// Of the graph that is walked, if it is an argument.
    pub shape: Option<Shape>,
    pub items: u32,
    /// Whether the CPU runs the operator's lanes one after another under `Thread`: its walk
    /// only reads.
    pub walks_alone: bool,
}

impl Load {
    fn best(&self, device: &Device) -> Schedule {
        let is_low = self.shape.is_some_and(|shape| shape.average_degree <= LOW_DEGREE);
        let has_few_lists = self.shape.is_some_and(|shape| shape.most_lists <= FEW_LISTS);
        if !device.is_cuda() {
            let by_lanes = is_low || self.walks_alone;
            return if by_lanes { Schedule::Thread } else { Schedule::Warp };
        }
        // A list at a time by one lane is slow, but the least work.
        let fills = u64::from(self.items) * 32 > device.threads_at_once() as u64;
        match (is_low && has_few_lists, fills) {
            (true, true) => Schedule::Thread,
            (true, false) => Schedule::Warp,
            (false, _) => Schedule::Hybrid,
        }
    }
}

/// What `Schedule::Auto` chooses from on CUDA: see [`Load::best`].
const CHOSEN_ON_CUDA: [Schedule; 3] = [Schedule::Warp, Schedule::Thread, Schedule::Hybrid];

/// Has a device that records launches note all that this one may be on CUDA; `kernel` says which
/// it is, and `fitting` is as in [`LaunchOptions::schedule_for`].
#[doc(hidden)]
pub fn record(
    device: &Device,
    options: LaunchOptions,
    fitting: &[Schedule],
    kernel: TypeId,
    info: &dyn Fn(Schedule) -> KernelInfo,
) {
    let Some(record) = device.kernel_record() else { return };
    let wanted = match (options.schedule, device.schedule()) {
        (Schedule::Auto, Schedule::Auto) => &CHOSEN_ON_CUDA[..],
        (Schedule::Auto, asked_for) => &[asked_for],
        (asked_for, _) => &[asked_for],
    };
    for schedule in wanted {
        let schedule = if fitting.contains(schedule) { *schedule } else { Schedule::Warp };
        record.add((kernel, schedule, options.code()), &|| info(schedule));
    }
}

impl Schedule {
    /// Whether it has been compiled for the device.
    fn runs_on(self, device: &Device) -> bool {
        let is_native = matches!(self, Schedule::Warp | Schedule::Thread);
        is_native || device.is_cuda() || cfg!(feature = "all-schedules")
    }
}

impl LaunchOptions {
    /// The schedule, with `Auto` decided; `fitting` are those but `Warp`, which all fit.
    #[doc(hidden)]
    pub fn schedule_for(self, device: &Device, load: Load, fitting: &[Schedule]) -> Schedule {
        if self.schedule != Schedule::Auto {
            // One that does not fit is refused, whatever was compiled.
            let runs = self.schedule.runs_on(device) || !fitting.contains(&self.schedule);
            return if runs { self.schedule } else { Schedule::Warp };
        }
        let wanted = match device.schedule() {
            Schedule::Auto => load.best(device),
            asked_for => asked_for,
        };
        let fits = fitting.contains(&wanted) && wanted.runs_on(device);
        if fits { wanted } else { Schedule::Warp }
    }
}

/// The error for a schedule that an operator cannot be served by.
#[doc(hidden)]
pub fn unsupported(kernel: &str, schedule: Schedule, why: &str) -> Result<(), Error> {
    let (kernel, why) = (kernel.to_owned(), why.to_owned());
    Err(ErrorKind::UnsupportedSchedule { kernel, schedule, why }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// Neighbours get the numbers of the order in which they are visited.
    #[vertex_operator]
    fn stamp(v: Vertex, graph: &Graph, clock: &[Atomic<u32>], stamps: &[Atomic<u32>]) {
        for_each_neighbor(graph, v, true, |dst| {
            stamps[dst].store(clock[0].fetch_add(1));
        });
    }

    fn stamps(device: &Device, schedule: Schedule) -> Result<Vec<u32>, Error> {
        let edge = |i: u32| Edge { src: i % 32, dst: 32 + i, weight: () };
        let edges: Vec<_> = (0..96).map(edge).collect();
        let graph = SlabGraph::from_edges(device, 128, &edges, &SlabOptions::DEFAULT)?;
        let clock = DeviceBuffer::zeroed(device, 1)?;
        let stamps = DeviceBuffer::zeroed(device, 128)?;
        stamp::launch_with(schedule, device, 0..32, &graph, &clock, &stamps)?;
        stamps.to_vec()
    }

    /// A warp visits the neighbours of one vertex after those of another; lanes on their
    /// own take turns.
    #[test]
    fn operators_of_a_device_run_under_its_schedule() -> Result<(), Error> {
        let cpu = Device::cpu;
        let by = |schedule| stamps(&cpu(), schedule);
        assert_ne!(by(Schedule::Warp)?, by(Schedule::Thread)?);
        for schedule in [Schedule::Warp, Schedule::Thread] {
            let found = stamps(&cpu().with_schedule(schedule), Schedule::Auto)?;
            assert_eq!(found, by(schedule)?, "{schedule:?}");
        }
        Ok(())
    }

    fn chosen(options: LaunchOptions, device: &Device, fitting: &[Schedule]) -> Schedule {
        let load = Load {
            shape: Some(Shape { vertices: 100, average_degree: 16, most_lists: 1 }),
            items: 100,
            walks_alone: false,
        };
        options.schedule_for(device, load, fitting)
    }

    #[test]
    fn auto_is_what_the_device_was_asked_for_where_that_fits() {
        let fitting = [Schedule::Tile8, Schedule::Hybrid];
        for asked_for in Schedule::ALL {
            let device = Device::cpu().with_schedule(asked_for);
            let fits = fitting.contains(&asked_for) && asked_for.runs_on(&device);
            let expected = if fits { asked_for } else { Schedule::Warp };
            assert_eq!(chosen(Schedule::Auto.into(), &device, &fitting), expected);
            assert_eq!(chosen(Schedule::Auto.registers(32), &device, &fitting), expected);
            assert_eq!(chosen(Schedule::Tile4.into(), &device, &fitting), Schedule::Tile4);
        }
    }

    #[test]
    fn names_of_9_schedules_are_read_back() {
        for schedule in Schedule::ALL.into_iter().chain([Schedule::Auto]) {
            assert_eq!(schedule.name().parse(), Ok(schedule));
        }
        let error = "hybird".parse::<Schedule>().expect_err("no such name").to_string();
        assert!(error.starts_with("`hybird` is not a schedule: there are auto, warp, "), "{error}");
    }
}
