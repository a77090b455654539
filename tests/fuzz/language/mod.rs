//! The fuzzer's own syntax tree: typed, resolved, every type written down.

pub mod generic;
pub mod graph;
pub mod numbers;
pub mod scalar;

pub use generic::{
    Bound, COUPLE, COUPLE_FIELDS, Callee, Constant, Family, FamilyConstant, FamilyMethod, Form,
    Generic, GenericCall, Given, NUMBER_CONSTANTS, Owner, Part,
};
pub use graph::{Carried, Lists, Operator, Query, SCHEDULES, VERTICES, Walk};
pub use scalar::Scalar;

/// The device structs that kernels use; their Rust definitions are printed by
/// `print`, the host copies of all but [`OWN`] are the harness's.
pub const STRUCTS: [Struct; 4] = [
    Struct { name: "Pair", fields: &[("a", Scalar::U32), ("b", Scalar::F32)] },
    Struct { name: "Tiny", fields: &[("x", Scalar::I8), ("y", Scalar::U8), ("z", Scalar::U16)] },
    Struct {
        name: "Mixed",
        fields: &[
            ("small", Scalar::U8),
            ("flag", Scalar::Bool),
            ("medium", Scalar::I16),
            ("big", Scalar::U64),
            ("ratio", Scalar::F64),
        ],
    },
    Struct {
        name: "Own",
        fields: &[("int", Scalar::U32), ("r#struct", Scalar::I64), ("isnan", Scalar::Bool)],
    },
];

/// The struct that every module of kernels defines for itself, and that has functions.
pub const OWN: usize = 3;

/// The tuples that kernels use.
pub const TUPLES: [&[Scalar]; 4] = [
    &[Scalar::U32, Scalar::U32],
    &[Scalar::U32, Scalar::F32],
    &[Scalar::Bool, Scalar::I64, Scalar::U8],
    &[Scalar::I16, Scalar::U32, Scalar::F64, Scalar::U64],
];

#[derive(Debug)]
pub struct Struct {
    pub name: &'static str,
    pub fields: &'static [(&'static str, Scalar)],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    Unit,
    Scalar(Scalar),
    Array(Scalar, usize),
    Struct(usize),
    Tuple(usize),
    /// `T`, one of the function's type parameters
    Param(usize),
    /// [`COUPLE`]
    Couple(Part),
    /// `[T; N]` of the function's const parameter
    Row(Part),
}

impl Ty {
    pub fn scalar(self) -> Scalar {
        match self {
            Ty::Scalar(scalar) => scalar,
            other => panic!("{other:?} is not a number"),
        }
    }

    /// The types of its parts, if all are known.
    pub fn parts(self) -> Vec<Scalar> {
        match self {
            Ty::Unit | Ty::Param(_) | Ty::Row(_) | Ty::Couple(Part::Param(_)) => Vec::new(),
            Ty::Scalar(scalar) => vec![scalar],
            Ty::Array(scalar, length) => vec![scalar; length],
            Ty::Struct(at) => STRUCTS[at].fields.iter().map(|(_, scalar)| *scalar).collect(),
            Ty::Tuple(at) => TUPLES[at].to_vec(),
            Ty::Couple(Part::Scalar(of)) => {
                COUPLE_FIELDS.iter().map(|(_, own)| own.unwrap_or(of)).collect()
            }
        }
    }

    /// The types of what can be read of it by itself; of an array, one item.
    pub fn pieces(self) -> Vec<Ty> {
        match self {
            Ty::Array(scalar, _) => vec![Ty::Scalar(scalar)],
            Ty::Row(of) => vec![of.ty()],
            Ty::Couple(of) => {
                COUPLE_FIELDS.iter().map(|(_, own)| own.map_or(of.ty(), Ty::Scalar)).collect()
            }
            Ty::Struct(_) | Ty::Tuple(_) => self.parts().into_iter().map(Ty::Scalar).collect(),
            Ty::Unit | Ty::Scalar(_) | Ty::Param(_) => Vec::new(),
        }
    }
}

/// Generic functions `(bool, T, T) -> T` that give the first `T` if the flag holds.
pub const GENERICS: [&str; 4] = ["either", "near::pick", "far::pick", "near::r#struct::held"];

