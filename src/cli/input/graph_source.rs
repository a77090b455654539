//! A graph of a file, or one that is generated.

use std::path::PathBuf;
use std::str::FromStr;

use meerkat::runtime::generate::Generator;

/// Where a graph comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum GraphSource {
    File(PathBuf),
    Generated(Generator),
}

impl FromStr for GraphSource {
    type Err = String;

    /// What begins like a generator is one, unless it is a file.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let path = PathBuf::from(text);
        let begins = ["uniform:", "rmat:", "grid:"].iter().any(|name| text.starts_with(name));
        if !begins || path.exists() {
            return Ok(Self::File(path));
        }
        text.parse()
            .map(Self::Generated)
            .map_err(|error: meerkat::runtime::Error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_generator_or_a_file() {
        let rmat = Generator::Rmat { scale: 5, edges: 512 };
        assert_eq!("rmat:5".parse(), Ok(GraphSource::Generated(rmat)));
        let grid = Generator::Grid { width: 4, height: 3, dropped: 30, diagonals: 10 };
        assert_eq!("grid:4x3:30:10".parse(), Ok(GraphSource::Generated(grid)));
        assert_eq!("graph.txt".parse(), Ok(GraphSource::File("graph.txt".into())));
        for text in ["rmat:", "rmat:0", "rmat:40", "uniform:5", "grid:4", "grid:4x0", "grid:4x4:1"]
        {
            let error = text.parse::<GraphSource>().expect_err(text);
            assert!(error.contains("names no synthetic graph"), "{error}");
        }
    }
}
