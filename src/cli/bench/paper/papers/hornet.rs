//! Busato, Green, Bombieri and Bader, "Hornet: An Efficient Data Structure for Dynamic Sparse
//! Graphs and Matrices on GPUs" (HPEC 2018), section IV.

use meerkat::runtime::BlockOptions;

use super::{between, stated, theirs};
use crate::cli::bench::paper::experiment::{By, Experiment, Form, NotRun, Paper, Part, Scale};
use crate::cli::bench::paper::graphs::PaperGraph;
use crate::cli::bench::paper::measure::updates::Sizes;
use crate::cli::bench::paper::measure::{memory, reading, trusses, updates};

pub(super) static PAPER: Paper = Paper {
    name: "hornet",
    title: "Hornet: An Efficient Data Structure for Dynamic Sparse Graphs and Matrices on GPUs \
            (Busato et al., 2018)",
    machine: "one P100",
    experiments: EXPERIMENTS,
    not_run: &[
        NotRun { what: "Figures 5a and 5c", needs: "cuSTINGER" },
        NotRun { what: "Figures 6a and 6c", needs: "AIM" },
        NotRun { what: "Gunrock in Figure 7", needs: "Gunrock" },
        NotRun { what: "DCSR in Figure 8", needs: "DCSR" },
    ],
};

/// The graphs that the text names (section IV).
const GRAPHS: &[PaperGraph] = &[
    PaperGraph {
        name: "dblp-2010",
        files: &["dblp-2010"],
        from: "https://sparse.tamu.edu/LAW/dblp-2010",
        like: "rmat:18:1615400",
        quick: "rmat:8:1600",
    },
    PaperGraph {
        name: "cage15",
        files: &["cage15"],
        from: "https://sparse.tamu.edu/vanHeukelum/cage15",
        like: "uniform:5154859:99199551",
        quick: "uniform:300:3000",
    },
    PaperGraph {
        name: "kron_g500-logn21",
        files: &["kron_g500-logn21"],
        from: "https://sparse.tamu.edu/DIMACS10/kron_g500-logn21",
        like: "rmat:21:182082942",
        quick: "rmat:7:4000",
    },
];

/// Section IV-B: from 1 to 10^7.
const BATCHES: Sizes =
    Sizes { full: &[1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000], quick_part: 10_000 };
const RATES: Form = Form::Lines { x: "edges a batch", scale: Scale::Logarithmic, by: By::Graph };

/// What experiments of this paper have in common.
const BASE: Experiment = Experiment {
    part: Part::Figure(""),
    title: "",
    unit: "",
    form: Form::Bars,
    mean: None,
    graphs: GRAPHS,
    measure: |_, _| Ok(Vec::new()),
    ratio: None,
    theirs: &[],
    stated: &[],
    note: "",
};

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        part: Part::Figure("4a"),
        title: "places of blocks that hold edges",
        unit: "%",
        measure: memory::full_blocks,
        // Section IV-A.
        theirs: &[theirs("dblp-2010", "block arrays", &[(0.0, 78.0)])],
        ..BASE
    },
    Experiment {
        part: Part::Figure("4b"),
        title: "places of block arrays that are in use",
        unit: "%",
        measure: memory::full_arrays,
        ..BASE
    },
    Experiment {
        part: Part::Figure("4c"),
        title: "memory efficiency, compressed rows are 100 %",
        unit: "%",
        measure: memory::beside_rows,
        // Section IV-A: almost twice.
        stated: &[stated("Hornet over cuSTINGER, about", 2.0)],
        note: "cuSTINGER and AIM are block arrays with the settings that the paper compares with.",
        ..BASE
    },
    Experiment {
        part: Part::Figure("5b"),
        title: "insertions with the settings for cuSTINGER",
        unit: "MEdge/s",
        form: RATES,
        measure: |lab, graph| updates::of_blocks(lab, graph, BATCHES, BlockOptions::CUSTINGER),
        // Section IV-B.
        stated: &[stated("edges a batch up to which cuSTINGER is faster", 1e4)],
        ..BASE
    },
    Experiment {
        part: Part::Figure("6b"),
        title: "insertions with the settings for AIM",
        unit: "MEdge/s",
        form: RATES,
        measure: |lab, graph| updates::of_blocks(lab, graph, BATCHES, BlockOptions::AIM),
        // Section IV-B.
        stated: &[stated("most MEdge/s", 800.0), stated("over AIM at most", 82.0)],
        ..BASE
    },
    Experiment {
        part: Part::Figure("7"),
        title: "breadth-first search over block arrays beside compressed rows",
        unit: "times as fast",
        measure: reading::searches,
        // Section IV-C.
        stated: &[stated("over CSR at most", 1.1), stated("over Gunrock at most", 5.5)],
        ..BASE
    },
    Experiment {
        part: Part::Figure("8"),
        title: "matrix times vector over block arrays beside compressed rows",
        unit: "times as fast",
        measure: reading::products,
        // Section IV-C.
        stated: &[between("over DCSR", 10.0, 100.0)],
        ..BASE
    },
    Experiment {
        part: Part::Figure("9"),
        title: "edges deleted a second until the maximal k-truss is left",
        unit: "MEdge/s",
        measure: trusses::rates,
        // Section IV-D.
        stated: &[stated("at peak", 48.0)],
        ..BASE
    },
];
