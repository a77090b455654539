//! The names the language owns: primitives, library collectives and methods.

use super::{Scalar, Type};

/// Which lanes must arrive together, and what the result varies by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Any lane alone; the result differs from lane to lane.
    PerLane,
    /// Any lane alone; one value for the warp.
    WarpValue,
    /// Any lane alone; one value for the block.
    BlockValue,
    /// Any lane alone; one value for the whole launch.
    GridValue,
    /// All threads of the block; one result for it.
    BlockToBlock,
    /// All threads of the block; a result for each.
    BlockToLane,
    /// All 32 lanes; one result for the warp.
    WarpToWarp,
    /// All 32 lanes; a result for each lane.
    WarpToLane,
    /// All lanes of a tile; one result for the tile.
    TileToTile,
    /// All lanes of a tile; a result for each lane.
    TileToLane,
    /// Any lane alone; which it is in its tile.
    TileLane,
    /// Pure: as uniform as its arguments.
    Pure,
}

impl Shape {
    /// Whether the size of the group is an argument: `tile_ballot::<8>(p)`.
    pub(crate) fn is_tiled(self) -> bool {
        matches!(self, Shape::TileToTile | Shape::TileToLane | Shape::TileLane)
    }

    pub(crate) fn is_of_block(self) -> bool {
        matches!(self, Shape::BlockToBlock | Shape::BlockToLane)
    }

    pub(crate) fn is_collective(self) -> bool {
        self.is_of_block()
            || matches!(
                self,
                Shape::WarpToWarp | Shape::WarpToLane | Shape::TileToTile | Shape::TileToLane
            )
    }
}

