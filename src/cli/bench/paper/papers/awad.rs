//! Awad, Ashkiani, Porumbescu and Owens, "Dynamic Graphs on the GPU" (IPDPS 2020), section VI.

use super::awad_graphs::{ALL, COUNTED, DEGREES, DELETED, GROWN};
use super::{between, stated, theirs};
use crate::cli::bench::paper::experiment::{
    By, Experiment, Form, Mean, NotRun, Paper, Part, Scale,
};
use crate::cli::bench::paper::measure::updates::Sizes;
use crate::cli::bench::paper::measure::{growth, scratch, speedups, updates};

pub(super) static PAPER: Paper = Paper {
    name: "awad",
    title: "Dynamic Graphs on the GPU (Awad et al., 2020)",
    machine: "one TITAN V",
    experiments: EXPERIMENTS,
    not_run: &[
        NotRun { what: "Table VIII", needs: "the sorts of CUB and faimGraph" },
        NotRun {
            what: "Hornet itself in Tables II to VII and IX",
            needs: "Hornet; block arrays of this library are measured in its place",
        },
        NotRun { what: "faimGraph in Tables II to IV and VII", needs: "faimGraph" },
    ],
};

const BLOCKS: &str =
    "Block arrays are those of this library; the paper's beside them are Hornet's.";
const RATIO: Option<(&str, &str)> = Some(("slab lists", "block arrays"));
const LOAD_FACTORS: &[f32] = &[0.2, 0.35, 0.5, 0.7, 0.85, 1.0];
/// Tables II and III.
const EDGES: Sizes = Sizes {
    full: &[1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22],
    quick_part: 4096,
};
/// Table IV.
const VERTICES: Sizes =
    Sizes { full: &[1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20], quick_part: 16_384 };
/// Table VI.
const GROWTH: &[u32] = &[1 << 20, 1 << 21, 1 << 22];

const SIZES: Form = Form::Lines { x: "edges a batch", scale: Scale::Logarithmic, by: By::Series };

const LOADS: Form = Form::Lines { x: "load factor", scale: Scale::Linear, by: By::Graph };

