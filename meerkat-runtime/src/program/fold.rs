//! Branches whose condition is known once a function's types are: the text of an instance has the arm
//! that is taken, as who writes it for one container would.

use std::collections::{HashMap, HashSet};

pub(super) type Line = (u32, String);

/// What a function says that is nothing but `return true;` or `return false;`.
pub(super) fn said_by(lines: &[Line]) -> Option<bool> {
    let [_, (_, only), _] = lines else { return None };
    only.trim().strip_prefix("return ")?.strip_suffix(';')?.parse().ok()
}

/// The lines without the arms that are never taken.
pub(super) fn branches(mut lines: Vec<Line>, known: &HashMap<String, bool>) -> Vec<Line> {
    let mut at = 0;
    while at < lines.len() {
        let known = known_condition(&lines[at].1, known);
        match known.and_then(|is_taken| Some((is_taken, arms(&lines[at..])?))) {
            // What comes in its place is looked at next.
            Some((is_taken, (middle, end))) => {
                let taken = if is_taken { at + 1..at + middle } else { at + middle + 1..at + end };
                let taken = lines[taken.start.min(taken.end)..taken.end].to_vec();
                let count = taken.len();
                lines.splice(at..=at + end, taken.into_iter().map(outdented));
                drop_unreached(&mut lines, at, count);
            }
            None => at += 1,
        }
    }
    lines
}

/// Where the first arm of the `if` on the first line ends, and where all of it does; nowhere if another
/// `if` follows its `else`.
fn arms(lines: &[Line]) -> Option<(usize, usize)> {
    let own = depth(&lines[0].1);
    let is_end = |line: &str| depth(line) == own && line.trim().starts_with('}');
    let middle = 1 + lines[1..].iter().position(|(_, line)| is_end(line))?;
    match lines[middle].1.trim() {
        "}" => Some((middle, middle)),
        "} else {" => {
            let end = lines[middle + 1..].iter().position(|(_, line)| is_end(line))?;
            Some((middle, middle + 1 + end))
        }
        _ => None,
    }
}

/// Drops what follows a `return` in its block: some lines took the place of a branch.
fn drop_unreached(lines: &mut Vec<Line>, at: usize, count: usize) {
    let Some((_, last)) = lines[at..at + count].last() else { return };
    if last.trim().starts_with("return ") {
        let own = depth(last);
        let next = at + count;
        let more = lines[next..].iter().take_while(|(_, line)| depth(line) >= own).count();
        lines.drain(next..next + more);
    }
}

/// The lines without variables that nothing reads: links where there are none.
pub(super) fn without_unused(mut lines: Vec<Line>) -> Vec<Line> {
    for at in (0..lines.len()).rev() {
        let line = &lines[at].1;
        let name = line.trim().strip_prefix("u32 ").and_then(|rest| rest.strip_suffix(" = 0u;"));
        let Some(name) = name else { continue };
        let own = depth(line);
        let mut block = lines[at + 1..].iter().take_while(|(_, line)| depth(line) >= own);
        if !block.any(|(_, line)| mentions(line, name)) {
            lines.remove(at);
        }
    }
    lines
}

/// The lines without a name for what is returned next.
pub(super) fn returned(mut lines: Vec<Line>) -> Vec<Line> {
    let mut at = 0;
    while at + 1 < lines.len() {
        let next = lines[at + 1].1.trim();
        let value = next.strip_prefix("return ").and_then(|name| {
            let (declared, value) = lines[at].1.trim().strip_prefix("const ")?.split_once(" = ")?;
            let (_, declared) = declared.rsplit_once(' ')?;
            (declared == name.strip_suffix(';')?).then(|| value.to_owned())
        });
        if let Some(value) = value {
            let indent = depth(&lines[at].1);
            lines[at].1 = format!("{:indent$}return {value}", "");
            lines.remove(at + 1);
        }
        at += 1;
    }
    lines
}

pub(super) fn mentions(line: &str, name: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || "_‹›".contains(letter);
    line.split(|letter| !is_word(letter)).any(|word| word == name)
}

/// The lines with one `if` where two in a row have the same constant as their condition, and declare
/// no name both.
pub(super) fn merged(mut lines: Vec<Line>) -> Vec<Line> {
    let mut at = 0;
    while at < lines.len() {
        match ends_to_merge(&lines, at) {
            Some(end) => drop(lines.drain(end..=end + 1)),
            None => at += 1,
        }
    }
    lines
}

/// Where a branch ends that can be one with the next.
fn ends_to_merge(lines: &[Line], at: usize) -> Option<usize> {
    let condition = lines[at].1.trim().strip_prefix("if (")?.strip_suffix(") {")?;
    let only_arm = |at: usize| Some(at + arms(&lines[at..]).filter(|(a, b)| a == b)?.0);
    let end = only_arm(at).filter(|&end| stays(condition, lines, at..end))?;
    let next = lines.get(end + 1).filter(|next| next.1 == lines[at].1).map(|_| end + 1)?;
    let next_end = only_arm(next)?;
    let own = declared_in(&lines[at + 1..end]);
    declared_in(&lines[next + 1..next_end]).is_disjoint(&own).then_some(end)
}

