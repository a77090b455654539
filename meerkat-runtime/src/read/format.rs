//! The formats of graph files.

use std::path::Path;
use std::str::FromStr;

/// A format of graph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Edge list as SNAP and KONECT publish them, separated by blanks, tabs, commas or
    /// semicolons; GAPBS `.el` and `.wel` files are read as this.
    EdgeList,
    /// Edge list of the ending `.csv` or `.tsv`, perhaps with a line of column names.
    Csv,
    /// MatrixMarket coordinate file of a square matrix.
    MatrixMarket,
    /// DIMACS shortest-path file.
    Dimacs,
    /// METIS adjacency lists.
    Metis,
    /// LDBC Graphalytics edge file with a vertex file beside it.
    Graphalytics,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] = [
        Self::EdgeList,
        Self::Csv,
        Self::MatrixMarket,
        Self::Dimacs,
        Self::Metis,
        Self::Graphalytics,
    ];

    /// Its name: `edge-list`, `csv`, `matrix-market`, `dimacs`, `metis` or
    /// `graphalytics`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EdgeList => "edge-list",
            Self::Csv => "csv",
            Self::MatrixMarket => "matrix-market",
            Self::Dimacs => "dimacs",
            Self::Metis => "metis",
            Self::Graphalytics => "graphalytics",
        }
    }
}

impl FromStr for Format {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let format = Self::ALL.into_iter().find(|format| format.name() == text);
        format.ok_or("give edge-list, csv, matrix-market, dimacs, metis or graphalytics")
    }
}

/// The ending of a file name in lower case, `.gz` taken off; "" if none.
pub(super) fn ending(path: &Path) -> String {
    let ending_of = |path: &Path| {
        path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
    };
    match ending_of(path) {
        ending if ending == "gz" => ending_of(&path.with_extension("")),
        ending => ending,
    }
}
