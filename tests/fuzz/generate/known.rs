//! Constructs the generator leaves out until a known difference is resolved.
//! Each has a test in `tests/fuzz_pending/`; set it to `true` when that passes.

/// `match x { -1 => .. }`: negative numbers in patterns.
pub const NEGATIVE_PATTERNS: bool = false;

/// Effects in what is broadcast or shuffled: only the lanes read had them.
pub const EFFECTS_IN_EXCHANGES: bool = false;

/// Effects after a read of memory, and any call there, where an expression may
/// not run or runs again: behind `&&`, in an arm in the middle of an expression,
/// in the condition of a loop.
pub const EFFECTS_NOT_ALWAYS: bool = false;

/// `slice[i] = if c { let x = a; x } else { b }`: a place that is no variable.
pub const BRANCH_TO_PLACE: bool = false;

/// Effects in the index of a place that is assigned with an operator: had twice.
pub const EFFECTS_IN_PLACES: bool = false;

/// A variable named `matched` in an arm of a `match`.
pub const NAME_MATCHED: bool = false;

/// An element of an array in the index of a place in the same array.
pub const ARRAYS_IN_PLACES: bool = false;

/// Arrays whose names shadow other variables, and literal indices with a suffix.
pub const SHADOWED_ARRAYS: bool = false;

/// A variable named after a loop's, with `_end`.
pub const NAME_END: bool = false;
