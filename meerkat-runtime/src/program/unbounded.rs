//! Walks of a lane that need not count: a container that does not know how many neighbours a vertex has says
//! `u32::MAX`, and counting down from there ends no walk.

use super::fold::{Line, depth, mentions};
use std::collections::HashSet;

/// Whether a function says nothing but the largest number.
pub(super) fn says_most(lines: &[Line]) -> bool {
    matches!(lines, [_, (_, only), _] if only.trim() == "return Limits<u32>::MAX;")
}

/// The lines without variables that are counted down from the largest number, of which a function in
/// `unbounded` says that it bounds nothing: how many neighbours are left, where a container does not know.
pub(super) fn without_bounds(mut lines: Vec<Line>, unbounded: &HashSet<String>) -> Vec<Line> {
    let mut at = 0;
    while at < lines.len() {
        match counted_down(&lines, at, unbounded) {
            Some((name, end)) => {
                let (count, test) = (format!("{name} -= 1u;"), format!(" && {name} != 0u"));
                let mut block: Vec<_> = lines.drain(at..end).skip(1).collect();
                block.retain(|(_, line)| line.trim() != count);
                block.iter_mut().for_each(|(_, line)| *line = line.replace(&test, ""));
                lines.splice(at..at, block);
            }
            None => at += 1,
        }
    }
    lines
}

/// The variable that the line declares, if nothing but the count down and the ends of loops mentions it in
/// its block; and where that ends.
fn counted_down(lines: &[Line], at: usize, unbounded: &HashSet<String>) -> Option<(String, usize)> {
    let (name, value) = lines[at].1.trim().strip_prefix("u32 ")?.split_once(" = ")?;
    // One call of variables, and nothing else.
    let (function, arguments) = value.strip_suffix(");")?.split_once('(')?;
    let is_plain = |letter: char| letter.is_alphanumeric() || ", _.‹›".contains(letter);
    if !arguments.chars().all(is_plain) {
        return None;
    }
    if !unbounded.contains(function) {
        return None;
    }
    let own = depth(&lines[at].1);
    let block = lines[at..].iter().take_while(|(_, line)| depth(line) >= own).count();
    let (count, test) = (format!("{name} -= 1u;"), format!(" && {name} != 0u"));
    let counts = |line: &str| line.trim() == count || !mentions(&line.replace(&test, ""), name);
    let rest = &lines[at + 1..at + block];
    rest.iter().all(|(_, line)| counts(line)).then(|| (name.to_owned(), at + block))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        (1..).zip(text.lines().map(str::to_owned)).collect()
    }

    #[test]
    fn what_is_counted_down_from_the_largest_number_is_not_counted() {
        let of = |text: &str| {
            let unbounded = HashSet::from(["bound".to_owned()]);
            let lines = without_bounds(lines(text), &unbounded).into_iter();
            lines.map(|(_, line)| line + "\n").collect::<String>()
        };
        let text = "if (a) {\n    u32 left = bound(g, v);\n    while (is(c) && left != 0u) {\n        \
                    left -= 1u;\n        b;\n    }\n    c;\n}\nleft -= 1u;\n";
        let without = "if (a) {\n    while (is(c)) {\n        b;\n    }\n    c;\n}\nleft -= 1u;\n";
        assert_eq!(of(text), without);
        for other in [
            "u32 left = degree(g, v);\nleft -= 1u;\n",
            "u32 left = bound(g, v);\nleft -= 1u;\nleft = select(found, 0u, left);\n",
            "u32 left = bound(g, v) >> shift(2u);\nleft -= 1u;\n",
            "u32 left = bound(g, v);\nif (left == 0u) {\n    a;\n}\n",
        ] {
            assert_eq!(of(other), other);
        }
        assert!(says_most(&lines("u32 f() {\n    return Limits<u32>::MAX;\n}")));
        assert!(!says_most(&lines("u32 f() {\n    return 7u;\n}")));
    }
}
