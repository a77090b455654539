//! The operators of PageRank that compute ranks, once for each precision:
//! operators are generic over what edges carry, but not over the type of a number.

use super::glances::Looks;
use super::iterate::Iteration;
use super::model::{Bounds, Model};
use super::operators::{DEAD, L_INFINITY, L1, MEASURES, mark};
use meerkat_runtime::frontier::NextFrontier;
use meerkat_runtime::graph::out_degree;
use meerkat_runtime::launch::BLOCK_THREADS;
use meerkat_runtime::prelude::*;
use meerkat_runtime::program::KernelInfo;
use meerkat_runtime::{VertexItems, item_count, vertex_item};

/// A precision of the ranks, with the operators for it.
pub trait Rank: DeviceType + Into<f64> + PartialOrd {
    /// The nearest rank of this precision.
    fn nearest(rank: f64) -> Self;
    #[doc(hidden)]
    fn begin(iteration: &mut Iteration<Self>, rank: Self) -> Result<(), Error>;
    #[doc(hidden)]
    fn rescale(iteration: &mut Iteration<Self>, factor: Self) -> Result<(), Error>;
    #[doc(hidden)]
    fn pull<W: Weight>(
        iteration: &mut Iteration<Self>,
        items: VertexItems,
        graph: &SlabGraph<W>,
        model: Model,
        looks: Looks,
    ) -> Result<(), Error>;
    #[doc(hidden)]
    fn measure<W: Weight>(
        iteration: &Iteration<Self>,
        items: VertexItems,
        graph: &SlabGraph<W>,
        looks: Looks,
    ) -> Result<(), Error>;
    #[doc(hidden)]
    fn expand<W: Weight>(
        iteration: &Iteration<Self>,
        items: VertexItems,
        graph: &SlabGraph<W>,
        bounds: Bounds,
        marks: &DeviceBuffer<Atomic<u32>>,
        affected: NextFrontier<'_, Vertex>,
    ) -> Result<(), Error>;
    #[doc(hidden)]
    fn spread<W: Weight>(
        iteration: &Iteration<Self>,
        items: VertexItems,
        graph: &SlabGraph<W>,
        bounds: Bounds,
        marks: &DeviceBuffer<Atomic<u32>>,
    ) -> Result<(), Error>;
    #[doc(hidden)]
    fn publish(iteration: &mut Iteration<Self>, items: VertexItems) -> Result<(), Error>;
    #[doc(hidden)]
    fn divide<W: Weight>(
        iteration: &mut Iteration<Self>,
        items: VertexItems,
        graph: &SlabGraph<W>,
        model: Model,
    ) -> Result<(), Error>;
    #[doc(hidden)]
    fn kernels() -> Vec<KernelInfo>;
}

/// How much a rank changes, as a part of the larger one.
#[device]
fn relative_change(before: f64, after: f64) -> f64 {
    (after - before).abs() / before.max(after)
}

