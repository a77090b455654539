//! Answers that stay on the device: all of them, some of them, those that changed.
//!
//! ```text
//! Tracked --answers--> Answers --to_buffer--> all, on the device
//!                         |------look_up----> some, on the host
//!                         \--Watch::changes-> those that are others than at the last look
//! ```

use super::DynamicAlgorithm;
use crate::device::DeviceBuffer;
use crate::frontier::{Frontier, LevelQueue, warp_enqueue_frontier};
use crate::program::KernelInfo;
use crate::{Container, DeviceType, Error, ErrorKind, Vertex};
use meerkat_macros::{DeviceStruct, device, vertex_operator};

/// What an algorithm answers for a vertex.
#[device]
pub trait Answer {
    /// Whether it is another answer.
    fn differs(self, other: Self) -> bool;
}

#[device]
impl Answer for u32 {
    fn differs(self, other: u32) -> bool {
        self != other
    }
}

#[device]
impl Answer for u64 {
    fn differs(self, other: u64) -> bool {
        self != other
    }
}

#[device]
impl Answer for f32 {
    fn differs(self, other: f32) -> bool {
        self != other
    }
}

#[device]
impl Answer for f64 {
    fn differs(self, other: f64) -> bool {
        self != other
    }
}

/// An algorithm that has an answer for each vertex.
pub trait VertexAnswers<C: Container>: DynamicAlgorithm<C> {
    /// The answer for a vertex.
    type Value: DeviceType + Answer;

    /// Writes answers: place `i` gets that of `vertices[i]`, or that of `i` if `vertices` is empty
    /// (see [`asked_vertex`]). `answers` is as long as `vertices`, or has a place for each vertex of
    /// the graph; all vertices are of the graph.
    ///
    /// # Errors
    /// The device fails.
    fn write_answers(
        &self,
        state: &Self::State,
        vertices: &DeviceBuffer<Vertex>,
        answers: &mut DeviceBuffer<Self::Value>,
    ) -> Result<(), Error>;
}

/// The vertex whose answer belongs to place `i`: the one listed there, `i` itself without a list.
#[device]
pub fn asked_vertex(vertices: &[Vertex], i: u32) -> Vertex {
    let mut v = i;
    if i < vertices.len() {
        v = vertices[i];
    }
    v
}

/// The answers of an algorithm for the graph as it is; made by
/// [`Tracked::answers`](super::Tracked::answers).
#[derive(Debug)]
pub struct Answers<'a, C: Container, A: VertexAnswers<C>> {
    graph: &'a C,
    algorithm: &'a A,
    state: &'a A::State,
}

impl<'a, C: Container, A: VertexAnswers<C>> Answers<'a, C, A> {
    /// Those of one of several algorithms that track a graph together:
    ///
    /// ```text
    /// let state = tracked.state()?.0.get()?;
    /// let answers = Answers::of(tracked.graph(), &tracked.algorithm().0, state);
    /// ```
    ///
    /// The state must be that of the algorithm for this graph.
    pub fn of(graph: &'a C, algorithm: &'a A, state: &'a A::State) -> Self {
        Answers { graph, algorithm, state }
    }

    /// All of them, on the device, by vertex: a copy that stays what it is while batches are
    /// applied, and which other threads may read. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn to_buffer(&self) -> Result<DeviceBuffer<A::Value>, Error> {
        let (device, count) = (self.graph.device(), self.graph.vertex_count() as usize);
        let mut answers = DeviceBuffer::zeroed(device, count)?;
        if count > 0 {
            let all = DeviceBuffer::empty(device);
            self.algorithm.write_answers(self.state, &all, &mut answers)?;
        }
        Ok(answers)
    }

    /// Those of some vertices, in their order. Synchronises.
    ///
    /// Cost: that of these vertices.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchVertex`] for an id that the graph does not have; no memory; the device
    /// fails.
    pub fn look_up(&self, vertices: &[Vertex]) -> Result<Vec<A::Value>, Error> {
        let count = self.graph.vertex_count();
        if let Some(&vertex) = vertices.iter().find(|&&vertex| vertex >= count) {
            return Err(ErrorKind::NoSuchVertex { vertex, count }.into());
        }
        if vertices.is_empty() {
            return Ok(Vec::new());
        }
        let device = self.graph.device();
        let vertices = DeviceBuffer::from_slice(device, vertices)?;
        let mut answers = DeviceBuffer::zeroed(device, vertices.len())?;
        self.algorithm.write_answers(self.state, &vertices, &mut answers)?;
        answers.to_vec()
    }
}

/// A vertex whose answer has changed.
#[derive(Clone, Copy, Debug, PartialEq, DeviceStruct)]
#[repr(C)]
pub struct Changed<V: DeviceType> {
    /// Whose.
    pub vertex: u32,
    /// What it is now.
    pub answer: V,
}

/// Lists the vertices whose answer is another than before, or new.
#[vertex_operator]
fn list_changed<V: DeviceType + Answer>(
    v: Vertex,
    before: &[V],
    after: &[V],
    changed: &Frontier<Changed<V>>,
) {
    let answer = after[v];
    let mut differs = true;
    if v < before.len() {
        differs = answer.differs(before[v]);
    }
    warp_enqueue_frontier(changed, Changed::<V> { vertex: v, answer }, differs);
}

/// Finds out what has changed since it last looked: after each batch, or after some.
///
/// It keeps a copy of all answers on the device. A look costs a pass over the answers, not over the
/// graph: 16 MB for 4 million vertices whose answer is a word.
#[derive(Debug)]
pub struct Watch<V: DeviceType + Answer> {
    before: DeviceBuffer<V>,
}

impl<V: DeviceType + Answer> Watch<V> {
    /// From these answers on. Queued on CUDA.
    ///
    /// # Errors
    /// No memory; the device fails.
    pub fn from<C: Container, A: VertexAnswers<C, Value = V>>(
        answers: &Answers<'_, C, A>,
    ) -> Result<Self, Error> {
        Ok(Watch { before: answers.to_buffer()? })
    }

    /// The vertices whose answer is another than at the last look, and those that are new since
    /// then, by vertex. Synchronises.
    ///
    /// # Errors
    /// As [`changes_on_device`](Self::changes_on_device).
    pub fn changes<C: Container, A: VertexAnswers<C, Value = V>>(
        &mut self,
        answers: &Answers<'_, C, A>,
    ) -> Result<Vec<Changed<V>>, Error> {
        let mut changed = self.changes_on_device(answers)?.to_vec()?;
        changed.sort_unstable_by_key(|changed| changed.vertex);
        Ok(changed)
    }

    /// The same in no order, left on the device. Synchronises.
    ///
    /// # Errors
    /// No memory, and then the next look finds these changes, too; the device fails.
    pub fn changes_on_device<C: Container, A: VertexAnswers<C, Value = V>>(
        &mut self,
        answers: &Answers<'_, C, A>,
    ) -> Result<DeviceBuffer<Changed<V>>, Error> {
        let (device, after) = (answers.graph.device(), answers.to_buffer()?);
        let count = after.len() as u32;
        let mut changed = LevelQueue::new(device, count)?;
        list_changed::launch(device, 0..count, &self.before, &after, changed.next())?;
        changed.advance()?;
        self.before = after;
        Ok(changed.into_buffer())
    }
}

pub(crate) fn kernels() -> Vec<KernelInfo> {
    vec![list_changed::info::<u32>(), list_changed::info::<f64>()]
}
