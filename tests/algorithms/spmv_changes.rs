//! Products of matrices whose entries change, and of a container of one's own.

use meerkat::prelude::*;
use meerkat::runtime::neighbors::Shape;

use super::spmv_matrix::{Matrix, TestWeight, product, real, vector};
use super::support::devices;
use super::support::graphs::random_arcs;
use super::support::random::Random;

/// Changes a third of the entries of a matrix, adds some and takes some away.
fn change<W: TestWeight>(matrix: &mut Matrix<W>, random: &mut Random) -> Batch<W> {
    let places: Vec<_> = matrix.entries.keys().copied().collect();
    let mut batch = Batch::new();
    for &(src, dst) in &places {
        let weight = W::random(random);
        let dst = if random.below(4) == 0 { random.below(matrix.n) } else { dst };
        let edge = Edge { src, dst, weight };
        match random.below(9) {
            0..3 => {
                matrix.entries.insert((src, dst), weight);
                batch = batch.insert([edge]);
            }
            3 => {
                matrix.entries.remove(&(src, dst));
                batch = batch.delete([edge]);
            }
            _ => {}
        }
    }
    batch
}

fn check_batches<W: TestWeight>(device: &Device, seed: u64) {
    let mut random = Random::new(seed);
    let mut matrix = Matrix::<W>::at(200, &random_arcs(200, 1500, seed), &mut random);
    let mut graph = matrix.slabs(device);
    let x = vector::<f64>(200, |_| real(&mut random));
    for round in 0..12 {
        let batch = change(&mut matrix, &mut random);
        graph.apply(&batch).expect("a batch");
        matrix.check(&graph, &x, &format!("after batch {round}"));
        let copy = CompactGraph::of(&graph).expect("compact slabs");
        matrix.check(&copy, &x, &format!("compact slabs after batch {round}"));
        let copy = BlockGraph::of(&graph).expect("block arrays");
        matrix.check(&copy, &x, &format!("block arrays after batch {round}"));
    }
}

#[test]
fn products_follow_12_batches_of_changed_new_and_deleted_entries() {
    for device in devices::devices() {
        check_batches::<u32>(&device, 1);
        check_batches::<i32>(&device, 2);
        check_batches::<f32>(&device, 3);
        check_batches::<()>(&device, 4);
    }
}

#[test]
fn a_new_weight_of_an_edge_that_is_there_counts_in_the_next_product() {
    for device in devices::devices() {
        let mut random = Random::new(11);
        let mut matrix = Matrix::<f32>::at(400, &random_arcs(400, 6000, 11), &mut random);
        let (mut slabs, x) = (matrix.slabs(&device), vector::<f32>(400, |v| f64::from(v % 7)));
        let mut compact = CompactGraph::of(&slabs).expect("compact slabs");
        let mut blocks = BlockGraph::of(&slabs).expect("block arrays");
        let (count, mut last) = (slabs.edge_count().expect("a count"), product(&slabs, &x));
        for round in 0..8 {
            matrix.entries.values_mut().step_by(5).for_each(|weight| *weight += 1.0);
            let changed: Vec<_> = matrix.edges().into_iter().step_by(5).collect();
            slabs.apply(&Batch::new().insert(&changed)).expect("new weights");
            let list = DeviceBuffer::from_slice(&device, &changed).expect("memory");
            compact.insert_buffer(&list).expect("new weights");
            blocks.insert_buffer(&list).expect("new weights");
            assert_eq!(slabs.edge_count().expect("a count"), count, "no edge is new");
            matrix.check(&slabs, &x, &format!("slabs, round {round}"));
            matrix.check(&compact, &x, &format!("compact slabs, round {round}"));
            matrix.check(&blocks, &x, &format!("block arrays, round {round}"));
            let next = product(&slabs, &x);
            assert_ne!(next, last, "round {round}");
            last = next;
        }
    }
}

/// No neighbour.
const NONE: u32 = u32::MAX;

/// The matrix of the second difference: 2 on the diagonal, -1 beside it. It keeps no entries.
#[derive(Clone, Copy, Debug, DeviceStruct)]
#[repr(C)]
struct SecondDifference {
    vertices: u32,
}

#[device]
impl Neighbors for SecondDifference {
    type Carried = i32;
    type Lists = u32;
    type Chunk = u32;

    fn degree_of(&self, v: u32) -> u32 {
        1 + (v != 0) as u32 + (v + 1 != self.vertices) as u32
    }
    fn lists_of(&self, v: u32) -> u32 {
        v
    }
    fn count_lists(&self, _v: u32) -> u32 {
        1
    }
    fn first_chunk(&self, v: u32, _list: u32) -> u32 {
        v
    }
    fn is_chunk(&self, v: u32) -> bool {
        v != NONE
    }
    fn words_of(&self, _v: u32) -> u32 {
        4
    }
    fn read_word(&self, v: u32, place: u32) -> u32 {
        let column = v.wrapping_add(place).wrapping_sub(1);
        select(place < 3 && column < self.vertices, column, NONE)
    }
    fn is_neighbor_at(&self, _v: u32, _place: u32, word: u32) -> bool {
        word != NONE
    }
    fn weight_at(&self, _v: u32, place: u32) -> i32 {
        select(place == 1, 2, -1)
    }
    fn next_chunk(&self, _v: u32, _link: u32) -> u32 {
        NONE
    }
    fn find(&self, src: u32, dst: u32) -> u64 {
        let place: u32 = dst.wrapping_sub(src).wrapping_add(1);
        let weight: u32 = select(place == 1, 2, u32::MAX);
        select(place < 3 && dst < self.vertices, weight as u64, NOT_FOUND)
    }
    #[host]
    fn shape(&self) -> Shape {
        Shape { vertices: self.vertices, average_degree: 3, most_lists: 1 }
    }
}

/// Its owner on the host.
struct OnDevice(Device, SecondDifference);

// SAFETY: neighbours are computed, and below the number of vertices.
#[allow(unsafe_code)]
unsafe impl Container for OnDevice {
    type Carried = i32;
    type View = SecondDifference;
    type Edges<'a> = SecondDifference;

    fn device(&self) -> &Device {
        &self.0
    }
    fn vertex_count(&self) -> u32 {
        self.1.vertices
    }
    fn out_edges(&self) -> Result<SecondDifference, Error> {
        Ok(self.1)
    }
    fn in_edges(&self) -> Result<SecondDifference, Error> {
        Ok(self.1)
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[test]
fn a_container_of_ones_own_is_multiplied_under_every_schedule() {
    let n = 1000u32;
    for device in devices::devices() {
        for schedule in Schedule::ALL {
            let device = device.clone().with_schedule(schedule);
            let matrix = OnDevice(device, SecondDifference { vertices: n });
            // Of squares the second difference is 2 everywhere but at the ends.
            let y = product(&matrix, &vector::<f64>(n, |v| f64::from(v * v)));
            assert_eq!(y[0], -1.0);
            assert!(y[1..n as usize - 1].iter().all(|&y| y == -2.0), "{schedule:?}");
            let last = f64::from(n - 1);
            assert_eq!(y[n as usize - 1], 2.0 * last * last - (last - 1.0) * (last - 1.0));
        }
    }
}
