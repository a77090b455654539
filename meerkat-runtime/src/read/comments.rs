//! What the comments before the records of an edge list say: SNAP's `# Undirected graph`,
//! KONECT's `% sym unweighted`, and the names of columns.

use super::contents::Contents;
use super::lines::Line;

/// Marks that a comment starts with.
pub(super) const MARKS: &[u8] = b"#%";

/// The comments before the first record.
#[derive(Default)]
pub(super) struct Comments<'a> {
    /// Whether the arcs have a direction; `None` if no comment says, or two disagree.
    pub directed: Option<bool>,
    /// The file is one of KONECT's: a third column is a weight, a fourth a time.
    pub is_konect: bool,
    /// Sources and targets are two kinds of vertices, each numbered from 1.
    pub is_bipartite: bool,
    pub first: Option<Line<'a>>,
    /// The last one, which may name the columns.
    pub last: Option<Line<'a>>,
}

impl<'a> Comments<'a> {
    pub(super) fn of(contents: &'a Contents) -> Self {
        let mut comments = Self::default();
        let mut said = Vec::new();
        for line in contents.lines().take_while(|line| line.starts_with_any(MARKS)) {
            let words = first_words(&line);
            match (words.each_ref().map(String::as_str), line.starts_with_any(b"%")) {
                (["undirected", "graph"], _) => said.push(false),
                (["directed", "graph"], _) => said.push(true),
                ([kind @ ("sym" | "asym" | "bip"), _], true) if line.number == 1 => {
                    comments.is_konect = true;
                    comments.is_bipartite = kind == "bip";
                    said.push(kind == "asym");
                }
                _ => {}
            }
            comments.first.get_or_insert(line);
            comments.last = Some(line);
        }
        let agrees = said.iter().all(|directed| Some(directed) == said.first());
        comments.directed = said.first().copied().filter(|_| agrees);
        comments
    }
}

/// The comment without its marks.
pub(super) fn without_marks<'a>(line: &Line<'a>) -> Line<'a> {
    let marks = line.text.iter().take_while(|byte| MARKS.contains(byte)).count();
    line.after(marks)
}

/// The first two words in lower case, punctuation taken off.
fn first_words(line: &Line<'_>) -> [String; 2] {
    let line = without_marks(line);
    let mut words = line.words().map(|word| {
        let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic());
        letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect()
    });
    std::array::from_fn(|_| words.next().unwrap_or_default())
}
