//! What an algorithm answers, as columns.

use std::mem::offset_of;

use meerkat_algos::tree::TreeNode;
use meerkat_runtime::dynamic::{Answer as Value, Changed};
use meerkat_runtime::{Device, DeviceBuffer, DeviceType, Edge, Element, Error};
use pyo3::prelude::*;

use crate::array::{Array, Field, Kind};
use crate::kernels::{FloatNode, to_floats};

/// Named columns of one length, and numbers about all of them.
#[derive(Default)]
pub(crate) struct Answer {
    columns: Vec<(&'static str, Array)>,
    figures: Vec<(&'static str, f64)>,
}

/// As Python gets it: the columns, then the figures.
impl<'py> IntoPyObject<'py> for Answer {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let figures = pyo3::types::PyDict::new(py);
        for (name, figure) in self.figures {
            figures.set_item(name, figure)?;
        }
        let columns = pyo3::types::PyDict::new(py);
        for (name, column) in self.columns {
            columns.set_item(name, column)?;
        }
        Ok((columns, figures).into_pyobject(py)?.into_any())
    }
}

impl Answer {
    pub(crate) fn of(columns: Vec<(&'static str, Array)>) -> Answer {
        Answer { columns, figures: Vec::new() }
    }

    pub(crate) fn with_figure(mut self, name: &'static str, figure: f64) -> Answer {
        self.figures.push((name, figure));
        self
    }

    /// Numbers of a vertex each, in host memory.
    pub(crate) fn of_vec<T: Clone + Send + Sync + 'static>(
        name: &'static str,
        values: Vec<T>,
        kind: Kind,
    ) -> Answer {
        Answer::of(vec![(name, Array::of_vec(values, kind))])
    }

    /// Edges that weigh what is found of them.
    pub(crate) fn of_edges(edges: Vec<Edge<u32>>, weight: &'static str) -> Answer {
        let columns = Array::fields_of_vec(edges, &[SRC, DST, WEIGHT]);
        Answer::of(["src", "dst", weight].into_iter().zip(columns).collect())
    }
}

const SRC: Field = Field { offset: offset_of!(Edge<u32>, src), kind: Kind::U32 };
const DST: Field = Field { offset: offset_of!(Edge<u32>, dst), kind: Kind::U32 };
const WEIGHT: Field = Field { offset: offset_of!(Edge<u32>, weight), kind: Kind::U32 };

/// What is answered for a vertex, and its names.
pub(crate) trait Shown:
    DeviceType + Value + Element<Value = Self> + Send + Sync + 'static
{
    /// Its numbers.
    const FIELDS: &'static [Field];
}

macro_rules! shown {
    ($($number:ty: $kind:ident;)*) => {$(
        impl Shown for $number {
            const FIELDS: &'static [Field] = &[Field { offset: 0, kind: Kind::$kind }];
        }
    )*};
}

shown! {
    u32: U32;
    u64: U64;
    f32: F32;
    f64: F64;
}

impl Shown for TreeNode {
    const FIELDS: &'static [Field] = &[
        Field { offset: offset_of!(TreeNode, distance), kind: Kind::U32 },
        Field { offset: offset_of!(TreeNode, parent), kind: Kind::U32 },
    ];
}

const FLOAT_NODE: &[Field] = &[
    Field { offset: offset_of!(FloatNode, distance), kind: Kind::F32 },
    Field { offset: offset_of!(FloatNode, parent), kind: Kind::U32 },
];

/// How the numbers of a vertex are meant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning {
    /// Their names.
    pub(crate) names: &'static [&'static str],
    /// Whether distances are bits of floats.
    pub(crate) is_float: bool,
}

/// The answers of all vertices. Synchronises.
pub(crate) fn all<V: Shown>(values: DeviceBuffer<V>, meaning: Meaning) -> Result<Answer, Error>
where
    DeviceBuffer<V>: Send + Sync,
{
    values.device().synchronize()?;
    Ok(Answer::of(meaning.names.iter().copied().zip(Array::fields_of(values, V::FIELDS)).collect()))
}

/// The answers of all vertices, which are nodes of a tree. Synchronises.
pub(crate) fn all_nodes(nodes: DeviceBuffer<TreeNode>, meaning: Meaning) -> Result<Answer, Error> {
    if !meaning.is_float {
        return all(nodes, meaning);
    }
    let device: Device = nodes.device().clone();
    let mut floats = DeviceBuffer::<FloatNode>::zeroed(&device, nodes.len())?;
    to_floats::launch(&device, nodes.len() as u32, &nodes, &mut floats)?;
    device.synchronize()?;
    let columns = Array::fields_of(floats, FLOAT_NODE);
    Ok(Answer::of(meaning.names.iter().copied().zip(columns).collect()))
}

/// The answers of some vertices that have changed, ascending by vertex.
pub(crate) fn changed<V: Shown>(values: Vec<Changed<V>>, meaning: Meaning) -> Answer {
    let vertex = Field { offset: offset_of!(Changed<V>, vertex), kind: Kind::U32 };
    let at = offset_of!(Changed<V>, answer);
    let answer = |field: &Field| Field { offset: at + field.offset, kind: field.kind };
    let fields: Vec<_> = std::iter::once(vertex).chain(V::FIELDS.iter().map(answer)).collect();
    let names = std::iter::once("vertex").chain(meaning.names.iter().copied());
    Answer::of(names.zip(Array::fields_of_vec(values, &fields)).collect())
}

/// The same of nodes of a tree.
pub(crate) fn changed_nodes(values: Vec<Changed<TreeNode>>, meaning: Meaning) -> Answer {
    if !meaning.is_float {
        return changed(values, meaning);
    }
    let vertices: Vec<u32> = values.iter().map(|changed| changed.vertex).collect();
    let float = |changed: &Changed<TreeNode>| {
        let TreeNode { parent, distance } = changed.answer;
        let is_outside = distance == TreeNode::OUTSIDE.distance;
        let distance = if is_outside { f32::INFINITY } else { f32::from_bits(distance) };
        FloatNode { parent, distance }
    };
    let floats: Vec<FloatNode> = values.iter().map(float).collect();
    let names = meaning.names.iter().copied().zip(Array::fields_of_vec(floats, FLOAT_NODE));
    let vertices = ("vertex", Array::of_vec(vertices, Kind::U32));
    Answer::of(std::iter::once(vertices).chain(names).collect())
}
