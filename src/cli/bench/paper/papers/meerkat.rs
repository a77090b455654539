//! Concessao, Cheramangalath, Dev and Nasre, "Meerkat: A Framework for Dynamic Graph Algorithms on
//! GPUs" (2023), section 6.

use meerkat::algos::wcc::Scheme;

use super::meerkat_graphs::ALL;
use super::{between, stated, theirs};
use crate::cli::bench::batches::Kind;
use crate::cli::bench::paper::experiment::{By, Experiment, Form, NotRun, Paper, Part, Scale};
use crate::cli::bench::paper::measure::updates::Sizes;
use crate::cli::bench::paper::measure::{components, memory, scratch, speedups, updates};

pub(super) static PAPER: Paper = Paper {
    name: "meerkat",
    title: "Meerkat: A Framework for Dynamic Graph Algorithms on GPUs (Concessao et al., 2023)",
    machine: "one RTX 2080 Ti",
    experiments: EXPERIMENTS,
    not_run: &[NotRun {
        what: "Hornet itself in Figures 3 to 6, 8a, 11a and 12a",
        needs: "Hornet; block arrays of this library are measured in its place",
    }],
};

const OVER_BLOCKS: &str = "Over block arrays of this library; the paper's are over Hornet.";
const SPEEDUP: &str = "times as fast";
const THAN_BLOCKS: &str = "times as fast as block arrays";
/// Section 6: small batches of insertions and deletions.
const SMALL: Sizes = Sizes { full: &[2048, 4096, 8192], quick_part: 128 };
/// Section 6, of Figure 5: from 2^16 to 2^20.
const QUERIES: Sizes =
    Sizes { full: &[1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20], quick_part: 4096 };
const BATCHES: Form = Form::Lines { x: "edges a batch", scale: Scale::Linear, by: By::Graph };
const ONE_BUCKET: &[components::Way] =
    &[("UpdateIterator + Single Bucket", Scheme::UpdateIterator, false)];
const ITERATORS: &[components::Way] = &[
    ("SlabIterator", Scheme::SlabIterator, true),
    ("UpdateIterator", Scheme::UpdateIterator, true),
];

