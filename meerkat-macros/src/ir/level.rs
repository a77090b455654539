//! Groups of lanes, and how far a value is the same.

/// The largest group whose lanes are sure to agree: smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Grid,
    Block,
    Warp,
    Tile16,
    Tile8,
    Tile4,
    Lane,
}

/// The lanes of the largest block there can be: what its collectives wait for.
pub(crate) const BLOCK: u32 = 1024;

impl Level {
    /// The level of a value that a group of this number of lanes shares.
    pub(crate) fn of_group(lanes: u32) -> Option<Level> {
        match lanes {
            BLOCK => Some(Level::Block),
            32 => Some(Level::Warp),
            16 => Some(Level::Tile16),
            8 => Some(Level::Tile8),
            4 => Some(Level::Tile4),
            _ => None,
        }
    }

    /// The largest group that is whole where control flow has this level; 0 if
    /// every lane is on its own.
    pub(crate) fn group(self) -> u32 {
        match self {
            Level::Grid | Level::Block => BLOCK,
            Level::Warp => 32,
            Level::Tile16 => 16,
            Level::Tile8 => 8,
            Level::Tile4 => 4,
            Level::Lane => 0,
        }
    }

    /// What such a value is shared by, in words.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Level::Grid => "launch",
            Level::Block => "block",
            Level::Warp => "warp",
            Level::Tile16 | Level::Tile8 | Level::Tile4 => "tile",
            Level::Lane => "lane",
        }
    }

    /// `lane to lane`, `tile to tile`: between what such a value differs.
    pub(crate) fn between(self) -> &'static str {
        match self {
            Level::Grid | Level::Block => "block to block",
            Level::Warp => "warp to warp",
            Level::Tile16 | Level::Tile8 | Level::Tile4 => "tile to tile",
            Level::Lane => "lane to lane",
        }
    }
}
