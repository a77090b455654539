//! A window beside its graph in a checkpoint.

use crate::support::devices::devices;
use meerkat::algos::wcc::Components;
use meerkat::prelude::*;
use meerkat::runtime::window::Window;

const BOTH: SlabOptions = SlabOptions::DEFAULT.oriented(Orientation::Both);

/// Edges of a moment, some of which come again later.
fn arriving<W: Weight>(time: i64, weight: impl Fn(u32) -> W) -> Vec<Edge<W>> {
    let mut rng = fastrand::Rng::with_seed(time as u64);
    let mut edge = |at| Edge { src: rng.u32(0..20), dst: rng.u32(0..20), weight: weight(at) };
    (0..8).map(&mut edge).collect()
}

fn check<W: Weight + PartialEq + std::fmt::Debug>(
    options: &SlabOptions,
    weight: impl Fn(u32) -> W + Copy,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint");
    for device in devices() {
        let tracked = || {
            let graph = SlabGraph::<W>::from_edges(&device, 20, &[], options).expect("a graph");
            let window = Window::of(&graph).expect("a window");
            (graph.track(Components).expect("tracked"), window)
        };
        let ((mut whole, mut of_whole), (mut saved, mut of_saved)) = (tracked(), tracked());
        for time in 0..30 {
            for (graph, window) in [(&mut whole, &mut of_whole), (&mut saved, &mut of_saved)] {
                let edges = if time % 7 == 3 { Vec::new() } else { arriving(time, weight) };
                let edges = DeviceBuffer::from_slice(&device, &edges).expect("edges");
                window.slide(time, time - 5, edges, |batch| graph.apply(batch)).expect("a step");
            }
            saved
                .save_checkpoint_with(&path, time as u64, |to| of_saved.write_to(to))
                .expect("a checkpoint");
            let loaded =
                Tracked::load_checkpoint_with(&device, Components, &path, |graph, from| {
                    Window::read_from(graph, from)
                });
            let (graph, position, window) = loaded.expect("the checkpoint");
            assert_eq!(position, time as u64);
            (saved, of_saved) = (graph, window);
            let edges = |graph: &SlabGraph<W>| graph.to_edges().expect("edges");
            assert_eq!(edges(saved.graph()), edges(whole.graph()), "at {time}");
            assert_eq!(saved.output().expect("labels"), whole.output().expect("labels"));
            assert_eq!(of_saved.arrivals(), of_whole.arrivals());
            assert_eq!(
                of_saved.edge_count().expect("a count"),
                of_whole.edge_count().expect("a count")
            );
        }
        assert!(of_whole.edge_count().expect("a count") < 48, "nothing has left");
    }
}

#[test]
fn a_window_through_30_checkpoints_has_what_one_without_has() {
    check(&BOTH, |_| ());
    check(&BOTH.undirected(), |_| ());
    check(&BOTH, |at| at);
}