/// What experiments of this paper have in common.
const BASE: Experiment = Experiment {
    part: Part::Figure(""),
    title: "",
    unit: SPEEDUP,
    form: Form::Bars,
    mean: None,
    graphs: ALL,
    measure: |_, _| Ok(Vec::new()),
    ratio: None,
    theirs: &[],
    stated: &[],
    note: "",
};

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        part: Part::Table("5"),
        title: "memory of the graph, heads of lists allocated singly and together",
        unit: "GiB",
        measure: memory::heads,
        ratio: Some(("in SlabHash", "in Meerkat")),
        // Table 5, the last two columns; USAFull ran out of memory in SlabHash.
        theirs: &[
            theirs("LJournal", "in SlabHash", &[(0.0, 2.56)]),
            theirs("LJournal", "in Meerkat", &[(0.0, 0.97)]),
            theirs("Rand10M", "in SlabHash", &[(0.0, 4.92)]),
            theirs("Rand10M", "in Meerkat", &[(0.0, 1.34)]),
            theirs("BerkStan", "in SlabHash", &[(0.0, 0.48)]),
            theirs("BerkStan", "in Meerkat", &[(0.0, 0.25)]),
            theirs("Wiki-talk", "in SlabHash", &[(0.0, 1.32)]),
            theirs("Wiki-talk", "in Meerkat", &[(0.0, 0.46)]),
            theirs("Wikipedia", "in SlabHash", &[(0.0, 2.02)]),
            theirs("Wikipedia", "in Meerkat", &[(0.0, 1.0)]),
            theirs("Orkut", "in SlabHash", &[(0.0, 2.37)]),
            theirs("Orkut", "in Meerkat", &[(0.0, 1.69)]),
            theirs("USAFull", "in Meerkat", &[(0.0, 6.1)]),
        ],
        // Section 6.
        stated: &[between("in SlabHash over in Meerkat", 1.4, 3.67), stated("its mean", 2.33)],
        ..BASE
    },
    Experiment {
        part: Part::Figure("3"),
        title: "insertion of the whole graph and of small batches",
        unit: THAN_BLOCKS,
        measure: |lab, graph| updates::over_blocks(lab, graph, SMALL, (|of| of.insert, true)),
        // Section 6.
        stated: &[between("small batches over Hornet", 3.7, 11.04)],
        note: OVER_BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Figure("4"),
        title: "deletion of small batches",
        unit: THAN_BLOCKS,
        measure: |lab, graph| updates::over_blocks(lab, graph, SMALL, (|of| of.delete, false)),
        // Section 6.
        stated: &[between("small batches over Hornet", 10.48, 16.15)],
        note: OVER_BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Figure("5"),
        title: "searches for random edges",
        unit: THAN_BLOCKS,
        measure: |lab, graph| updates::over_blocks(lab, graph, QUERIES, (|of| of.miss, false)),
        // Section 6.
        stated: &[between("over Hornet on average", 2.16, 6.37)],
        note: OVER_BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Figure("6a"),
        title: "static BFS",
        unit: THAN_BLOCKS,
        measure: |lab, graph| scratch::over_blocks(lab, graph, "bfs", BFS),
        // Section 6.1.1.
        stated: &[between("VANILLA over Hornet: mean to most", 1.17, 1.82)],
        note: OVER_BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Figure("6b"),
        title: "static SSSP",
        unit: THAN_BLOCKS,
        measure: |lab, graph| scratch::over_blocks(lab, graph, "sssp", SSSP),
        // Section 6.1.1.
        stated: &[between("VANILLA over Hornet: mean to most", 1.32, 1.85)],
        note: OVER_BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Figure("7a"),
        title: "dynamic BFS over static BFS, ten batches of 10,000 edges",
        measure: |lab, graph| speedups::ten_batches(lab, graph, "bfs"),
        ..BASE
    },
    Experiment {
        part: Part::Figure("7b"),
        title: "dynamic SSSP over static SSSP, ten batches of 10,000 edges",
        measure: |lab, graph| speedups::ten_batches(lab, graph, "sssp"),
        ..BASE
    },
    Experiment {
        part: Part::Figure("8a"),
        title: "static PageRank",
        unit: THAN_BLOCKS,
        measure: |lab, graph| scratch::over_blocks(lab, graph, "pagerank", &[("f64", "PageRank")]),
        // Section 6.2.1, without Rand10M.
        stated: &[between("over Hornet", 1.18, 2.49), stated("its mean", 1.74)],
        note: OVER_BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Figure("8b"),
        title: "dynamic PageRank over static PageRank, ten batches of 10,000 edges",
        measure: |lab, graph| speedups::ten_batches(lab, graph, "pagerank"),
        ..BASE
    },
    Experiment {
        part: Part::Figure("9"),
        title: "PageRank after small batches of insertions",
        unit: "on average",
        form: BATCHES,
        measure: |lab, graph| speedups::small_batches(lab, graph, Kind::Incremental),
        ..BASE
    },
    Experiment {
        part: Part::Figure("10"),
        title: "PageRank after small batches of deletions",
        unit: "on average",
        form: BATCHES,
        measure: |lab, graph| speedups::small_batches(lab, graph, Kind::Decremental),
        ..BASE
    },
    Experiment {
        part: Part::Figure("11a"),
        title: "static triangle counting",
        unit: THAN_BLOCKS,
        measure: |lab, graph| scratch::over_blocks(lab, graph, "triangles", &[("total", "count")]),
        // Section 6.3, the other way round there.
        stated: &[between("Hornet over Meerkat: mean to most", 31.12, 59.34)],
        note: "Over block arrays of this library, in which the lists are counted alike.",
        ..BASE
    },
    Experiment {
        part: Part::Figure("11b"),
        title: "dynamic triangle counting over static, ten batches of 10,000 edges",
        measure: |lab, graph| speedups::ten_batches(lab, graph, "triangles"),
        ..BASE
    },
    Experiment {
        part: Part::Figure("12a"),
        title: "static WCC",
        unit: THAN_BLOCKS,
        measure: |lab, graph| scratch::over_blocks(lab, graph, "wcc", &[("", "WCC")]),
        // Section 6.4.1.
        stated: &[stated("over Hornet on average", 6.08)],
        note: OVER_BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Figure("12b"),
        title: "incremental WCC over the naive scheme, with one bucket a vertex",
        measure: |lab, graph| components::over_naive(lab, graph, ONE_BUCKET),
        ..BASE
    },
    Experiment {
        part: Part::Table("6"),
        title: "incremental WCC over the naive scheme",
        measure: |lab, graph| components::over_naive(lab, graph, ITERATORS),
        // Table 6: 2K, 4K, 8K.
        theirs: &[
            theirs("LJournal", "SlabIterator", &[(2048.0, 40.5), (4096.0, 12.3), (8192.0, 10.9)]),
            theirs("Rand10M", "SlabIterator", &[(2048.0, 149.8), (4096.0, 170.4), (8192.0, 146.9)]),
            theirs("BerkStan", "SlabIterator", &[(2048.0, 9.55), (4096.0, 9.98), (8192.0, 9.03)]),
            theirs("Wiki-talk", "SlabIterator", &[(2048.0, 18.3), (4096.0, 8.62), (8192.0, 7.37)]),
            theirs(
                "Wikipedia",
                "SlabIterator",
                &[(2048.0, 23.65), (4096.0, 18.19), (8192.0, 18.07)],
            ),
            theirs("Orkut", "SlabIterator", &[(2048.0, 82.3), (4096.0, 62.9), (8192.0, 20.5)]),
            theirs("USAFull", "SlabIterator", &[(2048.0, 33.9), (4096.0, 34.3), (8192.0, 34.0)]),
            theirs("LJournal", "UpdateIterator", &[(2048.0, 34.6), (4096.0, 8.36), (8192.0, 7.58)]),
            theirs(
                "Rand10M",
                "UpdateIterator",
                &[(2048.0, 149.0), (4096.0, 146.8), (8192.0, 144.7)],
            ),
            theirs("BerkStan", "UpdateIterator", &[(2048.0, 7.71), (4096.0, 7.82), (8192.0, 7.34)]),
            theirs(
                "Wiki-talk",
                "UpdateIterator",
                &[(2048.0, 15.8), (4096.0, 7.27), (8192.0, 6.37)],
            ),
            theirs(
                "Wikipedia",
                "UpdateIterator",
                &[(2048.0, 19.56), (4096.0, 15.34), (8192.0, 15.08)],
            ),
            theirs("Orkut", "UpdateIterator", &[(2048.0, 71.0), (4096.0, 52.9), (8192.0, 17.0)]),
            theirs("USAFull", "UpdateIterator", &[(2048.0, 33.9), (4096.0, 34.0), (8192.0, 33.6)]),
        ],
        ..BASE
    },
];

const BFS: &[scratch::Variant] = &[("levels", "VANILLA"), ("tree", "TREE")];
const SSSP: &[scratch::Variant] = &[("distances", "VANILLA"), ("tree", "TREE")];
