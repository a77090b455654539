//! The graphs of "Dynamic Graphs on the GPU" (Table I), and the R-MAT graphs of its Figures 2
//! and 3.

use crate::cli::bench::paper::graphs::PaperGraph;

const fn graph(
    name: &'static str,
    files: &'static [&'static str],
    from: &'static str,
    like: &'static str,
) -> PaperGraph {
    PaperGraph { name, files, from, like, quick: "" }
}

const fn with_quick(graph: PaperGraph, quick: &'static str) -> PaperGraph {
    PaperGraph { quick, ..graph }
}

const LUXEMBOURG: PaperGraph = with_quick(
    graph(
        "luxembourg_osm",
        &["luxembourg_osm"],
        "https://sparse.tamu.edu/DIMACS10/luxembourg_osm",
        "grid:338x338:475:0",
    ),
    "grid:16x16:400:10",
);
const GERMANY: PaperGraph = graph(
    "germany_osm",
    &["germany_osm"],
    "https://sparse.tamu.edu/DIMACS10/germany_osm",
    "grid:3400x3400:475:0",
);
const ROAD_USA: PaperGraph = graph(
    "road_usa",
    &["road_usa"],
    "https://sparse.tamu.edu/DIMACS10/road_usa",
    "grid:4890x4890:400:10",
);
const DELAUNAY_23: PaperGraph = graph(
    "delaunay_n23",
    &["delaunay_n23"],
    "https://sparse.tamu.edu/DIMACS10/delaunay_n23",
    "grid:2896x2896:0:1000",
);
const DELAUNAY_20: PaperGraph = with_quick(
    graph(
        "delaunay_n20",
        &["delaunay_n20"],
        "https://sparse.tamu.edu/DIMACS10/delaunay_n20",
        "grid:1024x1024:0:1000",
    ),
    "grid:16x16:0:1000",
);
const RGG_20: PaperGraph = graph(
    "rgg_n_2_20_s0",
    &["rgg_n_2_20_s0"],
    "https://sparse.tamu.edu/DIMACS10/rgg_n_2_20_s0",
    "uniform:1048576:13800000",
);
const RGG_24: PaperGraph = graph(
    "rgg_n_2_24_s0",
    &["rgg_n_2_24_s0"],
    "https://sparse.tamu.edu/DIMACS10/rgg_n_2_24_s0",
    "uniform:16777216:265100000",
);
const DBLP: PaperGraph = graph(
    "coAuthorsDBLP",
    &["coAuthorsDBLP"],
    "https://sparse.tamu.edu/DIMACS10/coAuthorsDBLP",
    "rmat:18:1900000",
);
const LDOOR: PaperGraph = graph(
    "ldoor",
    &["ldoor"],
    "https://sparse.tamu.edu/GHS_psdef/ldoor",
    "uniform:952000:45500000",
);
const LIVEJOURNAL: PaperGraph = with_quick(
    graph(
        "soc-LiveJournal1",
        &["soc-LiveJournal1", "soc-LiveJournal"],
        "https://sparse.tamu.edu/SNAP/soc-LiveJournal1",
        "rmat:22:85700000",
    ),
    "rmat:8",
);
const ORKUT: PaperGraph = graph(
    "soc-orkut",
    &["soc-orkut", "com-Orkut"],
    "https://networkrepository.com/soc-orkut.php",
    "rmat:22:212700000",
);
const HOLLYWOOD: PaperGraph = with_quick(
    graph(
        "hollywood-2009",
        &["hollywood-2009"],
        "https://sparse.tamu.edu/LAW/hollywood-2009",
        "rmat:20:112800000",
    ),
    "rmat:7:3000",
);

/// All, in the order of Table I.
pub(super) const ALL: &[PaperGraph] = &[
    LUXEMBOURG,
    GERMANY,
    ROAD_USA,
    DELAUNAY_23,
    DELAUNAY_20,
    RGG_20,
    RGG_24,
    DBLP,
    LDOOR,
    LIVEJOURNAL,
    ORKUT,
    HOLLYWOOD,
];
/// Those of Table IV.
pub(super) const DELETED: &[PaperGraph] =
    &[ORKUT, LIVEJOURNAL, with_quick(DELAUNAY_23, "grid:16x16:0:1000"), GERMANY];
/// Those of Table VI.
pub(super) const GROWN: &[PaperGraph] =
    &[LDOOR, with_quick(DELAUNAY_23, "grid:16x16:0:1000"), ROAD_USA, LIVEJOURNAL];
/// Those of Table IX.
pub(super) const COUNTED: &[PaperGraph] = &[with_quick(ROAD_USA, "grid:16x16:400:10"), HOLLYWOOD];

const fn rmat(name: &'static str, like: &'static str, quick: &'static str) -> PaperGraph {
    PaperGraph { name, files: &[], from: "generated in the paper, too", like, quick }
}

/// Those of Figures 2 and 3, by their edges a vertex.
pub(super) const DEGREES: &[PaperGraph] = &[
    rmat("16 edges a vertex", "rmat:20:16777216", "rmat:7:2048"),
    rmat("32 edges a vertex", "rmat:20:33554432", "rmat:7:4096"),
    rmat("64 edges a vertex", "rmat:20:67108864", "rmat:7:8192"),
];
