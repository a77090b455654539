//! Sahu, "Efficient GPU Implementation of Static and Incrementally Expanding DF-P PageRank for
//! Dynamic Graphs" (2024), section 5.

use super::dfp_graphs::{
    ASKUBUNTU, LARGE, MATHOVERFLOW, STACKOVERFLOW, SUPERUSER, TEMPORAL, WIKI_TALK,
};
use super::{between, stated, theirs};
use crate::cli::bench::paper::experiment::{
    By, Experiment, Form, Mean, NotRun, Paper, Part, Scale,
};
use crate::cli::bench::paper::measure::ranks::{
    Batches, Look, batch_by_batch, by_part, of_pruning,
};
use crate::cli::bench::paper::measure::scratch;

pub(super) static PAPER: Paper = Paper {
    name: "dfp",
    title: "Efficient GPU Implementation of Static and Incrementally Expanding DF-P PageRank for \
            Dynamic Graphs (Sahu, 2024)",
    machine: "one A100",
    experiments: EXPERIMENTS,
    not_run: &[
        NotRun {
            what: "Table 1",
            needs: "Hornet, Gunrock, Galois, Tigr, Grus, Atos and GraphBLAST",
        },
        NotRun {
            what: "Figure 1",
            needs: "kernels that part vertices by degree beforehand; here schedules do it",
        },
        NotRun { what: "Hornet and Gunrock themselves in Figure 2", needs: "both" },
        NotRun {
            what: "Figures 6 to 8",
            needs: "the author's program for many cores; --device cpu and cuda measure ours",
        },
    ],
};

const PARTS: Form =
    Form::Lines { x: "a batch, as part of the edges", scale: Scale::Logarithmic, by: By::Series };
const EACH_BATCH: Form = Form::Lines { x: "batch", scale: Scale::Linear, by: By::Series };
const ERROR: &str = "sum of differences";
const OTHERS: Option<(&str, &str)> = Some(("Static", "DF-P"));

/// What experiments of this paper have in common.
const BASE: Experiment = Experiment {
    part: Part::Figure(""),
    title: "",
    unit: "ms a batch",
    form: PARTS,
    mean: Some(Mean::Geometric),
    graphs: TEMPORAL,
    measure: |_, _| Ok(Vec::new()),
    ratio: None,
    theirs: &[],
    stated: &[],
    note: "",
};

/// Figures 9 to 13: one temporal graph each.
const OF_ONE: Experiment =
    Experiment { unit: "", form: EACH_BATCH, mean: None, measure: batch_by_batch, ..BASE };

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        part: Part::Table("2a"),
        title: "DF-P over other ways to update ranks, temporal graphs",
        unit: "times as fast",
        form: Form::Bars,
        measure: |lab, graph| of_pruning(lab, graph, Batches::Temporal),
        // Table 2, the first figures.
        theirs: &[
            theirs("mean", "Static", &[(0.0, 2.1)]),
            theirs("mean", "ND", &[(0.0, 1.5)]),
            theirs("mean", "DT", &[(0.0, 1.8)]),
            theirs("mean", "DF", &[(0.0, 2.1)]),
        ],
        ..BASE
    },
    Experiment {
        part: Part::Table("2b"),
        title: "DF-P over other ways to update ranks, random batches on large graphs",
        unit: "times as fast",
        form: Form::Bars,
        graphs: LARGE,
        measure: |lab, graph| of_pruning(lab, graph, Batches::Random),
        // Table 2, the second figures.
        theirs: &[
            theirs("mean", "Static", &[(0.0, 3.1)]),
            theirs("mean", "ND", &[(0.0, 1.7)]),
            theirs("mean", "DT", &[(0.0, 13.1)]),
            theirs("mean", "DF", &[(0.0, 1.3)]),
        ],
        ..BASE
    },
    Experiment {
        part: Part::Figure("2"),
        title: "static PageRank",
        unit: "ms",
        form: Form::Bars,
        mean: Some(Mean::Geometric),
        graphs: LARGE,
        measure: |lab, graph| scratch::times(lab, graph, "pagerank", "f64, loops"),
        ratio: Some(("block arrays", "slab lists")),
        // Section 5.2.
        stated: &[stated("over Hornet on average", 31.0), stated("over Gunrock on average", 5.9)],
        note: "Block arrays are those of this library, laid out as Hornet's.",
        ..BASE
    },
    Experiment {
        part: Part::Figure("3a"),
        title: "runtime on temporal graphs (each graph: Figure 3c)",
        measure: |lab, graph| by_part(lab, graph, Batches::Temporal, Look::Runtime),
        ratio: OTHERS,
        // Section 5.3.1.
        stated: &[
            stated("DF over Static at 1e-5", 1.4),
            stated("DF-P over Static at 1e-5", 3.6),
            stated("DF-P over Static at 1e-4", 2.0),
            stated("DF-P over Static at 1e-3", 1.3),
            stated("DF-P over DT at 1e-5", 4.2),
            stated("DF-P over DT at 1e-4", 2.8),
            stated("DF-P over DT at 1e-3", 3.6),
        ],
        ..BASE
    },
    Experiment {
        part: Part::Figure("3b"),
        title: "error of the ranks on temporal graphs (each graph: Figure 3d)",
        unit: ERROR,
        measure: |lab, graph| by_part(lab, graph, Batches::Temporal, Look::Error),
        ..BASE
    },
    Experiment {
        part: Part::Figure("4"),
        title: "runtime on large graphs with random batches",
        graphs: LARGE,
        measure: |lab, graph| by_part(lab, graph, Batches::Random, Look::Runtime),
        ratio: OTHERS,
        // Section 5.3.2, batches of 1e-7 to 1e-4 of the edges.
        stated: &[
            stated("DF over Static up to 1e-4", 2.5),
            stated("DF over ND up to 1e-4", 1.3),
            stated("DF over DT up to 1e-4", 10.4),
            stated("DF-P over Static up to 1e-4", 3.1),
            stated("DF-P over ND up to 1e-4", 1.7),
            stated("DF-P over DT up to 1e-4", 13.1),
        ],
        ..BASE
    },
    Experiment {
        part: Part::Figure("5"),
        title: "error of the ranks on large graphs with random batches",
        unit: ERROR,
        graphs: LARGE,
        measure: |lab, graph| by_part(lab, graph, Batches::Random, Look::Error),
        // Section 5.3.2: the part up to which the error of DF-P is below that of Static.
        stated: &[between("batches with an error of DF-P below that of Static", 1e-7, 1e-4)],
        ..BASE
    },
    Experiment {
        part: Part::Figure("9"),
        title: "each batch of sx-mathoverflow",
        graphs: &[MATHOVERFLOW],
        ..OF_ONE
    },
    Experiment {
        part: Part::Figure("10"),
        title: "each batch of sx-askubuntu",
        graphs: &[ASKUBUNTU],
        ..OF_ONE
    },
    Experiment {
        part: Part::Figure("11"),
        title: "each batch of sx-superuser",
        graphs: &[SUPERUSER],
        ..OF_ONE
    },
    Experiment {
        part: Part::Figure("12"),
        title: "each batch of wiki-talk-temporal",
        graphs: &[WIKI_TALK],
        ..OF_ONE
    },
    Experiment {
        part: Part::Figure("13"),
        title: "each batch of sx-stackoverflow",
        graphs: &[STACKOVERFLOW],
        ..OF_ONE
    },
];