macro_rules! operators {
    ($real:ident: $begin:ident $rescale:ident $pull:ident $measure:ident $expand:ident $spread:ident $publish:ident $share:ident $divide:ident) => {
        /// Gives `v` this rank, before any step.
        #[vertex_operator]
        pub fn $begin(v: Vertex, rank: $real, ranks: &mut [$real], next: &mut [$real]) {
            ranks[v] = 0.0;
            next[v] = rank;
        }

        /// Multiplies the rank of `v`.
        #[vertex_operator]
        pub fn $rescale(v: Vertex, factor: $real, ranks: &[$real], next: &mut [$real]) {
            next[v] = ranks[v] * factor;
        }

        /// What a vertex with this rank passes on along each of its out-edges.
        #[device]
        fn $share<W: Weight>(out_edges: &Graph<W>, model: Model, v: Vertex, rank: $real) -> $real {
            let ways = out_degree(out_edges, v) + model.self_loops;
            select(ways == 0, 0.0, rank / ways as $real)
        }

        /// The rank that `v` gets from its in-neighbours, each of which passes
        /// on its own in equal shares, and the share that `v` will pass on of it. The
        /// rank itself is kept where a change is to be measured from it or to it, and
        /// of dead ends.
        #[vertex_operator]
        pub fn $pull<W: Weight>(
            v: Vertex,
            in_edges: &Graph<W>,
            out_edges: &Graph<W>,
            model: Model,
            keeps: bool,
            measures: &[Atomic<f64>],
            shares: &[$real],
            next: &mut [$real],
            next_shares: &mut [$real],
        ) {
            let mut received = 0.0f64;
            for_each_neighbor(in_edges, v, true, |src| {
                // In single precision the sum of many equal shares is too far off.
                received += shares[src] as f64;
            });
            let teleported = model.base + model.dead_weight * measures[DEAD].load();
            let mut rank: f64 = teleported + model.damping * received;
            if model.self_loops != 0 {
                // What `v` passes to itself comes back at once, and again: the
                // limit of that is a factor.
                rank = rank / (1.0 - model.damping / (out_degree(out_edges, v) + 1) as f64);
            }
            if keeps || out_degree(out_edges, v) == 0 {
                next[v] = rank as $real;
            }
            next_shares[v] = $share(out_edges, model, v, rank as $real);
        }

        /// What the step changes, if that is asked for, and the rank of dead ends; each
        /// block for its vertices.
        #[kernel]
        pub fn $measure<W: Weight>(
            vertices: &VertexItems,
            out_edges: &Graph<W>,
            changes: bool,
            ranks: &[$real],
            next: &[$real],
            of_blocks: &[Atomic<f64>],
        ) {
            let blocks = of_blocks.len() / MEASURES;
            let block = block_id();
            let count: Uniform<u32> = item_count(vertices);
            let mut l1 = 0.0f64;
            let mut most = 0.0f64;
            let mut dead = 0.0f64;
            let mut i = select(block < blocks, thread_id(), count);
            while i < count {
                let v = vertex_item(vertices, i);
                if changes {
                    let change = (next[v] as f64 - ranks[v] as f64).abs();
                    l1 += change;
                    most = most.max(change);
                }
                if out_degree(out_edges, v) == 0 {
                    dead += next[v] as f64;
                }
                i += blocks * block_size();
            }
            let l1 = block_reduce_sum(l1);
            let most = block_reduce_max(most);
            let dead = block_reduce_sum(dead);
            if block_thread_id() == 0 && block < blocks {
                of_blocks[L1 * blocks + block].store(l1);
                of_blocks[L_INFINITY * blocks + block].store(most);
                of_blocks[DEAD * blocks + block].store(dead);
            }
        }

        /// Lists `v` and its out-neighbours for the next step, if its rank changes
        /// by enough.
        #[vertex_operator]
        pub fn $expand<W: Weight>(
            v: Vertex,
            out_edges: &Graph<W>,
            bounds: Bounds,
            ranks: &[$real],
            next: &[$real],
            marks: &[Atomic<u32>],
            affected: &Frontier<Vertex>,
        ) {
            let change: f64 = relative_change(ranks[v] as f64, next[v] as f64);
            let stays = change > bounds.stays && mark(marks, v, bounds.round);
            warp_enqueue_frontier(affected, v, stays);
            for_each_neighbor(out_edges, v, change > bounds.spreads, |dst| {
                let first = mark(marks, dst, bounds.round);
                warp_enqueue_frontier(affected, dst, first);
            });
        }

        /// Marks `v` and its out-neighbours for the next step, if its rank changes by enough.
        #[vertex_operator]
        pub fn $spread<W: Weight>(
            v: Vertex,
            out_edges: &Graph<W>,
            bounds: Bounds,
            ranks: &[$real],
            next: &[$real],
            marks: &[Atomic<u32>],
        ) {
            let change: f64 = relative_change(ranks[v] as f64, next[v] as f64);
            if change > bounds.stays {
                marks[v].store(bounds.round);
            }
            for_each_neighbor(out_edges, v, change > bounds.spreads, |dst| {
                if marks[dst].load() != bounds.round {
                    marks[dst].store(bounds.round);
                }
            });
        }

        /// Makes what the step computed for `v` the current.
        #[vertex_operator]
        pub fn $publish(
            v: Vertex,
            next: &[$real],
            next_shares: &[$real],
            ranks: &mut [$real],
            shares: &mut [$real],
        ) {
            ranks[v] = next[v];
            shares[v] = next_shares[v];
        }

        /// Divides the rank of `v` among the out-edges that there are.
        #[vertex_operator]
        pub fn $divide<W: Weight>(
            v: Vertex,
            out_edges: &Graph<W>,
            model: Model,
            ranks: &[$real],
            shares: &mut [$real],
        ) {
            shares[v] = $share(out_edges, model, v, ranks[v]);
        }

        impl Rank for $real {
            fn nearest(rank: f64) -> Self {
                rank as $real
            }

            fn begin(iteration: &mut Iteration<Self>, rank: Self) -> Result<(), Error> {
                let Iteration { device, ranks, next, .. } = iteration;
                $begin::launch(device, 0..ranks.len() as u32, rank, ranks, next)
            }

            fn rescale(iteration: &mut Iteration<Self>, factor: Self) -> Result<(), Error> {
                let Iteration { device, ranks, next, .. } = iteration;
                $rescale::launch(device, 0..ranks.len() as u32, factor, &*ranks, next)
            }

            fn pull<W: Weight>(
                iteration: &mut Iteration<Self>,
                items: VertexItems,
                graph: &SlabGraph<W>,
                model: Model,
                looks: Looks,
            ) -> Result<(), Error> {
                let Iteration { device, measures, shares, next, next_shares, .. } = iteration;
                let (into, out) = (graph.in_edges()?, graph.out_edges()?);
                let (keeps, last, now) = (looks != Looks::Away, &*measures, &*shares);
                $pull::launch(device, items, into, out, model, keeps, last, now, next, next_shares)
            }

            fn measure<W: Weight>(
                iteration: &Iteration<Self>,
                items: VertexItems,
                graph: &SlabGraph<W>,
                looks: Looks,
            ) -> Result<(), Error> {
                let Iteration { device, ranks, next, of_blocks, .. } = iteration;
                let threads = of_blocks.len() as u32 / MEASURES * BLOCK_THREADS;
                let (out, changes) = (graph.out_edges()?, looks == Looks::AtChange);
                $measure::launch(device, threads, items, out, changes, ranks, next, of_blocks)
            }

            fn expand<W: Weight>(
                iteration: &Iteration<Self>,
                items: VertexItems,
                graph: &SlabGraph<W>,
                bounds: Bounds,
                marks: &DeviceBuffer<Atomic<u32>>,
                affected: NextFrontier<'_, Vertex>,
            ) -> Result<(), Error> {
                let Iteration { device, ranks, next, .. } = iteration;
                let out = graph.out_edges()?;
                $expand::launch(device, items, out, bounds, ranks, next, marks, affected)
            }

            fn spread<W: Weight>(
                iteration: &Iteration<Self>,
                items: VertexItems,
                graph: &SlabGraph<W>,
                bounds: Bounds,
                marks: &DeviceBuffer<Atomic<u32>>,
            ) -> Result<(), Error> {
                let Iteration { device, ranks, next, .. } = iteration;
                let out = graph.out_edges()?;
                $spread::launch(device, items, out, bounds, ranks, next, marks)
            }

            fn publish(iteration: &mut Iteration<Self>, items: VertexItems) -> Result<(), Error> {
                let Iteration { device, next, next_shares, ranks, shares, .. } = iteration;
                $publish::launch(device, items, &*next, &*next_shares, ranks, shares)
            }

            fn divide<W: Weight>(
                iteration: &mut Iteration<Self>,
                items: VertexItems,
                graph: &SlabGraph<W>,
                model: Model,
            ) -> Result<(), Error> {
                let Iteration { device, ranks, shares, .. } = iteration;
                $divide::launch(device, items, graph.out_edges()?, model, &*ranks, shares)
            }

            fn kernels() -> Vec<KernelInfo> {
                let each = |schedule| {
                    [
                        $pull::info_with::<()>(schedule),
                        $expand::info_with::<()>(schedule),
                        $spread::info_with::<()>(schedule),
                    ]
                };
                let mut kernels: Vec<_> = Schedule::ALL.into_iter().flat_map(each).collect();
                kernels.extend([
                    $begin::info(),
                    $rescale::info(),
                    $measure::info::<()>(),
                    $publish::info(),
                    $divide::info::<()>(),
                ]);
                kernels
            }
        }
    };
}

operators! {
    f32: begin_f32 rescale_f32 pull_f32 measure_f32 expand_f32 spread_f32 publish_f32
        share_f32 divide_f32
}
operators! {
    f64: begin_f64 rescale_f64 pull_f64 measure_f64 expand_f64 spread_f64 publish_f64
        share_f64 divide_f64
}