/// What the macro knows of a result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultType {
    Is(Scalar),
    /// The type of argument `n`.
    OfArg(usize),
    Unit,
}

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgRule {
    Lane,
    /// Must be the same in all lanes of the group.
    Uniform,
    /// `&mut` of a variable that is the same in all lanes of the group.
    UniformMut,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Intrinsic {
    pub(crate) name: &'static str,
    pub(crate) args: &'static [ArgRule],
    pub(crate) shape: Shape,
    pub(crate) result: ResultType,
    /// Which argument is the predicate that an operator's guard joins.
    pub(crate) predicate: Option<usize>,
}

const fn primitive(
    name: &'static str,
    args: &'static [ArgRule],
    shape: Shape,
    result: ResultType,
) -> Intrinsic {
    Intrinsic { name, args, shape, result, predicate: None }
}

const fn vote(name: &'static str, shape: Shape, result: Scalar) -> Intrinsic {
    Intrinsic {
        name,
        args: &[ArgRule::Lane],
        shape,
        result: ResultType::Is(result),
        predicate: Some(0),
    }
}

use ArgRule::{Lane, Uniform, UniformMut};
use ResultType::{Is, OfArg, Unit};
use Shape::{
    BlockToBlock, BlockToLane, BlockValue, GridValue, PerLane, Pure, TileLane, TileToLane,
    TileToTile, WarpToLane, WarpToWarp, WarpValue,
};

/// Primitives: a few lines of CUDA in the prelude, a few of Rust in `lanes`.
pub(crate) static INTRINSICS: &[Intrinsic] = &[
    primitive("lane_id", &[], PerLane, Is(Scalar::U32)),
    primitive("thread_id", &[], PerLane, Is(Scalar::U32)),
    primitive("lanes_below", &[], PerLane, Is(Scalar::U32)),
    primitive("global_warp_id", &[], WarpValue, Is(Scalar::U32)),
    primitive("warp_count", &[], GridValue, Is(Scalar::U32)),
    primitive("block_id", &[], BlockValue, Is(Scalar::U32)),
    primitive("block_count", &[], GridValue, Is(Scalar::U32)),
    primitive("block_size", &[], GridValue, Is(Scalar::U32)),
    primitive("block_thread_id", &[], PerLane, Is(Scalar::U32)),
    primitive("block_warp_id", &[], WarpValue, Is(Scalar::U32)),
    primitive("block_warp_count", &[], GridValue, Is(Scalar::U32)),
    primitive("block_barrier", &[], BlockToBlock, Unit),
    vote("block_any", BlockToBlock, Scalar::Bool),
    primitive("block_all", &[Lane], BlockToBlock, Is(Scalar::Bool)),
    primitive("block_broadcast", &[Lane, Uniform], BlockToBlock, OfArg(0)),
    primitive("block_scan_sum", &[Lane], BlockToLane, OfArg(0)),
    primitive("block_reduce_sum", &[Lane], BlockToBlock, OfArg(0)),
    primitive("block_reduce_min", &[Lane], BlockToBlock, OfArg(0)),
    primitive("block_reduce_max", &[Lane], BlockToBlock, OfArg(0)),
    primitive("block_reduce_or", &[Lane], BlockToBlock, OfArg(0)),
    vote("warp_ballot", WarpToWarp, Scalar::U32),
    vote("warp_any", WarpToWarp, Scalar::Bool),
    primitive("warp_barrier", &[], WarpToWarp, Unit),
    vote("tile_ballot", TileToTile, Scalar::U32),
    vote("tile_any", TileToTile, Scalar::Bool),
    primitive("tile_all", &[Lane], TileToTile, Is(Scalar::Bool)),
    primitive("tile_broadcast", &[Lane, Uniform], TileToTile, OfArg(0)),
    primitive("tile_shuffle", &[Lane, Lane], TileToLane, OfArg(0)),
    primitive("tile_reduce_sum", &[Lane], TileToTile, OfArg(0)),
    primitive("tile_reduce_min", &[Lane], TileToTile, OfArg(0)),
    primitive("tile_reduce_max", &[Lane], TileToTile, OfArg(0)),
    primitive("tile_reduce_or", &[Lane], TileToTile, OfArg(0)),
    primitive("tile_dequeue", &[UniformMut], TileToTile, Is(Scalar::U32)),
    primitive("tile_lane_id", &[], TileLane, Is(Scalar::U32)),
    primitive("warp_all", &[Lane], WarpToWarp, Is(Scalar::Bool)),
    primitive("warp_broadcast", &[Lane, Uniform], WarpToWarp, OfArg(0)),
    primitive("warp_shuffle", &[Lane, Lane], WarpToLane, OfArg(0)),
    primitive("warp_shuffle_xor", &[Lane, Uniform], WarpToLane, OfArg(0)),
    primitive("warp_shuffle_up", &[Lane, Uniform], WarpToLane, OfArg(0)),
    primitive("warp_shuffle_down", &[Lane, Uniform], WarpToLane, OfArg(0)),
    primitive("warp_reduce_sum", &[Lane], WarpToWarp, OfArg(0)),
    primitive("warp_reduce_min", &[Lane], WarpToWarp, OfArg(0)),
    primitive("warp_reduce_max", &[Lane], WarpToWarp, OfArg(0)),
    primitive("warp_reduce_or", &[Lane], WarpToWarp, OfArg(0)),
    primitive("warp_dequeue", &[UniformMut], WarpToWarp, Is(Scalar::U32)),
    primitive("memory_fence", &[], PerLane, Unit),
    primitive("select", &[Lane, Lane, Lane], Pure, OfArg(1)),
];

/// Collectives written in the language, known by name so that an operator can
/// join its guard to their predicate.
pub(crate) static WARP_ENQUEUE_FRONTIER: Intrinsic = Intrinsic {
    name: "warp_enqueue_frontier",
    args: &[Uniform, Lane, Lane],
    shape: WarpToWarp,
    result: Unit,
    predicate: Some(2),
};

/// The same for the lanes of a tile.
pub(crate) static TILE_ENQUEUE_FRONTIER: Intrinsic = Intrinsic {
    name: "tile_enqueue_frontier",
    args: &[Uniform, Lane, Lane],
    shape: TileToTile,
    result: Unit,
    predicate: Some(2),
};

/// The same for a lane alone.
pub(crate) static LANE_ENQUEUE_FRONTIER: Intrinsic = Intrinsic {
    name: "lane_enqueue_frontier",
    args: &[Uniform, Lane, Lane],
    shape: PerLane,
    result: Unit,
    predicate: Some(2),
};

/// The tile's, by way of memory of the block, which a kernel flushes at its end.
pub(crate) static TILE_STAGE_FRONTIER: Intrinsic = Intrinsic {
    name: "tile_stage_frontier",
    args: &[Uniform, Uniform, Lane, Lane],
    shape: TileToTile,
    result: Unit,
    predicate: Some(3),
};

/// The collectives written in the language.
pub(crate) static LIBRARY: [&Intrinsic; 4] =
    [&WARP_ENQUEUE_FRONTIER, &TILE_ENQUEUE_FRONTIER, &LANE_ENQUEUE_FRONTIER, &TILE_STAGE_FRONTIER];

pub(crate) fn intrinsic(name: &str) -> Option<&'static Intrinsic> {
    let library = LIBRARY.into_iter().find(|intrinsic| intrinsic.name == name);
    library.or_else(|| INTRINSICS.iter().find(|intrinsic| intrinsic.name == name))
}

