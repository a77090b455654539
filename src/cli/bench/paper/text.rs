//! The table of an experiment for the terminal.

use super::experiment::{NotRun, Paper};
use super::graphs::Origin;
use super::outcome::{GraphUsed, Outcome, Row};

/// Everything that was found, as text.
pub(super) fn of(paper: &Paper, outcomes: &[Outcome], not_run: &[NotRun], out: &str) -> String {
    let mut text = format!("{}\nthe paper's figures are of {}\n", paper.title, paper.machine);
    outcomes.iter().for_each(|outcome| text += &table(outcome));
    text += &format!("\n{} tables and figures, as JSON and SVG in {out}\n", outcomes.len());
    for NotRun { what, needs } in not_run {
        text += &format!("not run: {what}, needs {needs}\n");
    }
    text
}

/// The table of one experiment.
fn table(outcome: &Outcome) -> String {
    let Outcome { experiment, title, unit, note, .. } = outcome;
    let mut text = format!("\n{experiment}: {title} ({unit})\n");
    if !note.is_empty() {
        text += &format!("{note}\n");
    }
    outcome.graphs.iter().for_each(|graph| text += &line_of(graph));
    text += &rows(&outcome.rows);
    text += &rows(&outcome.ratios);
    for stated in outcome.stated {
        let (least, most) = (short(stated.least), short(stated.most));
        let range = if least == most { least } else { format!("{least} to {most}") };
        text += &format!("paper: {}: {range}\n", stated.what);
    }
    text
}

/// What is used for a graph.
fn line_of(graph: &GraphUsed) -> String {
    let GraphUsed { name, used, origin, from, does_not_fit_bytes } = graph;
    if let Some(bytes) = does_not_fit_bytes {
        return format!("  {name}: {used} does not fit, {bytes} bytes are missing\n");
    }
    match (origin, from) {
        (Origin::StandIn, Some(from)) => format!("  {name}: {used} stands in ({from})\n"),
        _ => format!("  {name}: {used}\n"),
    }
}

/// Rows by graph and `x`, with a column for each series, and one for the paper's.
fn rows(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut series: Vec<&str> = Vec::new();
    for row in rows {
        if !series.contains(&&row.series[..]) {
            series.push(&row.series);
        }
    }
    let has_paper = |name: &str| rows.iter().any(|row| row.series == name && row.paper.is_some());
    let mut head = vec![String::new(), String::new(), String::new()];
    for name in &series {
        head.push((*name).to_owned());
        head.extend(has_paper(name).then(|| "paper".to_owned()));
    }
    let mut lines = vec![head];
    let key = |row: &Row| (row.graph.clone(), row.panel.clone(), row.x.map(f64::to_bits));
    let mut keys: Vec<_> = Vec::new();
    for row in rows {
        if !keys.contains(&key(row)) {
            keys.push(key(row));
        }
    }
    for wanted in keys {
        let (graph, panel, x) = &wanted;
        let x = x.map_or(String::new(), |bits| short(f64::from_bits(bits)));
        let mut line = vec![graph.clone(), panel.clone(), x];
        for name in &series {
            let row = rows.iter().find(|row| key(row) == wanted && row.series == *name);
            line.push(row.map_or(String::new(), |row| short(row.value)));
            let paper = || row.and_then(|row| row.paper).map_or(String::new(), short);
            line.extend(has_paper(name).then(paper));
        }
        lines.push(line);
    }
    aligned(&lines)
}

/// Columns of one width; an empty one is left out.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::new();
        for (at, (cell, &width)) in
            line.iter().zip(&widths).enumerate().filter(|(_, (_, w))| **w > 0)
        {
            row += &match at {
                0 | 1 => format!("{cell:<width$}  "),
                _ => format!("{cell:>width$}  "),
            };
        }
        text += &format!("{}\n", row.trim_end());
    }
    text
}

/// A number with three digits, or a whole one.
pub(super) fn short(number: f64) -> String {
    let size = number.abs();
    match size {
        _ if number == 0.0 => "0".to_owned(),
        _ if number.fract() == 0.0 && size < 1e7 => format!("{number:.0}"),
        _ if !(1e-3..1e7).contains(&size) => format!("{number:.1e}"),
        _ if size >= 100.0 => format!("{number:.0}"),
        _ if size >= 10.0 => format!("{number:.1}"),
        _ if size >= 1.0 => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (65536.0, "65536"),
            (501.33, "501"),
            (12.34, "12.3"),
            (0.97, "0.9700"),
            (1e-5, "1.0e-5"),
        ];
        for (number, text) in cases {
            assert_eq!(short(number), text);
        }
    }
}
