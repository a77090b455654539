//! The syntax tree every stage shares: what a kernel says, with names resolved.
//!
//! `parse` makes it from `syn`, `operator` rewrites operators into plain
//! kernels, `check` annotates it, and the two writers (`cuda`, `native`) print
//! the checked form. Nothing below knows `syn` beyond paths and spans.

pub(crate) mod callee;
pub(crate) mod effects;
pub(crate) mod intrinsics;
mod level;
pub(crate) mod names;
pub(crate) mod receiver;
pub(crate) mod select;
pub(crate) mod types;
pub(crate) mod visit;

pub(crate) use callee::Callee;
pub(crate) use level::{BLOCK, Level};
use proc_macro2::{Ident, Span};
pub(crate) use types::{Access, Scalar, Slot, Type};

/// Index of a variable in [`Function::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct VarId(pub(crate) usize);

/// Index of an expression, for the checker's side tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExprId(pub(crate) usize);

/// Which attribute made the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FunctionKind {
    Kernel,
    Device,
    VertexOperator,
    EdgeOperator,
}

impl FunctionKind {
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            FunctionKind::Kernel => "kernel",
            FunctionKind::Device => "device",
            FunctionKind::VertexOperator => "vertex_operator",
            FunctionKind::EdgeOperator => "edge_operator",
        }
    }

    pub(crate) fn is_operator(self) -> bool {
        matches!(self, FunctionKind::VertexOperator | FunctionKind::EdgeOperator)
    }

    /// Kernels and operators are launched; device functions are called.
    pub(crate) fn is_launched(self) -> bool {
        self != FunctionKind::Device
    }
}

/// A type parameter; its bounds stay in the tokens of the function.
#[derive(Clone, Debug)]
pub(crate) struct Generic {
    pub(crate) name: Ident,
}

/// A variable: a parameter, a `let`, or one the operator stage introduced.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    pub(crate) ty: Type,
    /// Declared the same in all lanes of a group: `Uniform<T>` is the warp.
    pub(crate) declared: Option<Level>,
    pub(crate) parameter: bool,
    /// The item an operator was called for; `&mut [T]` may be indexed by it.
    pub(crate) own_item: bool,
    /// Declared in front of the `if` that assigns it, by the operator stage.
    pub(crate) deferred: bool,
    /// What errors call a variable that no user wrote.
    pub(crate) described: Option<&'static str>,
    /// Its type is that of a struct literal, which may lack type arguments.
    pub(crate) unsure: bool,
    /// No user wrote it.
    pub(crate) made: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) kind: FunctionKind,
    /// Its name in CUDA and in messages.
    pub(crate) name: Ident,
    /// The name of the Rust item.
    pub(crate) in_rust: Ident,
    pub(crate) generics: Vec<Generic>,
    pub(crate) params: Vec<VarId>,
    /// The place of an edge operator's item in the list, if it asks for it.
    pub(crate) place: Option<VarId>,
    pub(crate) ret: Type,
    /// The result was declared the same in all lanes of a group.
    pub(crate) ret_level: Option<Level>,
    pub(crate) vars: Vec<Var>,
    pub(crate) exprs: usize,
    /// How many witnesses its types have.
    pub(crate) slots: usize,
    /// The graphs that it walks with others, the first of them what schedules go by.
    pub(crate) graphs: Vec<VarId>,
    /// Graphs whose updates it walks.
    pub(crate) tracked: Vec<VarId>,
    /// Graphs of which it walks the item itself, whatever the item is.
    pub(crate) walked: Vec<VarId>,
    /// Whether several blocks may share the slab lists of its hubs.
    pub(crate) shares_hubs: bool,
    pub(crate) body: Block,
}

impl Function {
    /// A function of this name, as programs have it.
    pub(crate) fn new(kind: FunctionKind, name: &Ident) -> Function {
        Function {
            kind,
            name: callee::shown_name(name),
            in_rust: name.clone(),
            generics: Vec::new(),
            params: Vec::new(),
            place: None,
            ret: Type::Unit,
            ret_level: None,
            vars: Vec::new(),
            exprs: 0,
            slots: 0,
            graphs: Vec::new(),
            tracked: Vec::new(),
            walked: Vec::new(),
            shares_hubs: false,
            body: Block::default(),
        }
    }