/// What a method does to memory and to uniformity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Pure,
    /// Reads shared memory another lane may be writing.
    AtomicLoad,
    /// Changes shared memory.
    AtomicUpdate,
    /// A plain write that the checker cannot prove free of races.
    UncheckedWrite,
    /// A reference into memory, to call an atomic on.
    Place,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) name: &'static str,
    pub(crate) args: usize,
    pub(crate) effect: Effect,
    pub(crate) result: MethodResult,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodResult {
    Is(Scalar),
    Receiver,
    Unit,
    AtomicU32,
    AtomicU64,
    Quad,
    Duo,
}

const fn atomic(name: &'static str, args: usize, result: MethodResult) -> Method {
    let effect = if args == 0 { Effect::AtomicLoad } else { Effect::AtomicUpdate };
    Method { name, args, effect, result }
}

const fn pure(name: &'static str, args: usize, result: MethodResult) -> Method {
    Method { name, args, effect: Effect::Pure, result }
}

impl Method {
    /// Whether lanes that happen to be together share the work: a group of any size.
    pub(crate) fn is_aggregated(&self) -> bool {
        self.name == "fetch_add_aggregated"
    }
}

use MethodResult::Receiver;

pub(crate) static METHODS: &[Method] = &[
    atomic("load", 0, Receiver),
    atomic("load_acquire", 0, Receiver),
    atomic("load_shared", 0, Receiver),
    atomic("store", 1, MethodResult::Unit),
    atomic("store_release", 1, MethodResult::Unit),
    atomic("swap", 1, Receiver),
    atomic("fetch_add", 1, Receiver),
    atomic("fetch_add_aggregated", 1, Receiver),
    atomic("fetch_sub", 1, Receiver),
    atomic("fetch_min", 1, Receiver),
    atomic("fetch_max", 1, Receiver),
    atomic("fetch_and", 1, Receiver),
    atomic("fetch_or", 1, Receiver),
    atomic("fetch_xor", 1, Receiver),
    atomic("compare_and_swap", 2, Receiver),
    Method { name: "word", args: 1, effect: Effect::Place, result: MethodResult::AtomicU32 },
    Method { name: "quad", args: 1, effect: Effect::AtomicLoad, result: MethodResult::Quad },
    Method { name: "duo", args: 1, effect: Effect::AtomicLoad, result: MethodResult::Duo },
    Method {
        name: "cached_word",
        args: 1,
        effect: Effect::AtomicLoad,
        result: MethodResult::Is(Scalar::U32),
    },
    Method { name: "cached_duo", args: 1, effect: Effect::AtomicLoad, result: MethodResult::Duo },
    Method { name: "cached_quad", args: 1, effect: Effect::AtomicLoad, result: MethodResult::Quad },
    atomic("store_quad", 2, MethodResult::Unit),
    Method { name: "pair", args: 1, effect: Effect::Place, result: MethodResult::AtomicU64 },
    Method { name: "write", args: 2, effect: Effect::UncheckedWrite, result: MethodResult::Unit },
    pure("len", 0, MethodResult::Is(Scalar::U32)),
    pure("min", 1, Receiver),
    pure("max", 1, Receiver),
    pure("abs", 0, Receiver),
    pure("sqrt", 0, Receiver),
    pure("wrapping_add", 1, Receiver),
    pure("wrapping_sub", 1, Receiver),
    pure("wrapping_mul", 1, Receiver),
    pure("wrapping_neg", 0, Receiver),
    pure("saturating_add", 1, Receiver),
    pure("saturating_sub", 1, Receiver),
    pure("saturating_mul", 1, Receiver),
    pure("abs_diff", 1, Receiver),
    pure("pow", 1, Receiver),
    pure("clamp", 2, Receiver),
    pure("signum", 0, Receiver),
    pure("copysign", 1, Receiver),
    pure("floor", 0, Receiver),
    pure("ceil", 0, Receiver),
    pure("round", 0, Receiver),
    pure("trunc", 0, Receiver),
    pure("mul_add", 2, Receiver),
    pure("exp", 0, Receiver),
    pure("exp2", 0, Receiver),
    pure("ln", 0, Receiver),
    pure("log2", 0, Receiver),
    pure("powf", 1, Receiver),
    pure("sin", 0, Receiver),
    pure("cos", 0, Receiver),
    pure("rotate_left", 1, Receiver),
    pure("rotate_right", 1, Receiver),
    pure("swap_bytes", 0, Receiver),
    pure("reverse_bits", 0, Receiver),
    pure("count_ones", 0, MethodResult::Is(Scalar::U32)),
    pure("leading_zeros", 0, MethodResult::Is(Scalar::U32)),
    pure("trailing_zeros", 0, MethodResult::Is(Scalar::U32)),
    pure("is_nan", 0, MethodResult::Is(Scalar::Bool)),
    pure("is_finite", 0, MethodResult::Is(Scalar::Bool)),
    pure("is_infinite", 0, MethodResult::Is(Scalar::Bool)),
    pure("to_bits", 0, MethodResult::Is(Scalar::U32)),
];

