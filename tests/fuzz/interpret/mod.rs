//! What a kernel means: 32 lanes at once, a mask of those that are there.
//!
//! Every expression gives a value for each lane; every statement takes the mask
//! of the lanes that reach it and gives back those that go on after it. Lanes
//! that leave are noted at the loop, or the function, that they leave.

mod collective;
mod expr;
mod generic;
mod stmt;
mod walk;

use crate::fuzz::language::{Function, Kernel, Scalar, Slice, Ty};
use crate::fuzz::memory::{Memory, THREADS};

/// A value: the bits of its parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    One(u64),
    Many(Vec<u64>),
}

impl Value {
    fn bits(&self) -> u64 {
        match self {
            Value::One(bits) => *bits,
            Value::Many(_) => panic!("a number was expected"),
        }
    }

    fn parts(&self) -> Vec<u64> {
        match self {
            Value::One(bits) => vec![*bits],
            Value::Many(parts) => parts.clone(),
        }
    }

    fn of(ty: Ty, parts: &[u64]) -> Value {
        match ty {
            Ty::Scalar(_) => Value::One(parts[0]),
            _ => Value::Many(parts.to_vec()),
        }
    }
}

/// A value for each lane; those of absent lanes mean nothing.
pub(crate) type Lanes = Vec<Value>;

fn splat(bits: u64) -> Lanes {
    vec![Value::One(bits); 32]
}

fn each(mask: u32, mut f: impl FnMut(usize) -> Value) -> Lanes {
    (0..32).map(|lane| if mask >> lane & 1 == 1 { f(lane) } else { Value::One(0) }).collect()
}

/// The lanes where a condition holds.
fn holds(lanes: &Lanes, mask: u32) -> u32 {
    (0..32)
        .filter(|lane| mask >> lane & 1 == 1 && lanes[*lane].bits() != 0)
        .fold(0, |m, l| m | 1 << l)
}

fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}

/// Lanes that have left a turn of a loop.
#[derive(Default)]
struct Loop {
    broken: u32,
    continued: u32,
}

/// A function that runs.
struct Frame<'k> {
    function: &'k Function,
    /// What its type parameters and its const parameter stand for.
    types: Vec<Ty>,
    constant: usize,
    vars: Vec<Lanes>,
    loops: Vec<Loop>,
    returned: u32,
    result: Lanes,
}

impl<'k> Frame<'k> {
    fn new(function: &'k Function) -> Self {
        Self::of_types(function, Vec::new(), 0)
    }

    fn of_types(function: &'k Function, types: Vec<Ty>, constant: usize) -> Self {
        Frame {
            function,
            types,
            constant,
            vars: vec![Vec::new(); function.vars.len()],
            loops: Vec::new(),
            returned: 0,
            result: splat(0),
        }
    }
}

struct Warp<'k, 'm> {
    kernel: &'k Kernel,
    memory: &'m mut Memory,
    id: usize,
    /// Expressions computed, and how many may be.
    steps: usize,
    limit: usize,
}

/// A kernel that takes too many steps to be worth running.
#[derive(Debug)]
pub struct TooLong;

/// Runs the kernel and leaves in memory what it writes.
///
/// # Errors
/// The kernel takes more than `limit` steps.
pub fn run(kernel: &Kernel, memory: &mut Memory, limit: usize) -> Result<(), TooLong> {
    let mut steps = 0;
    for id in 0..THREADS / 32 {
        let mut warp = Warp { kernel, memory, id, steps, limit };
        let mut frame = Frame::of_types(&kernel.main, kernel.types.clone(), kernel.given);
        for (&param, &bits) in kernel.main.params.iter().zip(&kernel.arguments) {
            frame.vars[param] = splat(bits);
        }
        // Of an operator, lanes beyond the last item are inactive.
        let items = kernel.operator.map_or(THREADS, |operator| operator.items);
        let mut mask = (0..32).filter(|lane| id * 32 + lane < items).fold(0, |m, l| m | 1 << l);
        if mask == 0 {
            break;
        }
        warp.block(&mut frame, &kernel.main.body, &mut mask)?;
        steps = warp.steps;
    }
    Ok(())
}

impl Warp<'_, '_> {
    fn thread(&self, lane: usize) -> usize {
        self.id * 32 + lane
    }

    fn step(&mut self) -> Result<(), TooLong> {
        self.steps += 1;
        if self.steps > self.limit { Err(TooLong) } else { Ok(()) }
    }

    fn element(&mut self, slice: Slice, at: usize) -> &mut Vec<u64> {
        let elements = self.memory.0.get_mut(&slice).expect("the kernel takes the slice");
        let length = elements.len();
        elements.get_mut(at).unwrap_or_else(|| panic!("{slice:?}[{at}], which has {length}"))
    }
}

/// An index.
fn index(value: &Value) -> usize {
    Scalar::U32.integer(value.bits()) as usize
}
