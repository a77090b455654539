//! The graphs of the Meerkat paper (Table 5).

use crate::cli::bench::paper::graphs::PaperGraph;

const LJOURNAL: PaperGraph = PaperGraph {
    name: "LJournal",
    files: &["soc-LiveJournal1", "LJournal"],
    from: "https://snap.stanford.edu/data/soc-LiveJournal1.html",
    like: "rmat:22:69000000",
    quick: "rmat:8",
};
const RAND10M: PaperGraph = PaperGraph {
    name: "Rand10M",
    files: &["Rand10M"],
    from: "generated in the paper, too",
    like: "uniform:10000000:80000000",
    quick: "uniform:300:2400",
};
const BERKSTAN: PaperGraph = PaperGraph {
    name: "BerkStan",
    files: &["web-BerkStan", "BerkStan"],
    from: "https://snap.stanford.edu/data/web-BerkStan.html",
    like: "rmat:19:7600000",
    quick: "",
};
const WIKI_TALK: PaperGraph = PaperGraph {
    name: "Wiki-talk",
    files: &["wiki-Talk"],
    from: "https://snap.stanford.edu/data/wiki-Talk.html",
    like: "rmat:21:5000000",
    quick: "",
};
const WIKIPEDIA: PaperGraph = PaperGraph {
    name: "Wikipedia",
    files: &["Wikipedia"],
    from: "the paper does not say where: links of Wikipedia",
    like: "rmat:22:93400000",
    quick: "",
};
const ORKUT: PaperGraph = PaperGraph {
    name: "Orkut",
    files: &["com-Orkut", "com-orkut.ungraph", "Orkut"],
    from: "https://snap.stanford.edu/data/com-Orkut.html",
    like: "rmat:22:234400000",
    quick: "",
};
const USA_FULL: PaperGraph = PaperGraph {
    name: "USAFull",
    files: &["USA-road-d.USA", "USAFull", "road_usa"],
    from: "http://www.diag.uniroma1.it/challenge9/download.shtml",
    // Of a grid 2 of 5 edges are left out, so that degrees are those of the roads.
    like: "grid:4890x4890:400:10",
    quick: "grid:16x16:30:10",
};

/// All seven, in the order of the paper.
pub(super) const ALL: &[PaperGraph] =
    &[LJOURNAL, RAND10M, BERKSTAN, WIKI_TALK, WIKIPEDIA, ORKUT, USA_FULL];