pub type VarId = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogicalAnd,
    LogicalOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Min,
    Max,
    Abs,
    Sqrt,
    WrappingAdd,
    WrappingSub,
    WrappingMul,
    SaturatingAdd,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    IsNan,
    ToBits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    LaneId,
    ThreadId,
    LanesBelow,
    GlobalWarpId,
    WarpCount,
    TileLaneId(u32),
    /// The own item, which every function but a plain one gets.
    Me,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    Ballot,
    Any,
    All,
    Broadcast,
    Shuffle,
    ShuffleXor,
    ShuffleUp,
    ShuffleDown,
    ReduceSum,
    ReduceMin,
    ReduceMax,
    ReduceOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetch {
    Load,
    Store,
    Swap,
    CompareAndSwap,
    Add,
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// A slice a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slice {
    /// `&[T]`
    Input(Ty),
    /// `&mut [T]`, at the own item
    Output(Ty),
    /// `&[Atomic<T>]`, one commutative operation, results unused
    Shared(Scalar),
    /// `&[Atomic<T>]`, at the own item only, so that results are certain
    Private(Scalar),
    /// `&Graph<W>`
    Graph(Carried),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Ty,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Lit(u64),
    /// A literal whose suffix is left to inference.
    Bare(u64),
    Named(&'static str, u64),
    /// A constant of a struct type, and the bits of its parts.
    NamedStruct(&'static str, &'static [u64]),
    Var(VarId),
    Field(Box<Expr>, usize),
    Elem(Box<Expr>, Box<Expr>),
    Input(Box<Expr>),
    Output,
    Word(Word),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    Method(Method, Box<Expr>, Vec<Expr>),
    /// `if c { a } else { b }` in the middle of an expression
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `select(c, a, b)`
    SelectBoth(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The same by one of the [`GENERICS`], whose type arguments may be written.
    Generic {
        name: &'static str,
        written: bool,
        args: Vec<Expr>,
    },
    Call(usize, Vec<Expr>),
    GenericCall(Box<GenericCall>),
    /// `T::ZERO`: one of the [`NUMBER_CONSTANTS`].
    NumberConstant(usize),
    /// A constant of the kernel's trait, by its number, for a type; whether the trait
    /// is named.
    FamilyConstant(usize, Ty, bool),
    /// The function's const parameter, as a `u32`.
    Constant,
    Array(Vec<Expr>),
    /// `[x; 4]`, `[x; N]`
    Repeat(Box<Expr>, Given),
    Struct(Vec<Expr>),
    Tuple(Vec<Expr>),
    /// Of the warp (32) or of tiles.
    Collective(Collective, u32, Vec<Expr>),
    Dequeue(u32, VarId),
    Query(Query, Carried, Vec<Expr>),
    Shared(Fetch, Box<Expr>, Box<Expr>),
    Private(Fetch, Vec<Expr>),
    // With statements inside: only where a value has a place to go.
    If(Box<Expr>, Block, Option<Block>),
    Match(Box<Expr>, Vec<Arm>),
    Block(Block),
}

#[derive(Clone, Debug)]
pub struct Arm {
    pub patterns: Vec<Pattern>,
    pub guard: Option<Expr>,
    /// Whether the numbers of its patterns leave their type to what is matched.
    pub bare: bool,
    pub body: Block,
}

#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    Any,
    /// A name for the value, for the guard and the body.
    Bind(VarId),
    Is(u64),
    Range(u64, u64),
    Until(u64, u64),
    /// A constant.
    Named(&'static str, u64),
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub tail: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Let {
        var: VarId,
        annotated: bool,
        init: Expr,
    },
    /// `let (a, mut b, _) = value;`
    LetParts {
        vars: Vec<Option<VarId>>,
        annotated: bool,
        init: Expr,
    },
    Assign(Expr, Expr),
    /// `(a, b.c) = value;`
    AssignParts(Vec<Expr>, Expr),
    /// What a block reduces goes to a cell that all blocks share, so that the size of
    /// blocks does not show.
    BlockReduce {
        reduce: Collective,
        value: Expr,
        fetch: Fetch,
        cell: usize,
    },
    /// Memory of the block, filled by some lanes; then each cell goes to the one of
    /// all blocks.
    BlockShared {
        condition: Expr,
        at: Expr,
        value: Expr,
        fetch: Fetch,
    },
    AssignOp(Op, Expr, Expr),
    Expr(Expr),
    While {
        label: Option<&'static str>,
        condition: Expr,
        body: Block,
    },
    Loop {
        label: Option<&'static str>,
        body: Block,
    },
    For {
        label: Option<&'static str>,
        var: VarId,
        from: Expr,
        to: Expr,
        inclusive: bool,
        body: Block,
    },
    /// The loop by its depth in the function, and whether to name it.
    Break(usize, Option<&'static str>),
    Continue(usize, Option<&'static str>),
    Return(Expr),
    Walk(Box<Walk>),
}

#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub mutable: bool,
    /// Declared `Uniform<T>` (32) or `TileUniform<N, T>`.
    pub shared_by: Option<u32>,
    /// Whether its type is written where it is declared.
    pub annotated: bool,
    /// The lanes of a group put it together: its type must be visible.
    pub accumulates: bool,
}

impl Var {
    /// A variable of a lane that keeps its value, with its type in sight.
    pub fn fixed(name: String, ty: Ty) -> Var {
        let (mutable, shared_by, annotated, accumulates) = (false, None, true, false);
        Var { name, ty, mutable, shared_by, annotated, accumulates }
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// The module it is in, if not that of the kernel: another may hold its name too.
    pub module: Option<String>,
    pub owner: Owner,
    pub generics: Vec<Generic>,
    pub constant: Option<Constant>,
    pub params: Vec<VarId>,
    /// The first parameter is `self`.
    pub is_method: bool,
    /// It touches no memory, and takes neither slices nor the thread's number.
    pub plain: bool,
    pub slices: Vec<Slice>,
    pub ret: Ty,
    pub ret_shared_by: Option<u32>,
    pub vars: Vec<Var>,
    pub body: Block,
    /// The largest group whose collectives it or a callee uses; 0 for none.
    pub group: u32,
}

#[derive(Clone, Debug)]
pub struct Kernel {
    pub seed: u64,
    pub family: Option<Family>,
    /// Whether it has [`COUPLE`].
    pub has_couple: bool,
    pub functions: Vec<Function>,
    /// Whether it is a vertex operator, and over what.
    pub operator: Option<Operator>,
    /// The kernel itself; its parameters have these values.
    pub main: Function,
    /// The types and the number that it is launched with.
    pub types: Vec<Ty>,
    pub given: usize,
    pub arguments: Vec<u64>,
}

impl Kernel {
    /// The function that a call means, or of a trait, its signature.
    pub fn generic(&self, callee: Callee) -> &Function {
        match callee {
            Callee::Function(at) => &self.functions[at],
            Callee::Family(at) => {
                let family = self.family.as_ref().expect("the kernel has a trait");
                &family.methods[at].head
            }
        }
    }
}
