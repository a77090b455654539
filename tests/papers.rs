//! The table of docs/PAPERS.md: its lines are those of its kernels, and no more than
//! the authors'. (What the kernels compute, `cargo test --doc` checks.)

mod support;

/// The lines of a function with its attributes, blank ones and comments left out.
fn lines_of(page: &str, name: &str) -> usize {
    let lines: Vec<&str> = page.lines().collect();
    let is_head = |line: &&str| line.starts_with(&format!("fn {name}("));
    let head = lines.iter().position(is_head).expect("a function of this name");
    let attributes = lines[..head].iter().rev().take_while(|line| line.starts_with("#[")).count();
    let length = lines[head..].iter().position(|line| *line == "}").expect("an end") + 1;
    let body = &lines[head - attributes..head + length];
    let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    body.iter().filter(is_code).count()
}

#[test]
fn no_kernel_takes_more_lines_than_the_authors() {
    let page = std::fs::read_to_string(support::root().join("docs/PAPERS.md")).expect("the page");
    let mut compared = 0;
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].split('`').nth(1).expect("a name");
        let [ours, theirs] = [cells[2], cells[4]].map(|cell| cell.parse::<usize>().expect("lines"));
        assert_eq!(lines_of(&page, name), ours, "{name}");
        assert!(ours <= theirs, "{name}: {ours} lines, the authors {theirs}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared} rows");
}
