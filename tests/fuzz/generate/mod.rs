//! Random kernels that are well-formed by construction.
//!
//! The generator follows the rules of docs/LANGUAGE.md as it goes: what a
//! variable may hold, which lanes may be apart, which words may stand there.
//! A kernel it makes must compile, end, and leave the same memory everywhere.

mod bare;
mod draft;
mod effect;
mod expr;
mod family;
mod flow;
mod generic;
mod loops;
mod names;
mod number;
mod parameter;
mod scope;
mod search;
mod stmt;
mod walk;

use crate::fuzz::interpret;
use crate::fuzz::language::{
    Block, Constant, Family, Fetch, Function, Generic, Kernel, OWN, Owner, STRUCTS, Scalar, Slice,
    TUPLES, Ty, Var, VarId,
};
use crate::fuzz::memory::Memory;
use crate::fuzz::random::Random;
use scope::{Level, Scope};
use std::collections::{BTreeMap, BTreeSet};
use walk::Accumulator;

/// Steps of the interpreter for a launch: more would be slow to fuzz.
const STEPS: usize = 60_000;

/// The kernel of a seed, and the memory that it must leave.
pub fn kernel(seed: u64) -> (Kernel, Memory) {
    for attempt in 0.. {
        let kernel =
            draft::candidate(seed, Random::new(seed.wrapping_mul(1000).wrapping_add(attempt)));
        let mut memory = Memory::new(&kernel.main.slices, seed);
        if interpret::run(&kernel, &mut memory, STEPS).is_ok() {
            return (kernel, memory);
        }
    }
    unreachable!("some candidate is short")
}

/// How much of everything a kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Small,
    Medium,
    Large,
}

impl Scale {
    fn any(random: &mut Random) -> Scale {
        match random.below(20) {
            0 => Scale::Large,
            1 | 2 => Scale::Medium,
            _ => Scale::Small,
        }
    }

    /// A share of what a large kernel has.
    fn up_to(self, large: usize) -> usize {
        match self {
            Scale::Small => large / 3,
            Scale::Medium => large / 2,
            Scale::Large => large,
        }
    }
}

/// Writes one function.
pub(crate) struct Writer<'a> {
    random: &'a mut Random,
    functions: &'a [Function],
    family: Option<&'a Family>,
    has_couple: bool,
    scale: Scale,
    /// The number types that the kernel mostly uses.
    palette: &'a [Scalar],
    /// How many inputs the function likes to take.
    width: usize,
    /// The function's own parameters of types and numbers.
    generics: Vec<Generic>,
    constant: Option<Constant>,
    /// The one operation of each shared slice in this kernel.
    operations: &'a mut BTreeMap<Scalar, Fetch>,
    scope: Scope,
    slices: BTreeSet<Slice>,
    group: u32,
    is_kernel: bool,
    ret: Ty,
    ret_shared_by: Option<u32>,
    /// Statements left to write.
    budget: usize,
    /// Inside something that must have no effects.
    pure: usize,
    /// In a function that touches no memory.
    plain: bool,
    /// The kernel is an operator: lanes are nobody's business, in functions it calls too.
    is_operator: bool,
    /// How many walks are around what is written.
    walks: usize,
    /// What they put together.
    accumulators: Vec<Accumulator>,
    /// What was found, of several that could have been.
    uncertain: Vec<VarId>,
    /// Variables that are vertices.
    vertices: Vec<VarId>,
}

impl<'a> Writer<'a> {
    fn new(
        random: &'a mut Random,
        functions: &'a [Function],
        operations: &'a mut BTreeMap<Scalar, Fetch>,
    ) -> Self {
        Writer {
            random,
            functions,
            family: None,
            has_couple: false,
            scale: Scale::Large,
            palette: &Scalar::ALL,
            width: Scalar::ALL.len(),
            generics: Vec::new(),
            constant: None,
            operations,
            scope: Scope::default(),
            slices: BTreeSet::new(),
            group: 0,
            is_kernel: false,
            ret: Ty::Unit,
            ret_shared_by: None,
            budget: 0,
            pure: 0,
            plain: false,
            is_operator: false,
            walks: 0,
            accumulators: Vec::new(),
            uncertain: Vec::new(),
            vertices: Vec::new(),
        }
    }