/// Whether a condition is the same after a branch, which does not mention it: a constant, or that a lane is
/// the one a variable names.
fn stays(condition: &str, lines: &[Line], branch: std::ops::Range<usize>) -> bool {
    let is_lane = [
        "block_thread_id() == ",
        "lane_id() == ",
        "tile_lane_id<4>() == ",
        "tile_lane_id<8>() == ",
        "tile_lane_id<16>() == ",
    ];
    let lane = is_lane.iter().find_map(|lane| condition.strip_prefix(lane));
    let name = lane.unwrap_or(condition);
    if !name.chars().all(|letter| letter.is_alphanumeric() || "_‹›".contains(letter)) {
        return false;
    }
    // A name may be a constant in one block and a variable in another.
    if lines[branch.start + 1..branch.end].iter().any(|(_, line)| mentions(line, name)) {
        return false;
    }
    let declared = format!("const bool {condition} = ");
    lane.is_some() || lines.iter().any(|(_, line)| line.trim().starts_with(&declared))
}

/// The names that the lines of a block declare, and perhaps others.
fn declared_in(lines: &[Line]) -> HashSet<&str> {
    let least = lines.iter().map(|(_, line)| depth(line)).min().unwrap_or(0);
    let own = lines.iter().filter(|(_, line)| depth(line) == least);
    let names = own.filter_map(|(_, line)| {
        let before = line.split(['=', ';', '[']).next()?;
        let (_, name) = before.trim().rsplit_once(' ')?;
        // Not the sign of `sum += 1u;`.
        name.chars().any(char::is_alphanumeric).then_some(name)
    });
    names.collect()
}

fn outdented((number, line): Line) -> Line {
    let shorter = line.strip_prefix("    ").map(str::to_owned);
    (number, shorter.unwrap_or(line))
}

/// The lines with what they return, if that is known: of `return c ? a : b;` or `return c && d ? a : b;`.
pub(super) fn choices(lines: Vec<Line>, known: &HashMap<String, bool>) -> Vec<Line> {
    let chosen = |line: String| chosen(&line, known).unwrap_or(line);
    lines.into_iter().map(|(number, line)| (number, chosen(line))).collect()
}

fn chosen(line: &str, known: &HashMap<String, bool>) -> Option<String> {
    let (before, value) = line.split_once("return ").map(|(a, b)| (a.to_owned() + "return ", b))?;
    let (condition, arms) = value.strip_suffix(';')?.split_once(" ? ")?;
    let (then, otherwise) = arms.split_once(" : ").filter(|_| !arms.contains('?'))?;
    // A choice inside of parentheses is not the whole value, and `||` binds less than `&&`.
    if [condition, then, otherwise].iter().any(|part| !is_balanced(part))
        || condition.contains("||")
    {
        return None;
    }
    let (first, rest) = match condition.split_once(" && ") {
        Some((first, rest)) => (first, Some(rest)),
        None => (condition, None),
    };
    Some(match (known.get(first)?, rest) {
        (true, None) => format!("{before}{then};"),
        (true, Some(rest)) => format!("{before}{rest} ? {then} : {otherwise};"),
        (false, _) => format!("{before}{otherwise};"),
    })
}

fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

/// Whether `if (c) {` is taken, where `c` is a constant or a call of a function that says one thing.
fn known_condition(line: &str, known: &HashMap<String, bool>) -> Option<bool> {
    let condition = line.trim().strip_prefix("if (")?.strip_suffix(") {")?;
    let (negated, condition) = match condition.strip_prefix('!') {
        Some(condition) => (true, condition),
        None => (false, condition),
    };
    let name = match condition.split_once('(') {
        // One call of variables, and nothing else; some have marks.
        Some((name, arguments)) => {
            let arguments = arguments.strip_suffix(')')?;
            let is_plain = |letter: char| letter.is_alphanumeric() || ", _.‹›".contains(letter);
            arguments.chars().all(is_plain).then_some(name)?
        }
        None => condition,
    };
    known.get(name).map(|said| said ^ negated)
}

