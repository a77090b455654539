//! What there is, by name: the algorithms and what they are asked, for commands and for other languages.
//!
//! Names are those of the `meerkat` command, where a parameter `max_iterations` is the option
//! `--max-iterations`.

/// An algorithm as users name it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Algorithm {
    /// Its name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// A line about it.
    pub about: &'static str,
    /// What it is asked.
    pub parameters: &'static [Parameter],
    /// Whether its answer follows batches.
    pub follows: bool,
}

/// Something that an algorithm is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: ParameterKind,
    /// What it is if nobody says so.
    pub default: Default,
    /// A line about it.
    pub about: &'static str,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A vertex of the graph.
    Vertex,
    /// A whole number, from the first on.
    Integer(u64),
    /// A number, from the first on; below the second.
    Number(f64, f64),
    /// One of some words.
    Word(&'static [&'static str]),
}

/// What a parameter is if nobody says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// Somebody must say it.
    None,
    /// It depends on others, or is left out.
    Open,
    /// A whole number.
    Integer(u64),
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
}

use ParameterKind::{Integer, Number, Vertex, Word};

const fn parameter(
    name: &'static str,
    kind: ParameterKind,
    default: Default,
    about: &'static str,
) -> Parameter {
    Parameter { name, kind, default, about }
}

const SOURCE: Parameter = parameter("source", Vertex, Default::None, "Where paths start");

const PRECISION: Parameter = parameter(
    "precision",
    Word(&["f32", "f64"]),
    Default::Word("f64"),
    "The numbers it computes in",
);

/// Breadth-first search.
pub const BFS: Algorithm = Algorithm {
    name: "bfs",
    aliases: &[],
    about: "Breadth-first search: the depth of every vertex that a source reaches",
    parameters: &[SOURCE],
    follows: true,
};

/// Single-source shortest paths.
pub const SSSP: Algorithm = Algorithm {
    name: "sssp",
    aliases: &[],
    about: "Single-source shortest paths: the distance of every vertex from a source",
    parameters: &[SOURCE],
    follows: true,
};

/// Weakly connected components.
pub const WCC: Algorithm = Algorithm {
    name: "wcc",
    aliases: &["cc", "components"],
    about: "Weakly connected components: how many, and the largest",
    parameters: &[],
    follows: true,
};

/// Triangles.
pub const TRIANGLES: Algorithm = Algorithm {
    name: "triangles",
    aliases: &["tc"],
    about: "Triangles of the undirected simple graph",
    parameters: &[],
    follows: true,
};

/// PageRank.
pub const PAGERANK: Algorithm = Algorithm {
    name: "pagerank",
    aliases: &["pr"],
    about: "PageRank: the vertices where a random surfer is found most",
    parameters: &[
        PRECISION,
        parameter(
            "tolerance",
            Number(f64::MIN_POSITIVE, f64::INFINITY),
            Default::Open,
            "Stop when a step changes the ranks by less: 1e-12, or 1e-6 in f32",
        ),
        parameter(
            "norm",
            Word(&["l1", "linf"]),
            Default::Word("l1"),
            "How the change of a step is measured: the sum of all changes, or the largest",
        ),
        parameter("iterations", Integer(1), Default::Open, "Run exactly so many steps"),
        parameter(
            "max_iterations",
            Integer(1),
            Default::Integer(1000),
            "Fail if not converged after so many steps",
        ),
        parameter(
            "damping",
            Number(0.0, 1.0),
            Default::Number(0.85),
            "Part of a rank that is passed on along edges, from 0 to below 1",
        ),
        parameter(
            "dead_ends",
            Word(&["teleport", "self-loops"]),
            Default::Word("teleport"),
            "Where the rank of vertices without out-edges goes",
        ),
        parameter(
            "method",
            Word(&["static", "nd", "dt", "df", "dfp"]),
            Default::Word("dfp"),
            "How ranks follow updates: from scratch, naive-dynamic, dynamic traversal, dynamic \
             frontier, dynamic frontier with pruning",
        ),
        parameter(
            "frontier_tolerance",
            Number(0.0, f64::INFINITY),
            Default::Number(0.0),
            "With df and dfp: the relative change of a rank up to which out-neighbours do not follow",
        ),
        parameter(
            "prune_tolerance",
            Number(0.0, f64::INFINITY),
            Default::Number(0.0),
            "With dfp: the relative change of a rank up to which a vertex rests",
        ),
    ],
    follows: true,
};

/// k-trusses.
pub const KTRUSS: Algorithm = Algorithm {
    name: "ktruss",
    aliases: &["truss"],
    about: "k-trusses: edges that are in many triangles of such edges",
    parameters: &[parameter(
        "k",
        Integer(2),
        Default::Open,
        "The truss to find; without it the trussness of all edges, which follows no batches",
    )],
    follows: true,
};

/// Sparse matrix times vector.
pub const SPMV: Algorithm = Algorithm {
    name: "spmv",
    aliases: &[],
    about: "Sparse matrix times vector: the edges are the entries",
    parameters: &[PRECISION],
    follows: false,
};

/// The algorithms, in the order of the help.
pub const ALL: &[Algorithm] = &[BFS, SSSP, WCC, TRIANGLES, PAGERANK, KTRUSS, SPMV];

/// The algorithm that somebody calls so.
pub fn named(name: &str) -> Option<&'static Algorithm> {
    ALL.iter().find(|algorithm| algorithm.name == name || algorithm.aliases.contains(&name))
}