    fn main(&mut self, name: String) -> Function {
        self.is_kernel = true;
        self.for_any_type();
        self.budget = match self.scale {
            Scale::Small => 2 + self.random.below(5),
            Scale::Medium => 4 + self.random.below(9),
            Scale::Large => 6 + self.random.below(18),
        };
        if self.is_operator {
            self.scope.push(Level::Lane);
            self.scope.all_apart = true;
        }
        let mut params = Vec::new();
        for _ in 0..self.random.below(3) {
            let scalar = self.any_scalar();
            let var = self.parameter(Ty::Scalar(scalar), false, None, Level::Warp);
            params.push(var);
        }
        let mut body = Block { stmts: self.statements(3), tail: None };
        // What is left in variables counts too.
        for _ in 0..self.scale.up_to(5).max(1) {
            body.stmts.push(self.output());
        }
        for _ in 0..self.scale.up_to(5) {
            body.stmts.extend(self.generic_output());
        }
        self.finish(name, params, body)
    }

    fn device(&mut self, name: String) -> Function {
        self.budget = 2 + self.random.below(7);
        if self.is_operator {
            self.scope.push(Level::Lane);
        }
        let mut params = Vec::new();
        let is_method = self.random.percent(30);
        if is_method {
            // Functions of types wait for no other lanes.
            self.scope.push(Level::Lane);
            let (name, ty) = ("self".to_owned(), Ty::Struct(OWN));
            let var = Var::fixed(name, ty);
            params.push(self.scope.declare(var, Level::Lane));
        }
        for _ in 0..self.random.below(4) {
            let ty = self.any_type();
            let shared_by = self.random.pick(&[None, None, None, Some(32), Some(8), Some(4)]);
            // Functions of types are for one lane.
            let shared_by = shared_by.filter(|_| !is_method);
            let level = shared_by.map_or(Level::Lane, Level::of_group);
            let mutable = self.random.percent(30);
            params.push(self.parameter(ty, mutable, shared_by, level));
        }
        self.ret = if self.random.percent(12) { Ty::Unit } else { self.any_type() };
        if self.ret != Ty::Unit {
            let shared_by = self.random.pick(&[None, None, None, Some(32), Some(8)]);
            self.ret_shared_by = shared_by.filter(|_| !is_method);
        }
        let body = self.body();
        let owner = if is_method { Owner::Own } else { Owner::Module };
        Function { is_method, owner, ..self.finish(name, params, body) }
    }

    fn body(&mut self) -> Block {
        let mut body = Block { stmts: self.statements(2), tail: None };
        if self.ret != Ty::Unit {
            let level = self.ret_shared_by.map_or(Level::Lane, Level::of_group);
            let tail = self.rich(self.ret, level, 1);
            body.tail = Some(Box::new(tail));
        }
        body
    }

    fn parameter(&mut self, ty: Ty, mutable: bool, shared_by: Option<u32>, level: Level) -> usize {
        // Two parameters of one name would be an error of rustc's.
        let mut name = self.name();
        while self.scope.vars.iter().any(|var| var.name == name) {
            name = format!("{name}_{}", self.scope.vars.len());
        }
        self.scope.declare(
            Var { name, ty, mutable, shared_by, annotated: true, accumulates: false },
            level,
        )
    }

    /// Writes something without effects.
    fn purely<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        self.pure += 1;
        let written = write(self);
        self.pure -= 1;
        written
    }

    fn finish(&mut self, name: String, params: Vec<usize>, body: Block) -> Function {
        Function {
            name,
            module: None,
            owner: Owner::Module,
            generics: std::mem::take(&mut self.generics),
            constant: self.constant,
            params,
            is_method: false,
            plain: self.plain,
            slices: self.slices.iter().copied().collect(),
            ret: self.ret,
            ret_shared_by: self.ret_shared_by,
            vars: std::mem::take(&mut self.scope.vars),
            body,
            group: self.group,
        }
    }

    fn any_type(&mut self) -> Ty {
        if self.random.percent(25)
            && let Some(ty) = self.parametric_type()
        {
            return ty;
        }
        match self.random.below(14) {
            0 => Ty::Struct(self.random.below(STRUCTS.len())),
            1 => Ty::Tuple(self.random.below(TUPLES.len())),
            2 => Ty::Struct(OWN),
            3 => {
                let scalar = self.any_scalar();
                Ty::Array(scalar, self.random.pick(&[1, 2, 4, 4, 8]))
            }
            _ => Ty::Scalar(self.any_scalar()),
        }
    }

    fn any_scalar(&mut self) -> Scalar {
        if self.random.percent(30) { Scalar::U32 } else { self.any_of(&Scalar::ALL) }
    }

    /// One of these, mostly one that the kernel uses anyway.
    fn any_of(&mut self, choices: &[Scalar]) -> Scalar {
        let known: Vec<_> =
            choices.iter().copied().filter(|scalar| self.palette.contains(scalar)).collect();
        if known.is_empty() || self.random.percent(6) {
            return self.random.pick(choices);
        }
        self.random.pick(&known)
    }
}
