//! Traps: what a GPU would get wrong silently stops the launch on the CPU.
//!
//! A lane raises a [`Trap`] by unwinding; the launch catches it and returns it
//! as an error that names the kernel and the user's line. Nothing is printed.

use std::panic::{Location, resume_unwind};

/// What went wrong in a lane.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An index past the end of a slice.
    Index {
        /// The index.
        index: u64,
        /// The slice's length.
        length: u64,
    },
    /// A collective that only part of its group reached.
    PartialGroup {
        /// The collective.
        name: &'static str,
        /// The lanes that are there.
        mask: u32,
    },
    /// A tile collective that only part of a tile reached.
    PartialTile {
        /// The collective.
        name: &'static str,
        /// The tile's size.
        size: u32,
        /// The lanes that are there.
        mask: u32,
    },
    /// A read of what is not a lane of the group.
    NoSuchLane {
        /// The collective.
        name: &'static str,
        /// The lane.
        lane: u32,
        /// How many lanes the group has.
        lanes: u32,
    },
    /// An integer division by zero.
    DivisionByZero,
    /// An assertion that does not hold.
    Assertion,
}

/// A fault and where it happened.
#[derive(Debug)]
pub(crate) struct Trap {
    pub(crate) fault: Fault,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Index { index, length } => {
                write!(f, "index {index} is out of bounds: the slice has {length} elements")
            }
            Fault::PartialGroup { name, mask } => write!(
                f,
                "`{name}` needs all 32 lanes and {} arrived (mask {mask:#010x}); call it where \
                 lanes do not part",
                mask.count_ones()
            ),
            Fault::PartialTile { name, size, mask } => write!(
                f,
                "`tile::<{size}>().{}` needs all lanes of each tile and only part of one arrived \
                 (mask {mask:#010x}); call it where lanes of a tile do not part",
                name.trim_start_matches("tile_")
            ),
            Fault::NoSuchLane { name, lane, lanes } => {
                write!(f, "`{name}` reads lane {lane}, which is not one of the {lanes} lanes")
            }
            Fault::DivisionByZero => write!(f, "division by zero"),
            Fault::Assertion => write!(f, "the assertion does not hold"),
        }
    }
}

/// Stops the launch; the error names the caller's line.
#[track_caller]
#[cold]
pub(crate) fn raise(fault: Fault) -> ! {
    let place = Location::caller();
    resume_unwind(Box::new(Trap { fault, file: place.file(), line: place.line() }))
}
