//! How large a graph may be.

/// Most vertices of a graph: the dense indices above are kept for marks such
/// as an empty slot.
pub const MAX_VERTICES: u64 = (1 << 32) - 4;