    pub(crate) fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0]
    }

    /// A variable that no user wrote.
    pub(crate) fn fresh_var(&mut self, name: &str, ty: Type, mutable: bool, span: Span) -> VarId {
        // What is made of `r#struct` may be raw in front alone.
        let name = match name.strip_prefix("r#") {
            Some(raw) => Ident::new_raw(&raw.replace("r#", ""), span),
            None => Ident::new(&name.replace("r#", ""), span),
        };
        self.vars.push(Var {
            name,
            mutable,
            ty,
            declared: None,
            parameter: false,
            own_item: false,
            deferred: false,
            described: None,
            unsure: false,
            made: true,
        });
        VarId(self.vars.len() - 1)
    }

    pub(crate) fn expr(&mut self, kind: ExprKind, span: Span) -> Expr {
        self.exprs += 1;
        Expr { id: ExprId(self.exprs - 1), kind, ty: Type::Unknown, slot: None, span, end: span }
    }

    pub(crate) fn slot(&mut self) -> Slot {
        self.slots += 1;
        Slot(self.slots - 1)
    }

    /// The block once more: the checker tells expressions apart by their ids.
    pub(crate) fn copy_of(&mut self, block: &Block) -> Block {
        let (mut copy, mut next) = (block.clone(), self.exprs);
        visit::rewrite_block(&mut copy, &mut |expr| {
            expr.id = ExprId(next);
            next += 1;
        });
        self.exprs = next;
        copy
    }

    /// The expression once more, likewise.
    pub(crate) fn copy_of_expr(&mut self, expr: &Expr) -> Expr {
        let (mut copy, mut next) = (expr.clone(), self.exprs);
        visit::rewrite(&mut copy, &mut |inner| {
            inner.id = ExprId(next);
            next += 1;
        });
        self.exprs = next;
        copy
    }

    /// `if condition { stmts }`
    pub(crate) fn if_then(&mut self, condition: Expr, stmts: Vec<Stmt>, span: Span) -> Stmt {
        let then = Block { stmts, tail: None };
        let kind = ExprKind::If { condition: Box::new(condition), then, otherwise: None };
        Stmt::Expr(self.expr(kind, span))
    }

    pub(crate) fn local(&mut self, var: VarId, span: Span) -> Expr {
        self.expr(ExprKind::Local(var), span)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) stmts: Vec<Stmt>,
    /// The value of the block, if it has one.
    pub(crate) tail: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    /// `let var = init;`, or a declaration that is assigned before it is read.
    Let {
        var: VarId,
        init: Option<Expr>,
        span: Span,
    },
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) id: ExprId,
    pub(crate) kind: ExprKind,
    /// What the macro knows of its type.
    pub(crate) ty: Type,
    /// The witness of what rustc chooses here: the type of a struct literal or an
    /// array, the type arguments of a call, those of the graph of a neighbour loop.
    pub(crate) slot: Option<Slot>,
    pub(crate) span: Span,
    /// Its last token.
    pub(crate) end: Span,
}

