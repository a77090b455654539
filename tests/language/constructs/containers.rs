//! The same operators over slab lists, rows and a container of a test's own: one answer, under
//! every schedule, that of plain Rust.

use super::kernels::containers::{self, BitMatrixBuffers, weight};
use super::operators::{graph, random_edges};
use super::{buffer, devices};
use meerkat::prelude::*;
use meerkat::runtime::DeviceType;
use meerkat::runtime::launch::HostArg;
use std::collections::BTreeSet;

const VERTICES: u32 = 60;

struct Expected {
    edges: BTreeSet<(u32, u32)>,
}

impl Expected {
    fn new(count: usize) -> Self {
        Expected { edges: random_edges(VERTICES, count) }
    }

    fn of(&self, v: u32) -> Vec<u32> {
        self.edges.range((v, 0)..(v + 1, 0)).map(|&(_, dst)| dst).collect()
    }

    fn each(&self, value: impl Fn(u32, Vec<u32>) -> u32) -> Vec<u32> {
        (0..VERTICES).map(|v| value(v, self.of(v))).collect()
    }

    fn sums(&self) -> Vec<u32> {
        self.each(|v, own| {
            let sum: u32 = own.iter().map(|&dst| dst * 3 + weight(v, dst)).sum();
            let largest = own.iter().map(|&dst| weight(v, dst)).max().unwrap_or(0);
            own.len() as u32 * 1_000_000 + sum + largest * 7
        })
    }

    fn looks(&self) -> Vec<u32> {
        let of_7 = self.of(7);
        self.each(|v, own| {
            let above = v % 3 != 0 && own.iter().any(|&dst| dst > v);
            let mutual = own.iter().filter(|&&dst| self.edges.contains(&(dst, v))).count() as u32;
            let common: u32 = own.iter().filter(|dst| of_7.contains(dst)).map(|w| w + 1).sum();
            u32::from(above) + mutual * 2 + common * 100 + u32::from(own.contains(&(v + 1))) * 50
        })
    }

    fn alone(&self) -> Vec<u32> {
        self.each(|v, own| {
            let sum: u32 = own.iter().map(|&dst| dst + weight(v, dst)).sum();
            let some = match own.is_empty() {
                true => 1,
                // Which neighbour comes first differs from container to container.
                false => u32::from(own != [0]),
            };
            let found = if own.contains(&5) { weight(v, 5) & 0xffff } else { 0 };
            some + sum + found
        })
    }

    /// Runs everything over one container, whose view is `G`.
    fn compare<G: Neighbors<Carried = u32> + DeviceType>(
        &self,
        name: &str,
        device: &Device,
        graph: impl HostArg<G> + Copy,
    ) -> Result<(), Error> {
        let n = VERTICES;
        let counts = |of: &dyn Fn(u32) -> u32| (0..n).map(of).collect::<Vec<u32>>();
        for schedule in Schedule::ALL {
            let case = format!("{name}, {schedule:?}, {}", device.name());
            let mut out = DeviceBuffer::zeroed(device, n as usize)?;
            let ends = DeviceBuffer::<Atomic<u32>>::zeroed(device, n as usize)?;
            containers::sums::launch_with(schedule, device, 0..n, graph, &mut out, &ends)?;
            assert_eq!(out.to_vec()?, self.sums(), "{case}");
            let came = |v| self.edges.iter().filter(|&&(_, dst)| dst == v).count() as u32;
            assert_eq!(ends.to_vec()?, counts(&came), "{case}");
            containers::looks::launch_with(schedule, device, 0..n, graph, &mut out)?;
            assert_eq!(out.to_vec()?, self.looks(), "{case}");
            let seen = DeviceBuffer::<Atomic<u32>>::zeroed(device, n as usize)?;
            let mut frontiers = Frontiers::new(device, n, &[])?;
            let next = frontiers.next();
            containers::enqueues::launch_with(schedule, device, 0..n, graph, &seen, next)?;
            frontiers.advance()?;
            let mut list = frontiers.to_vec()?;
            list.sort_unstable();
            let reached: BTreeSet<u32> = self.edges.iter().map(|&(_, dst)| dst).collect();
            assert_eq!(list, reached.into_iter().collect::<Vec<_>>(), "{case}");
        }
        // No container here has more lists.
        let sums = DeviceBuffer::<Atomic<u32>>::zeroed(device, n as usize)?;
        containers::by_list::launch(device, 0..n, graph, 8, &sums)?;
        assert_eq!(sums.to_vec()?, self.each(|_, own| own.iter().sum()), "{name}");
        let mut out = DeviceBuffer::zeroed(device, n as usize)?;
        containers::alone::launch(device, n, graph, &mut out)?;
        // A vertex whose first neighbour is 0 has one less.
        for (v, (found, expected)) in out.to_vec()?.into_iter().zip(self.alone()).enumerate() {
            let off = u32::from(self.edges.contains(&(v as u32, 0)));
            assert!(
                (expected - off..=expected).contains(&found),
                "{name}: {v}: {found} {expected}"
            );
        }
        Ok(())
    }
}

fn bits(edges: &BTreeSet<(u32, u32)>) -> Vec<u32> {
    let words = VERTICES.div_ceil(32);
    let mut bits = vec![0u32; (VERTICES * words) as usize];
    for &(src, dst) in edges {
        bits[(src * words + dst / 32) as usize] |= 1 << (dst % 32);
    }
    bits
}

#[test]
fn an_operator_has_one_answer_over_every_container_and_schedule() -> Result<(), Error> {
    for count in [0, 40, 900] {
        let expected = Expected::new(count);
        for device in devices() {
            let slabs = graph(&device, VERTICES, expected.edges.iter().copied(), weight);
            expected.compare("slabs", &device, &slabs)?;
            let compact = CompactGraph::of(&slabs)?;
            assert_eq!(compact.to_edges()?, slabs.to_edges()?);
            expected.compare("compact slabs", &device, &compact)?;
            let blocks = BlockGraph::of(&slabs)?;
            assert_eq!(blocks.to_edges()?, slabs.to_edges()?);
            expected.compare("block arrays", &device, &blocks)?;
            expected.compare("rows of compact slabs", &device, &RowGraph::of(&compact)?)?;
            expected.compare("rows of slabs", &device, &RowGraph::of(&slabs)?)?;
            let rows = RowGraph::from_csr(&device, &slabs.to_csr()?)?;
            assert_eq!(rows.edge_count(), expected.edges.len() as u64);
            expected.compare("rows", &device, &rows)?;
            let bits = buffer(&device, &bits(&expected.edges));
            expected.compare(
                "bits",
                &device,
                BitMatrixBuffers { bits: &bits, vertices: VERTICES },
            )?;
        }
    }
    Ok(())
}
