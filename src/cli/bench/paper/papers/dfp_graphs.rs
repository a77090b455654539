//! The graphs of the DF-P paper: temporal ones (Table 3) and large ones (Table 4).

use crate::cli::bench::paper::graphs::PaperGraph;

const fn temporal(
    name: &'static str,
    files: &'static [&'static str],
    from: &'static str,
    (like, quick): (&'static str, &'static str),
) -> PaperGraph {
    PaperGraph { name, files, from, like, quick }
}

pub(super) const MATHOVERFLOW: PaperGraph = temporal(
    "sx-mathoverflow",
    &["sx-mathoverflow"],
    "https://snap.stanford.edu/data/sx-mathoverflow.html",
    ("rmat:15:507000", "rmat:6:600"),
);
pub(super) const ASKUBUNTU: PaperGraph = temporal(
    "sx-askubuntu",
    &["sx-askubuntu"],
    "https://snap.stanford.edu/data/sx-askubuntu.html",
    ("rmat:17:964000", "rmat:6:900"),
);
pub(super) const SUPERUSER: PaperGraph = temporal(
    "sx-superuser",
    &["sx-superuser"],
    "https://snap.stanford.edu/data/sx-superuser.html",
    ("rmat:18:1440000", "rmat:7:1000"),
);
pub(super) const WIKI_TALK: PaperGraph = temporal(
    "wiki-talk-temporal",
    &["wiki-talk-temporal"],
    "https://snap.stanford.edu/data/wiki-talk-temporal.html",
    ("rmat:20:7830000", "rmat:7:1200"),
);
pub(super) const STACKOVERFLOW: PaperGraph = temporal(
    "sx-stackoverflow",
    &["sx-stackoverflow"],
    "https://snap.stanford.edu/data/sx-stackoverflow.html",
    ("rmat:21:63400000", "rmat:7:1500"),
);

/// Table 3.
pub(super) const TEMPORAL: &[PaperGraph] =
    &[MATHOVERFLOW, ASKUBUNTU, SUPERUSER, WIKI_TALK, STACKOVERFLOW];

const fn large(
    name: &'static str,
    files: &'static [&'static str],
    from: &'static str,
    (like, quick): (&'static str, &'static str),
) -> PaperGraph {
    temporal(name, files, from, (like, quick))
}

/// Table 4. Stand-ins for the largest are smaller than they.
pub(super) const LARGE: &[PaperGraph] = &[
    large(
        "indochina-2004",
        &["indochina-2004"],
        "https://sparse.tamu.edu/LAW/indochina-2004",
        ("rmat:23:199000000", ""),
    ),
    large(
        "arabic-2005",
        &["arabic-2005"],
        "https://sparse.tamu.edu/LAW/arabic-2005",
        ("rmat:23:268000000", ""),
    ),
    large(
        "uk-2005",
        &["uk-2005"],
        "https://sparse.tamu.edu/LAW/uk-2005",
        ("rmat:24:268000000", ""),
    ),
    large(
        "webbase-2001",
        &["webbase-2001"],
        "https://sparse.tamu.edu/LAW/webbase-2001",
        ("rmat:25:268000000", ""),
    ),
    large(
        "it-2004",
        &["it-2004"],
        "https://sparse.tamu.edu/LAW/it-2004",
        ("rmat:24:267000000", ""),
    ),
    large(
        "sk-2005",
        &["sk-2005"],
        "https://sparse.tamu.edu/LAW/sk-2005",
        ("rmat:24:266000000", ""),
    ),
    large(
        "com-LiveJournal",
        &["com-LiveJournal"],
        "https://sparse.tamu.edu/SNAP/com-LiveJournal",
        ("rmat:22:73400000", "rmat:7:2000"),
    ),
    large(
        "com-Orkut",
        &["com-Orkut"],
        "https://sparse.tamu.edu/SNAP/com-Orkut",
        ("rmat:22:237000000", ""),
    ),
    large(
        "asia_osm",
        &["asia_osm"],
        "https://sparse.tamu.edu/DIMACS10/asia_osm",
        ("grid:3464x3464:475:0", "grid:16x16:400:10"),
    ),
    large(
        "europe_osm",
        &["europe_osm"],
        "https://sparse.tamu.edu/DIMACS10/europe_osm",
        ("grid:7134x7134:475:0", ""),
    ),
    large(
        "kmer_A2a",
        &["kmer_A2a"],
        "https://sparse.tamu.edu/GenBank/kmer_A2a",
        ("grid:8192x8192:475:0", ""),
    ),
    large(
        "kmer_V1r",
        &["kmer_V1r"],
        "https://sparse.tamu.edu/GenBank/kmer_V1r",
        ("grid:9216x9216:475:0", ""),
    ),
];