/// What experiments of this paper have in common.
const BASE: Experiment = Experiment {
    part: Part::Table(""),
    title: "",
    unit: "MEdge/s",
    form: SIZES,
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
        part: Part::Table("II"),
        title: "edges inserted a second",
        mean: Some(Mean::Arithmetic),
        measure: |lab, graph| updates::rates(lab, graph, EDGES, |of| of.insert),
        ratio: RATIO,
        // Table II, the columns Hornet and Ours.
        theirs: &[
            theirs(
                "mean",
                "block arrays",
                &[
                    (65536.0, 33.67),
                    (131072.0, 44.71),
                    (262144.0, 51.43),
                    (524288.0, 70.81),
                    (1048576.0, 83.54),
                    (2097152.0, 97.41),
                    (4194304.0, 110.89),
                ],
            ),
            theirs(
                "mean",
                "slab lists",
                &[
                    (65536.0, 501.33),
                    (131072.0, 513.56),
                    (262144.0, 591.06),
                    (524288.0, 641.25),
                    (1048576.0, 664.52),
                    (2097152.0, 658.09),
                    (4194304.0, 646.01),
                ],
            ),
        ],
        // Section VI-A1.
        stated: &[between("over Hornet", 5.8, 14.8), between("over faimGraph", 3.4, 5.4)],
        note: BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Table("III"),
        title: "edges deleted a second",
        mean: Some(Mean::Arithmetic),
        measure: |lab, graph| updates::rates(lab, graph, EDGES, |of| of.delete),
        ratio: RATIO,
        // Table III, the columns Hornet and Ours.
        theirs: &[
            theirs(
                "mean",
                "block arrays",
                &[
                    (65536.0, 91.73),
                    (131072.0, 159.69),
                    (262144.0, 259.31),
                    (524288.0, 377.79),
                    (1048576.0, 537.73),
                    (2097152.0, 739.82),
                    (4194304.0, 1024.87),
                ],
            ),
            theirs(
                "mean",
                "slab lists",
                &[
                    (65536.0, 640.63),
                    (131072.0, 886.92),
                    (262144.0, 947.60),
                    (524288.0, 939.98),
                    (1048576.0, 988.85),
                    (2097152.0, 1007.16),
                    (4194304.0, 1015.47),
                ],
            ),
        ],
        // Section VI-A2.
        stated: &[between("over faimGraph", 3.6, 7.8)],
        note: BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Table("IV"),
        title: "vertices deleted a second",
        unit: "MVertex/s",
        form: Form::Lines { x: "vertices a batch", scale: Scale::Logarithmic, by: By::Series },
        mean: Some(Mean::Arithmetic),
        graphs: DELETED,
        measure: |lab, graph| updates::vertices(lab, graph, VERTICES),
        // Table IV, the column Ours.
        theirs: &[theirs(
            "mean",
            "slab lists",
            &[
                (65536.0, 5.35),
                (131072.0, 9.23),
                (262144.0, 12.66),
                (524288.0, 19.21),
                (1048576.0, 26.49),
            ],
        )],
        // Section VI-A3.
        stated: &[between("over faimGraph", 8.9, 12.2)],
        ..BASE
    },
    Experiment {
        part: Part::Table("V"),
        title: "build from all edges",
        unit: "ms",
        form: Form::Bars,
        measure: updates::builds,
        ratio: Some(("block arrays", "slab lists")),
        // Table V, without rgg_n_2_24_s0: 0.697 ms for 265 million edges is a misprint.
        theirs: &[
            theirs("luxembourg_osm", "block arrays", &[(0.0, 5.562)]),
            theirs("luxembourg_osm", "slab lists", &[(0.0, 0.184)]),
            theirs("germany_osm", "block arrays", &[(0.0, 330.311)]),
            theirs("germany_osm", "slab lists", &[(0.0, 12.407)]),
            theirs("road_usa", "block arrays", &[(0.0, 644.308)]),
            theirs("road_usa", "slab lists", &[(0.0, 27.910)]),
            theirs("delaunay_n23", "block arrays", &[(0.0, 273.532)]),
            theirs("delaunay_n23", "slab lists", &[(0.0, 19.590)]),
            theirs("delaunay_n20", "block arrays", &[(0.0, 37.68)]),
            theirs("delaunay_n20", "slab lists", &[(0.0, 2.494)]),
            theirs("rgg_n_2_20_s0", "block arrays", &[(0.0, 37.084)]),
            theirs("rgg_n_2_20_s0", "slab lists", &[(0.0, 5.053)]),
            theirs("coAuthorsDBLP", "block arrays", &[(0.0, 11.672)]),
            theirs("coAuthorsDBLP", "slab lists", &[(0.0, 0.835)]),
            theirs("ldoor", "block arrays", &[(0.0, 46.486)]),
            theirs("ldoor", "slab lists", &[(0.0, 15.936)]),
            theirs("soc-LiveJournal1", "block arrays", &[(0.0, 179.879)]),
            theirs("soc-LiveJournal1", "slab lists", &[(0.0, 26.176)]),
            theirs("soc-orkut", "slab lists", &[(0.0, 39.907)]),
            theirs("hollywood-2009", "block arrays", &[(0.0, 90.705)]),
            theirs("hollywood-2009", "slab lists", &[(0.0, 42.387)]),
        ],
        // Section VI-B1.
        stated: &[between("Hornet over theirs", 2.0, 30.0)],
        note: BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Table("VI"),
        title: "edges inserted a second into a graph that grows from nothing",
        mean: Some(Mean::Arithmetic),
        graphs: GROWN,
        measure: |lab, graph| growth::builds(lab, graph, (GROWTH, 4096)),
        ratio: RATIO,
        // Table VI.
        theirs: &[
            theirs(
                "mean",
                "block arrays",
                &[(1048576.0, 164.44), (2097152.0, 176.96), (4194304.0, 184.75)],
            ),
            theirs(
                "mean",
                "slab lists",
                &[(1048576.0, 841.31), (2097152.0, 945.64), (4194304.0, 993.82)],
            ),
        ],
        // Section VI-B2.
        stated: &[stated("over Hornet on average", 5.0)],
        note: BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Table("VII"),
        title: "static triangle counting",
        unit: "ms",
        form: Form::Bars,
        measure: |lab, graph| scratch::times(lab, graph, "triangles", "total"),
        ratio: Some(("block arrays", "slab lists")),
        // Table VII, the columns Hornet and Ours.
        theirs: &[
            theirs("luxembourg_osm", "block arrays", &[(0.0, 0.57)]),
            theirs("luxembourg_osm", "slab lists", &[(0.0, 0.31)]),
            theirs("germany_osm", "block arrays", &[(0.0, 26.31)]),
            theirs("germany_osm", "slab lists", &[(0.0, 29.69)]),
            theirs("road_usa", "block arrays", &[(0.0, 51.57)]),
            theirs("road_usa", "slab lists", &[(0.0, 66.20)]),
            theirs("delaunay_n23", "block arrays", &[(0.0, 25.74)]),
            theirs("delaunay_n23", "slab lists", &[(0.0, 56.38)]),
            theirs("delaunay_n20", "block arrays", &[(0.0, 3.35)]),
            theirs("delaunay_n20", "slab lists", &[(0.0, 6.43)]),
            theirs("rgg_n_2_20_s0", "block arrays", &[(0.0, 6.42)]),
            theirs("rgg_n_2_20_s0", "slab lists", &[(0.0, 23.24)]),
            theirs("rgg_n_2_24_s0", "block arrays", &[(0.0, 154.75)]),
            theirs("rgg_n_2_24_s0", "slab lists", &[(0.0, 493.6)]),
            theirs("coAuthorsDBLP", "block arrays", &[(0.0, 1.20)]),
            theirs("coAuthorsDBLP", "slab lists", &[(0.0, 6.98)]),
            theirs("ldoor", "block arrays", &[(0.0, 22.09)]),
            theirs("ldoor", "slab lists", &[(0.0, 222.07)]),
            theirs("soc-LiveJournal1", "block arrays", &[(0.0, 482.98)]),
            theirs("soc-LiveJournal1", "slab lists", &[(0.0, 1526.0)]),
            theirs("soc-orkut", "block arrays", &[(0.0, 3832.0)]),
            theirs("soc-orkut", "slab lists", &[(0.0, 6758.0)]),
            theirs("hollywood-2009", "block arrays", &[(0.0, 9784.0)]),
            theirs("hollywood-2009", "slab lists", &[(0.0, 11060.0)]),
        ],
        note: BLOCKS,
        ..BASE
    },
    Experiment {
        part: Part::Table("IX"),
        title: "triangles after each of five batches of 2^22 edges, cumulated",
        unit: "ms",
        form: Form::Lines { x: "batches", scale: Scale::Linear, by: By::Series },
        graphs: COUNTED,
        measure: |lab, graph| speedups::cumulated_triangles(lab, graph, 1 << 22),
        // Table IX, the columns Insert, TC and Total of Ours. The column TC of road_usa does not
        // add up to Total, and is left out.
        theirs: &[
            theirs("road_usa", "insert", &[(2.0, 14.8), (3.0, 29.7), (4.0, 44.5), (5.0, 59.4)]),
            theirs(
                "road_usa",
                "insert and count",
                &[(1.0, 64.1), (2.0, 129.5), (3.0, 195.0), (4.0, 260.5), (5.0, 325.8)],
            ),
            theirs(
                "hollywood-2009",
                "insert",
                &[(2.0, 12.4), (3.0, 24.9), (4.0, 37.3), (5.0, 49.8)],
            ),
            theirs(
                "hollywood-2009",
                "count from scratch",
                &[(1.0, 11151.0), (2.0, 22539.0), (3.0, 33921.0), (4.0, 45297.0), (5.0, 56724.0)],
            ),
            theirs(
                "hollywood-2009",
                "insert and count",
                &[(1.0, 11151.0), (2.0, 22551.0), (3.0, 33946.0), (4.0, 45335.0), (5.0, 56774.0)],
            ),
        ],
        note: "The paper's first count is before the first insertion, ours after it.",
        ..BASE
    },
    Experiment {
        part: Part::Figure("2"),
        title: "insertion and memory by load factor, R-MAT graphs",
        unit: "",
        form: LOADS,
        graphs: DEGREES,
        measure: |lab, graph| updates::by_load_factor(lab, graph, LOAD_FACTORS),
        // The text below Figure 2.
        stated: &[stated("insertion with chains of length 1 over length 5", 2.5)],
        note: "The paper draws these over the slabs of a list, up to 5; load factors end at 1 here.",
        ..BASE
    },
    Experiment {
        part: Part::Figure("3"),
        title: "static triangle counting by load factor, R-MAT graphs",
        unit: "ms",
        form: LOADS,
        graphs: DEGREES,
        measure: |lab, graph| scratch::by_load_factor(lab, graph, LOAD_FACTORS),
        // The text below Figure 3.
        stated: &[stated("the best load factor", 0.7)],
        ..BASE
    },
];