/// Functions of types that give another type: `f64::to_bits(x)`. Here the name says both,
/// where a method has one result for all receivers.
pub(crate) static TYPED_METHODS: &[(Scalar, &str, Method)] = &[
    (Scalar::F32, "to_bits", pure("to_bits", 0, MethodResult::Is(Scalar::U32))),
    (Scalar::F64, "to_bits", pure("f64_to_bits", 0, MethodResult::Is(Scalar::U64))),
    (Scalar::F32, "from_bits", pure("f32_from_bits", 0, MethodResult::Is(Scalar::F32))),
    (Scalar::F64, "from_bits", pure("f64_from_bits", 0, MethodResult::Is(Scalar::F64))),
];

pub(crate) fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// `scalar::name(..)`, where all such functions are methods or of that type alone.
pub(crate) fn method_of(scalar: Scalar, name: &str) -> Option<&'static Method> {
    let typed = TYPED_METHODS.iter().find(|(of, word, _)| *of == scalar && *word == name);
    typed.map(|(.., method)| method).or_else(|| method(name))
}

impl Intrinsic {
    /// The lanes that take part, for words whose group is not an argument.
    pub(crate) fn group(&self) -> u32 {
        if self.shape.is_of_block() { super::BLOCK } else { 32 }
    }

    pub(crate) fn is_library(&self) -> bool {
        LIBRARY.iter().any(|library| library.name == self.name)
    }

    /// The device function that a library collective is, for a group.
    pub(crate) fn library_name(&self, group: u32) -> String {
        if self.shape.is_tiled() {
            self.name.replace("tile_", &format!("tile{group}_"))
        } else {
            self.name.to_owned()
        }
    }

    /// The word as the user writes it.
    pub(crate) fn spelled(&self, group: u32) -> String {
        match self.name.strip_prefix("tile_") {
            Some(word) => format!("tile::<{group}>().{word}"),
            None => self.name.to_owned(),
        }
    }

    pub(crate) fn result_type(&self, args: &[Type]) -> Type {
        match self.result {
            Is(scalar) => Type::Scalar(scalar),
            OfArg(n) => args.get(n).cloned().unwrap_or(Type::Unknown),
            Unit => Type::Unit,
        }
    }
}
