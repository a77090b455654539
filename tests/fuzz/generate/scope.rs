//! What is in scope, how far each value is the same, and which lanes are apart.

use crate::fuzz::language::{Ty, Var, VarId};

/// The largest group whose lanes are sure to agree: smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Warp,
    Tile16,
    Tile8,
    Tile4,
    Lane,
}

impl Level {
    pub(crate) fn of_group(group: u32) -> Level {
        match group {
            32 => Level::Warp,
            16 => Level::Tile16,
            8 => Level::Tile8,
            4 => Level::Tile4,
            _ => Level::Lane,
        }
    }

    pub(crate) fn group(self) -> u32 {
        match self {
            Level::Warp => 32,
            Level::Tile16 => 16,
            Level::Tile8 => 8,
            Level::Tile4 => 4,
            Level::Lane => 0,
        }
    }
}

/// A branch or a loop that is being written.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) level: Level,
    /// `Some` for a loop: its depth among loops, and its label.
    pub(crate) looped: Option<(usize, Option<&'static str>)>,
    /// The closure of a walk: nothing leaves it.
    is_walk: bool,
}

#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) vars: Vec<Var>,
    levels: Vec<Level>,
    /// How many frames were open where a variable was declared.
    depths: Vec<usize>,
    /// Variables that loops end by: read, never assigned.
    protected: Vec<VarId>,
    visible: Vec<VarId>,
    /// Variables that no expression may read now.
    pub(crate) unreadable: Vec<VarId>,
    /// For each walk around, how many variables and which were visible outside it.
    walls: Vec<(usize, usize)>,
    pub(crate) frames: Vec<Frame>,
    /// How far apart lanes are since some have returned.
    gone: Level,
    /// A variable is nowhere sure to be the same: an operator's are the items'.
    pub(crate) all_apart: bool,
}

impl Default for Scope {
    fn default() -> Self {
        Scope {
            vars: Vec::new(),
            levels: Vec::new(),
            depths: Vec::new(),
            protected: Vec::new(),
            visible: Vec::new(),
            unreadable: Vec::new(),
            walls: Vec::new(),
            frames: Vec::new(),
            gone: Level::Warp,
            all_apart: false,
        }
    }
}

impl Scope {
    pub(crate) fn declare(&mut self, var: Var, level: Level) -> VarId {
        let id = self.hidden(var, level);
        self.visible.push(id);
        id
    }

    /// A variable that is not in scope yet.
    pub(crate) fn hidden(&mut self, var: Var, level: Level) -> VarId {
        self.vars.push(var);
        self.levels.push(if self.all_apart { Level::Lane } else { level });
        self.depths.push(self.frames.len());
        self.vars.len() - 1
    }

    pub(crate) fn show(&mut self, var: VarId) {
        self.visible.push(var);
        self.depths[var] = self.frames.len();
    }

    pub(crate) fn protect(&mut self, var: VarId) {
        self.protected.push(var);
    }

    pub(crate) fn mark(&self) -> usize {
        self.visible.len()
    }

    pub(crate) fn reset(&mut self, mark: usize) {
        self.visible.truncate(mark);
    }

    pub(crate) fn level(&self, var: VarId) -> Level {
        self.levels[var]
    }

    /// Variables whose names mean them here.
    pub(crate) fn readable(&self, ty: impl Fn(Ty) -> bool, level: Level) -> Vec<VarId> {
        let fits = |var: &VarId| {
            ty(self.vars[*var].ty) && self.levels[*var] <= level && !self.unreadable.contains(var)
        };
        self.visible.iter().copied().filter(fits).filter(|&var| self.is_named(var)).collect()
    }

    /// Whether its name means it here.
    pub(crate) fn is_named(&self, var: VarId) -> bool {
        let name = &self.vars[var].name;
        self.visible.iter().rev().find(|&&other| self.vars[other].name == *name) == Some(&var)
    }

    /// The closure of a walk, in which variables outside are only put together.
    pub(crate) fn push_walk(&mut self) {
        self.walls.push((self.vars.len(), self.mark()));
        self.frames.push(Frame { level: Level::Lane, looped: None, is_walk: true });
    }

    pub(crate) fn pop_walk(&mut self) {
        self.frames.pop();
        let (_, mark) = self.walls.pop().expect("it was pushed");
        self.reset(mark);
    }

    /// Variables that may be assigned here, a value that is as uniform as they.
    pub(crate) fn assignable(&self, ty: impl Fn(Ty) -> bool) -> Vec<VarId> {
        let mut vars = self.readable(ty, Level::Lane);
        let wall = self.walls.last().map_or(0, |(vars, _)| *vars);
        vars.retain(|&var| {
            self.vars[var].mutable
                && var >= wall
                && !self.protected.contains(&var)
                && self.control_from(self.depths[var]) <= self.levels[var]
        });
        vars
    }

    fn control_from(&self, from: usize) -> Level {
        self.frames[from..].iter().map(|frame| frame.level).max().unwrap_or(Level::Warp)
    }

    /// How far apart lanes may be here.
    pub(crate) fn here(&self) -> Level {
        self.control_from(0).max(self.gone)
    }

    pub(crate) fn push(&mut self, level: Level) {
        self.frames.push(Frame { level, looped: None, is_walk: false });
    }

    pub(crate) fn push_loop(&mut self, level: Level, label: Option<&'static str>) {
        let depth = self.loops();
        self.frames.push(Frame { level, looped: Some((depth, label)), is_walk: false });
    }

    pub(crate) fn pop(&mut self) {
        self.frames.pop();
    }

    pub(crate) fn loops(&self) -> usize {
        self.frames.iter().filter(|frame| frame.looped.is_some()).count()
    }

    /// Whether lanes may leave all loops from frame `from` inwards here: each
    /// must already part its lanes as far as what is inside it does.
    fn may_leave(&self, from: usize) -> bool {
        (from..self.frames.len()).all(|at| {
            self.frames[at].looped.is_none() || self.control_from(at + 1) <= self.frames[at].level
        })
    }

    /// Loops that may be left here: depth, label, and whether it is innermost.
    pub(crate) fn targets(&self) -> Vec<(usize, Option<&'static str>, bool)> {
        let mut seen: Vec<&str> = Vec::new();
        let mut innermost = true;
        let mut found = Vec::new();
        for at in (0..self.frames.len()).rev() {
            if self.frames[at].is_walk {
                break;
            }
            let Some((depth, label)) = self.frames[at].looped else { continue };
            let hidden = label.is_some_and(|label| seen.contains(&label));
            if self.may_leave(at) && (innermost || label.is_some() && !hidden) {
                found.push((depth, label, innermost));
            }
            seen.extend(label);
            innermost = false;
        }
        found
    }

    pub(crate) fn may_return(&self) -> bool {
        self.walls.is_empty() && self.may_leave(0)
    }

    pub(crate) fn returned(&mut self) {
        self.gone = self.here();
    }
}
