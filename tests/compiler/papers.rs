//! The tables of docs/PAPERS.md: their lines are those of the functions, no kernel is
//! longer than the authors' CUDA, and what is longer than the papers' pseudocode says why.
//! (What the kernels compute, `cargo test --doc` checks.)

fn read(path: &str) -> String {
    std::fs::read_to_string(crate::support::root().join(path)).expect(path)
}

/// The lines of a function with its attributes, blank ones and comments left out.
fn lines_of(text: &str, name: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |line: &&str| {
        let line = line.trim_start();
        let line = line.strip_prefix("pub").unwrap_or(line);
        let line = line.strip_prefix("(super)").unwrap_or(line).trim_start();
        let rest = line.strip_prefix("fn ").and_then(|line| line.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with(['(', '<']))
    };
    let head = lines.iter().position(is_head).unwrap_or_else(|| panic!("no function `{name}`"));
    let indent = &lines[head][..lines[head].len() - lines[head].trim_start().len()];
    let (attribute, end) = (format!("{indent}#["), format!("{indent}}}"));
    let is_attribute = |line: &&&str| line.starts_with(&attribute);
    let attributes = lines[..head].iter().rev().take_while(is_attribute).count();
    let length = lines[head..].iter().position(|line| *line == end).expect("an end") + 1;
    let body = &lines[head - attributes..head + length];
    let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    body.iter().filter(is_code).count()
}

/// The lines of all functions that a cell names: of the page, or of the file in parentheses.
fn lines_of_cell(page: &str, cell: &str) -> usize {
    let file = cell.strip_suffix(".rs)").and_then(|cell| cell.split_once(" (meerkat-"));
    let text =
        file.map_or_else(|| page.to_owned(), |(_, path)| read(&format!("meerkat-{path}.rs")));
    cell.split('`').skip(1).step_by(2).map(|name| lines_of(&text, name)).sum()
}

fn cells(row: &str) -> Vec<&str> {
    row.split('|').map(str::trim).collect()
}

fn number(cell: &str) -> usize {
    cell.parse().expect("lines")
}

#[test]
fn what_is_longer_than_the_papers_algorithm_says_why() {
    let page = read("docs/PAPERS.md");
    let papers = ["| Meerkat ", "| Awad ", "| Sahu "];
    let is_row = |line: &&str| papers.iter().any(|paper| line.starts_with(paper));
    let mut compared = 0;
    for row in page.lines().filter(is_row) {
        let cells = cells(row);
        let (theirs, ours) = (number(cells[2]), number(cells[4]));
        assert_eq!(lines_of_cell(&page, cells[3]), ours, "{row}");
        assert_eq!(ours > theirs, !cells[5].is_empty(), "{row}");
        compared += 1;
    }
    assert!(compared >= 23, "{compared} rows");
}

#[test]
fn no_kernel_takes_more_lines_than_the_authors() {
    let page = read("docs/PAPERS.md");
    let mut compared = 0;
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells = cells(row);
        let name = cells[1].split('`').nth(1).expect("a name");
        let (ours, theirs) = (number(cells[2]), number(cells[4]));
        assert_eq!(lines_of(&page, name), ours, "{name}");
        assert!(ours <= theirs, "{name}: {ours} lines, the authors {theirs}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared} rows");
}
