//! Collectives: of the warp, a group of 32, and of tiles.

use super::{Frame, Lanes, TooLong, Value, Warp, each, holds, index, splat};
use crate::fuzz::language::{Collective, Fetch, Op, Scalar, Slice, Stmt, Ty, VarId, numbers};
use crate::fuzz::memory::CELLS;

impl<'k> Warp<'k, '_> {
    /// The words of the block. Blocks are warps here; the generator sees to it that
    /// larger ones leave the same.
    pub(super) fn of_block(
        &mut self,
        f: &mut Frame<'k>,
        stmt: &'k Stmt,
        mask: u32,
    ) -> Result<(), TooLong> {
        assert_eq!(mask, u32::MAX, "the generator parts a block");
        match stmt {
            Stmt::BlockReduce { reduce, value, fetch, cell } => {
                let values = self.expr(f, value, mask)?;
                let total = self.collective(*reduce, 32, value.ty, &[values], mask);
                let slice = Slice::Shared(value.ty.scalar());
                self.fetch(*fetch, slice, &[*cell; 32], &[total], 1);
            }
            Stmt::BlockShared { condition, at, value, fetch } => {
                let scalar = value.ty.scalar();
                let inside = holds(&self.expr(f, condition, mask)?, mask);
                let mut cells = [0; CELLS];
                if inside != 0 {
                    let (at, values) = (self.expr(f, at, inside)?, self.expr(f, value, inside)?);
                    for lane in super::lanes_of(inside) {
                        let cell = &mut cells[index(&at[lane])];
                        *cell = fetched(*fetch, scalar, *cell, values[lane].bits());
                    }
                }
                let first = u32::MAX >> (32 - CELLS);
                let values = each(first, |lane| Value::One(cells[lane]));
                let own: Vec<_> = (0..32).collect();
                self.fetch(*fetch, Slice::Shared(scalar), &own, &[values, splat(0)], first);
            }
            other => panic!("{other:?} has no words of the block"),
        }
        Ok(())
    }

    pub(super) fn collective(
        &mut self,
        name: Collective,
        group: u32,
        ty: Ty,
        args: &[Lanes],
        mask: u32,
    ) -> Lanes {
        let size = group as usize;
        assert_whole(size, mask);
        let value = &args[0];
        let first = |lane: usize| lane / size * size;
        let vote = |lane: usize| {
            let votes = u64::from(holds(value, mask)) >> first(lane);
            votes & ((1 << size) - 1)
        };
        let other = |lane: usize| args[1][lane].bits() as usize;
        let from = |lane: usize| value[lane].clone();
        let edge = |lane: usize, source: Option<usize>| {
            value[source.filter(|&source| source < 32).unwrap_or(lane)].clone()
        };
        match name {
            Collective::Ballot => each(mask, |lane| Value::One(vote(lane))),
            Collective::Any => each(mask, |lane| Value::One(u64::from(vote(lane) != 0))),
            Collective::All => {
                each(mask, |lane| Value::One(u64::from(vote(lane) == (1 << size) - 1)))
            }
            Collective::Broadcast | Collective::Shuffle => each(mask, |lane| {
                assert!(other(lane) < size, "a lane beyond the group");
                from(first(lane) + other(lane))
            }),
            Collective::ShuffleXor => each(mask, |lane| from(lane ^ other(lane))),
            Collective::ShuffleUp => each(mask, |lane| edge(lane, lane.checked_sub(other(lane)))),
            Collective::ShuffleDown => each(mask, |lane| edge(lane, Some(lane + other(lane)))),
            Collective::ReduceSum => {
                self.reduce(value, size, mask, |a, b| join(Op::Add, ty.scalar(), a, b))
            }
            Collective::ReduceOr => {
                self.reduce(value, size, mask, |a, b| join(Op::Or, ty.scalar(), a, b))
            }
            Collective::ReduceMin => {
                self.reduce(value, size, mask, |a, b| numbers::extreme(ty.scalar(), a, b, false))
            }
            Collective::ReduceMax => {
                self.reduce(value, size, mask, |a, b| numbers::extreme(ty.scalar(), a, b, true))
            }
        }
    }

    /// A butterfly of shuffles: the order in which floats are added.
    fn reduce(&self, value: &Lanes, size: usize, mask: u32, f: impl Fn(u64, u64) -> u64) -> Lanes {
        let mut values = value.clone();
        let mut distance = size / 2;
        while distance > 0 {
            let before = values.clone();
            values = each(mask, |lane| {
                Value::One(f(before[lane].bits(), before[lane ^ distance].bits()))
            });
            distance /= 2;
        }
        values
    }

    /// Takes the lowest lane out of each group's queue.
    pub(super) fn dequeue(&mut self, f: &mut Frame, group: u32, var: VarId, mask: u32) -> Lanes {
        assert_whole(group as usize, mask);
        each(mask, |lane| {
            let queue = f.vars[var][lane].bits();
            assert_ne!(queue, 0, "nothing to take out");
            f.vars[var][lane] = Value::One(queue & (queue - 1));
            Value::One(queue.trailing_zeros().into())
        })
    }
}

fn assert_whole(size: usize, mask: u32) {
    for first in (0..32).step_by(size) {
        let lanes = (u64::from(mask) >> first) & ((1 << size) - 1);
        assert!(lanes == 0 || lanes == (1 << size) - 1, "the generator parts a group: {mask:032b}");
    }
}

fn join(op: Op, ty: Scalar, a: u64, b: u64) -> u64 {
    numbers::binary(op, ty, a, ty, b)
}

/// What an atomic operation of memory of the block leaves in a cell.
fn fetched(fetch: Fetch, ty: Scalar, before: u64, value: u64) -> u64 {
    match fetch {
        Fetch::Add => join(Op::Add, ty, before, value),
        Fetch::And => join(Op::And, ty, before, value),
        Fetch::Or => join(Op::Or, ty, before, value),
        Fetch::Xor => join(Op::Xor, ty, before, value),
        Fetch::Min => numbers::extreme(ty, before, value, false),
        Fetch::Max => numbers::extreme(ty, before, value, true),
        other => panic!("{other:?} depends on the order of lanes"),
    }
}
