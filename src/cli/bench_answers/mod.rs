//! `meerkat bench algorithms|dynamic`: how long answers take, from scratch and while the graph
//! changes.
//!
//! ```text
//! GraphSource -> Workload -> slab graph -> runs -> Row -> table or JSON
//! ```

mod args;
mod dynamic;
mod from_scratch;
mod table;
mod workload;

pub(super) use args::{AlgorithmsArgs, BenchPlan, DynamicArgs};

use meerkat::runtime::Device;
use serde::Serialize;

use self::args::BenchWhat;
use self::workload::Workload;
use super::device;
use super::failure::Failure;
use super::output;
use super::progress::Progress;
use table::BenchReport;

/// Runs the benchmark and gives its report.
pub(super) fn run(plan: &BenchPlan) -> Result<String, Failure> {
    let device = device::open(plan.device)?;
    let progress = Progress::reading();
    let workload = Workload::new(&plan.graph, &plan.read, plan.direction, &device, &progress)?;
    progress.work("measuring");
    match &plan.what {
        BenchWhat::Algorithms { repeat } => {
            let rows = from_scratch::measure(plan, *repeat, &workload, &device)?;
            Ok(report(plan, "algorithms", rows, &workload, &device, progress))
        }
        BenchWhat::Dynamic(batches) => {
            let rows = dynamic::measure(plan, batches, &workload, &device)?;
            Ok(report(plan, "dynamic", rows, &workload, &device, progress))
        }
    }
}

fn report<R: Serialize + table::Row>(
    plan: &BenchPlan,
    benchmark: &'static str,
    rows: Vec<R>,
    workload: &Workload,
    device: &Device,
    progress: Progress,
) -> String {
    drop(progress);
    let report = BenchReport {
        benchmark,
        device: device.name(),
        device_description: device.description(),
        graph: workload.name.clone(),
        input: workload.input.clone(),
        n: workload.n,
        m_arcs: workload.arcs.len() as u64,
        rows,
    };
    output::render(&report, plan.format)
}