impl Expr {
    /// All of it, for errors.
    pub(crate) fn place(&self) -> crate::diagnostics::Place {
        crate::diagnostics::Place { start: self.span, end: self.end }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Not,
    Neg,
}

impl UnaryOp {
    pub(crate) fn token(self) -> proc_macro2::Punct {
        let letter = if self == UnaryOp::Not { '!' } else { '-' };
        proc_macro2::Punct::new(letter, proc_macro2::Spacing::Alone)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
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

impl BinaryOp {
    pub(crate) fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    pub(crate) fn is_logical(self) -> bool {
        matches!(self, BinaryOp::LogicalAnd | BinaryOp::LogicalOr)
    }

    pub(crate) fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            And => "&",
            Or => "|",
            Xor => "^",
            Shl => "<<",
            Shr => ">>",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            LogicalAnd => "&&",
            LogicalOr => "||",
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Literal {
    Int { value: u128, suffix: Option<Scalar> },
    Float { digits: String, suffix: Option<Scalar> },
    Bool(bool),
}

/// Which slab lists of a vertex a neighbour loop walks.
#[derive(Clone, Debug)]
pub(crate) enum Lists {
    All,
    /// What was inserted since the update pointers were moved.
    Updated,
    /// The one of this number.
    One(Box<Expr>),
}

/// A neighbour loop as the user wrote it; the operator stage replaces it.
#[derive(Clone, Debug)]
pub(crate) struct ForEachNeighbor {
    pub(crate) graph: Expr,
    pub(crate) vertex: Expr,
    pub(crate) lists: Lists,
    pub(crate) predicate: Expr,
    pub(crate) dst: VarId,
    pub(crate) weight: Option<VarId>,
    pub(crate) body: Block,
    /// Walked by a lane by itself: in a kernel, a device function, another walk's closure.
    pub(crate) alone: bool,
    /// What `find_neighbor` is bound to: the walk ends once it is no longer `u32::MAX`.
    pub(crate) finds: Option<VarId>,
    /// What the graph's lists and chunks are.
    pub(crate) types: WalkTypes,
}

/// Types of a walk that the graph's own decides: rustc finds them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WalkTypes {
    pub(crate) lists: Option<Slot>,
    pub(crate) chunk: Option<Slot>,
    /// The graph of the updates, of a walk over those: its type, and what stands for it.
    pub(crate) updated: [Option<Slot>; 2],
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Literal(Literal),
    Local(VarId),
    /// A `const` item: `EMPTY_KEY`, `u32::MAX`, `W::IS_WEIGHTED`.
    Const(syn::ExprPath),
    /// What changes nothing when it is joined with a value of the variable's type: its
    /// `Reduce::IDENTITY`.
    Identity(VarId),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>, Type),
    /// A field of a struct, or `_0` of a tuple.
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Struct {
        path: syn::Path,
        /// The path as a type; its arguments may be left to inference.
        ty: Type,
        fields: Vec<(Ident, Expr)>,
    },
    /// A primitive of the language, written once per back end.
    Intrinsic {
        intrinsic: &'static intrinsics::Intrinsic,
        /// How many lanes take part together: a tile's size, 32, or [`BLOCK`].
        group: u32,
        args: Vec<Expr>,
    },
    /// A `#[device]` function. Its slot is for the instance that rustc chooses.
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    /// `assert!(condition)`: looked at where indices are, on the CPU and in the
    /// checked mode.
    Assert(Box<Expr>),
    /// `block_shared::<T, N>()`: atomics that the block shares, all zero if `cleared`; else each is
    /// stored before a lane reads it.
    Shared {
        element: Type,
        length: String,
        cleared: bool,
    },
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[a, b, c]`, or a short `[a; n]` written out.
    Array(Vec<Expr>),
    /// `[a; N]`, the length as written.
    Repeat(Box<Expr>, String),
    Method {
        receiver: Box<Expr>,
        method: &'static intrinsics::Method,
        name: Ident,
        args: Vec<Expr>,
        /// The type it was called by: `f32::min(a, b)`.
        of: Option<Scalar>,
    },
    Assign(Box<Expr>, Box<Expr>),
    AssignOp(BinaryOp, Box<Expr>, Box<Expr>),
    If {
        condition: Box<Expr>,
        then: Block,
        otherwise: Option<Box<Expr>>,
    },
    While {
        label: Option<LoopId>,
        condition: Box<Expr>,
        body: Block,
    },
    Loop {
        label: Option<LoopId>,
        body: Block,
    },
    For {
        label: Option<LoopId>,
        var: VarId,
        from: Box<Expr>,
        to: Box<Expr>,
        inclusive: bool,
        /// A loop of the macro's over a register array.
        unrolled: bool,
        body: Block,
    },
    /// `label` is the loop it leaves; `None` is the innermost one.
    Break(Option<LoopId>),
    Continue(Option<LoopId>),
    Return(Option<Box<Expr>>),
    Block(Block),
    /// The user vouches for what the checker cannot prove.
    Unsafe(Block),
    ForEachNeighbor(Box<ForEachNeighbor>),
}

/// A labelled loop: the label's text without the quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoopId(pub(crate) String);

impl ExprKind {
    /// Statements in expression position: they have blocks of their own.
    pub(crate) fn is_control_flow(&self) -> bool {
        use ExprKind::*;
        matches!(
            self,
            If { .. }
                | While { .. }
                | Loop { .. }
                | For { .. }
                | Block(_)
                | Unsafe(_)
                | Break(_)
                | Continue(_)
                | Return(_)
                | ForEachNeighbor(_)
        )
    }
}