pub(super) fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        (1..).zip(text.lines().map(str::to_owned)).collect()
    }

    fn folded(text: &str) -> String {
        let known = HashMap::from([("LINKS".to_owned(), true), ("f".to_owned(), false)]);
        branches(lines(text), &known).into_iter().map(|(_, line)| line + "\n").collect()
    }

    #[test]
    fn the_arm_that_is_taken_stays() {
        let text = "\
{
    if (LINKS) {
        a;
        if (!f(x, y.z)) {
            b;
        }
    } else {
        c;
    }
    if (f(x)) {
        d;
    } else {
        e;
    }
    if (f(x)) {
        g;
    }
}
";
        assert_eq!(folded(text), "{\n    a;\n    b;\n    e;\n}\n");
    }

    #[test]
    fn nothing_follows_a_return_that_is_always_reached() {
        let text = "{\n    if (LINKS) {\n        return a;\n    }\n    b;\n    if (c) {\n        d;\n    }\n}\n";
        assert_eq!(folded(text), "{\n    return a;\n}\n");
    }

    #[test]
    fn branches_of_one_constant_in_a_row_are_one() {
        let of = |text: &str| {
            merged(lines(text)).into_iter().map(|(_, line)| line + "\n").collect::<String>()
        };
        let two = "const bool c = f();\nif (c) {\n    a;\n}\nif (c) {\n    b;\n}\n";
        assert_eq!(of(two), "const bool c = f();\nif (c) {\n    a;\n    b;\n}\n");
        for other in [
            "bool c = f();\nif (c) {\n    a;\n}\nif (c) {\n    b;\n}\n",
            "const bool c = f();\nif (c) {\n    a;\n} else {\n    d;\n}\nif (c) {\n    b;\n}\n",
            "const bool c = f();\nif (c) {\n    a;\n}\nif (c) {\n    b;\n} else {\n    d;\n}\n",
            "if (lane_id() == at) {\n    at = 0u;\n}\nif (lane_id() == at) {\n    b;\n}\n",
            "if (lane_id() == at && x < y) {\n    x = a;\n}\nif (lane_id() == at && x < y) {\n    b;\n}\n",
            "if (lane_id() == a.b) {\n    a = c;\n}\nif (lane_id() == a.b) {\n    d;\n}\n",
            "const bool c = f();\nbool c;\nif (c) {\n    c = false;\n}\nif (c) {\n    b;\n}\n",
            "const bool c = f();\nif (c) {\n    u32 x = a;\n}\nif (c) {\n    const u32 x = b;\n}\n",
        ] {
            assert_eq!(of(other), other);
        }
        let sums = "const bool c = f();\nif (c) {\n    x += a;\n}\nif (c) {\n    y += b;\n}\n";
        assert_eq!(of(sums), "const bool c = f();\nif (c) {\n    x += a;\n    y += b;\n}\n");
    }

    #[test]
    fn a_variable_that_nothing_reads_is_not_declared() {
        let text = "{\n    u32 link = 0u;\n    u32 sum = 0u;\n    sum += 1u;\n}\nlink += 1u;\n";
        let left: Vec<_> = without_unused(lines(text)).into_iter().map(|(_, line)| line).collect();
        assert_eq!(left, ["{", "    u32 sum = 0u;", "    sum += 1u;", "}", "link += 1u;"]);
    }

    #[test]
    fn what_is_returned_next_needs_no_name() {
        let of = |text: &str| {
            let lines = returned(lines(text)).into_iter();
            lines.map(|(_, line)| line + "\n").collect::<String>()
        };
        assert_eq!(of("  const u32 x = a == b;\n  return x;\n"), "  return a == b;\n");
        for other in ["const u32 x = a;\nreturn x + 1u;\n", "u32 x = a;\nreturn x;\n"] {
            assert_eq!(of(other), other);
        }
    }

    #[test]
    fn what_is_not_known_stays_as_it_is() {
        let text = "if (g(x)) {\n    a;\n} else if (LINKS) {\n    b;\n}\nif (f(x) && y) {\n    c;\n}\n\
                    if (f(g(x))) {\n    d;\n}\n";
        assert_eq!(folded(text), text);
        let chain = "if (f(x)) {\n    a;\n} else if (g) {\n    b;\n}\n";
        assert_eq!(folded(chain), chain);
    }

    #[test]
    fn a_value_that_is_known_is_the_one() {
        let text = "return LINKS ? a : b;\nreturn f ? a : b + (c);\nreturn LINKS && x < y ? a : b;\n\
                    return g ? a : b;\nreturn LINKS ? f ? a : b : c;\nreturn f && (x ? a : b);\n\
                    return f && x || y ? a : b;\n";
        let known = HashMap::from([("LINKS".to_owned(), true), ("f".to_owned(), false)]);
        let lines: Vec<_> =
            choices(lines(text), &known).into_iter().map(|(_, line)| line).collect();
        let wanted = [
            "return a;",
            "return b + (c);",
            "return x < y ? a : b;",
            "return g ? a : b;",
            "return LINKS ? f ? a : b : c;",
            "return f && (x ? a : b);",
            "return f && x || y ? a : b;",
        ];
        assert_eq!(lines, wanted);
    }

    #[test]
    fn a_function_says_one_thing_or_computes_it() {
        assert_eq!(said_by(&lines("bool f() {\n    return true;\n}")), Some(true));
        assert_eq!(said_by(&lines("bool f() {\n    return a;\n}")), None);
        assert_eq!(said_by(&lines("bool f() {\n    a();\n    return true;\n}")), None);
    }
}
