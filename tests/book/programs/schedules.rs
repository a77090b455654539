//! The snippets of docs/SCHEDULES.md, docs/GPU.md and docs/YOUR_CRATE.md, in programs that run.

use meerkat::prelude::*;
use meerkat::runtime::bundle::{self, Bundle, KernelRecord};
use meerkat::runtime::cuda::Arch;

// ANCHOR: count
#[vertex_operator]
fn count(v: Vertex, graph: &Graph, degrees: &mut [u32]) {
    let mut own = 0u32;
    for_each_neighbor(graph, v, true, |_| own += 1);
    degrees[v] = own;
}
// ANCHOR_END: count

fn star(device: &Device) -> Result<SlabGraph, Error> {
    let mut edges: Vec<Edge> = (1..100).map(|dst| Edge { src: 0, dst, weight: () }).collect();
    edges.push(Edge { src: 1, dst: 2, weight: () });
    SlabGraph::from_edges(device, 100, &edges, &SlabOptions::DEFAULT)
}

#[test]
fn a_launch_takes_a_schedule() -> Result<(), Error> {
    let device = Device::auto();
    let graph = star(&device)?;
    let mut degrees = DeviceBuffer::zeroed(&device, 100)?;
    // ANCHOR: launch_with
    count::launch(&device, 0..100, &graph, &mut degrees)?; // Schedule::Auto
    count::launch_with(Schedule::Tile8, &device, 0..100, &graph, &mut degrees)?;
    // ANCHOR_END: launch_with
    // ANCHOR: options
    let options = Schedule::Auto.registers(32);
    count::launch_with(options, &device, 0..100, &graph, &mut degrees)?;
    // ANCHOR_END: options
    assert_eq!(degrees.to_vec()?[..2], [99, 1]);
    Ok(())
}

// ANCHOR: every_schedule
#[test]
fn a_hub_and_a_leaf_have_their_degrees_under_every_schedule() -> Result<(), Error> {
    let device = Device::auto();
    let mut edges: Vec<Edge> = (1..100).map(|dst| Edge { src: 0, dst, weight: () }).collect();
    edges.push(Edge { src: 1, dst: 2, weight: () });
    let graph = SlabGraph::from_edges(&device, 100, &edges, &SlabOptions::DEFAULT)?;
    for schedule in Schedule::ALL {
        let mut degrees = DeviceBuffer::zeroed(&device, 100)?;
        count::launch_with(schedule, &device, 0..100, &graph, &mut degrees)?;
        assert_eq!(degrees.to_vec()?[..3], [99, 1, 0], "{schedule:?}");
    }
    Ok(())
}
// ANCHOR_END: every_schedule

#[test]
fn a_device_has_a_schedule_for_tests() -> Result<(), Error> {
    // ANCHOR: device
    let device = Device::auto().with_schedule(Schedule::Tile8);
    let graph = star(&device)?;
    let mut degrees = DeviceBuffer::zeroed(&device, 100)?;
    count::launch(&device, 0..100, &graph, &mut degrees)?; // under Tile8
    // ANCHOR_END: device
    assert_eq!(degrees.to_vec()?[0], 99);
    Ok(())
}

#[test]
fn time_is_taken_around_work_that_waits() -> Result<(), Error> {
    let device = Device::auto();
    let graph = star(&device)?;
    let mut degrees = DeviceBuffer::zeroed(&device, 100)?;
    // ANCHOR: measure
    // The first launch compiles the kernel.
    count::launch(&device, 0..100, &graph, &mut degrees)?;
    let milliseconds = device.measure(|| {
        for _ in 0..10 {
            count::launch(&device, 0..100, &graph, &mut degrees)?;
        }
        Ok(())
    })?;
    // ANCHOR_END: measure
    assert!(milliseconds > 0.0);
    // ANCHOR: clock
    device.synchronize()?; // what was queued before is not measured
    let start = std::time::Instant::now();
    count::launch(&device, 0..100, &graph, &mut degrees)?;
    device.synchronize()?;
    let elapsed = start.elapsed();
    // ANCHOR_END: clock
    assert!(elapsed.as_secs() < 60);
    Ok(())
}

mod devices {
    use super::*;

    // ANCHOR: devices
    /// The GPU if there is one, else the CPU; or the one that is asked for.
    fn device(name: Option<&str>) -> Result<Device, Error> {
        match name {
            None => Ok(Device::auto()),
            Some("cpu") => Ok(Device::cpu()),
            Some(_) => Device::cuda(0),
        }
    }
    // ANCHOR_END: devices

    #[test]
    fn a_device_is_chosen_by_name() -> Result<(), Error> {
        assert!(!device(Some("cpu"))?.is_cuda());
        assert_eq!(device(None)?.name(), Device::auto().name());
        assert_eq!(device(Some("cuda")).is_ok(), Device::auto().is_cuda());
        Ok(())
    }
}

mod snapshot {
    use super::count;

    // ANCHOR: snapshot
    #[test]
    fn cuda_of_count_is_as_reviewed() {
        insta::assert_snapshot!(count::info().cuda_body());
    }
    // ANCHOR_END: snapshot
}

mod cuda {
    use super::count;

    // ANCHOR: compiles
    use meerkat::testing::assert_compiles;

    #[test]
    fn operators_compile_for_cuda() {
        assert_compiles(count::info_with);
    }
    // ANCHOR_END: compiles
}

// ANCHOR: bundle
/// Writes a bundle of the kernels that `service` launches.
fn write_bundle(
    path: &str,
    archs: &[Arch],
    service: impl FnOnce(&Device) -> Result<(), Error>,
) -> Result<(), Error> {
    let record = KernelRecord::new();
    service(&Device::cpu().with_kernel_record(&record))?;
    let bundle = bundle::compile(&record.kernels(), archs, &|_done, _all| {})?;
    bundle.write(path)?;
    Ok(())
}
// ANCHOR_END: bundle

#[test]
fn a_bundle_has_what_a_program_launches() -> Result<(), Error> {
    if !meerkat::testing::nvrtc_is_present() {
        return Ok(());
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.bundle").display().to_string();
    write_bundle(&path, &[Arch::new(9, 0)], |device| {
        let mut numbers = DeviceBuffer::<u32>::zeroed(device, 3)?;
        number::launch(device, 3, &mut numbers)
    })?;
    assert_eq!(Bundle::read(&path)?.len(), 1);
    Ok(())
}

#[kernel]
fn number(out: &mut [u32]) {
    let i = thread_id();
    if i < out.len() {
        out[i] = i;
    }
}
