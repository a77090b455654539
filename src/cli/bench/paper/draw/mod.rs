//! Figures as SVG, in the form that the paper gives them: bars of each graph, or lines.
//!
//! ```text
//! Outcome --panels--> Vec<Panel> --bars | lines--> SVG text, one chart a panel, one legend
//! ```

mod axes;
mod bars;
mod lines;
mod panels;

use plotters::coord::Shift;
use plotters::prelude::*;

use self::panels::{Panel, panels};
use super::experiment::Form;
use super::graphs::Origin;
use super::outcome::Outcome;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), String>;

/// Colours that people who see few colours can tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(90, 90, 90),
];
const FONT: &str = "sans-serif";
const PANEL: (u32, u32) = (560, 300);
const TITLE_HEIGHT: u32 = 34;
const LEGEND_LINE: u32 = 20;

/// Draws an experiment; `device` is what ours was measured on.
pub(super) fn draw(outcome: &Outcome, form: Form, device: &str) -> Result<String, String> {
    let panels = panels(outcome, form);
    let names = names(&panels);
    let columns = if panels.len() > 1 { 2 } else { 1 };
    let lines_of_panels = panels.len().div_ceil(columns).max(1);
    let width = panels.iter().map(panel_width).fold(PANEL.0, u32::max) * columns as u32;
    let legend = legend_lines(&names, width);
    let notes = wrapped(&notes(outcome, device), width);
    let legend_height = LEGEND_LINE * (legend.len() + notes.len()) as u32 + 8;
    let height = TITLE_HEIGHT + PANEL.1 * lines_of_panels as u32 + legend_height;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        root.fill(&WHITE).map_err(broken)?;
        let (head, rest) = root.split_vertically(TITLE_HEIGHT);
        let (body, foot) = rest.split_vertically(height - TITLE_HEIGHT - legend_height);
        title(&head, outcome)?;
        let areas = body.split_evenly((lines_of_panels, columns));
        for (panel, area) in panels.iter().zip(&areas) {
            match form {
                Form::Bars => bars::draw(area, panel, &names, outcome.unit)?,
                Form::Lines { x, scale, .. } => {
                    lines::draw(area, panel, &names, (x, scale), outcome.unit)?;
                }
            }
        }
        draw_legend(&foot, &legend, &names)?;
        draw_notes(&foot, &notes, legend.len())?;
        root.present().map_err(broken)?;
    }
    Ok(svg)
}

/// What a panel takes so that the names below its groups of bars can be read, in pixels.
fn panel_width(panel: &Panel) -> u32 {
    let longest = panel.categories.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    bars::BESIDE + panel.categories.len() as u32 * (longest as u32 * bars::LETTER).min(bars::GROUP)
}

/// The names of all lines or bars, in their order.
fn names(panels: &[Panel]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for series in panels.iter().flat_map(|panel| &panel.series) {
        if !names.contains(&series.name) {
            names.push(series.name.clone());
        }
    }
    names
}

/// The colour of a series; the paper's has that of ours.
fn colour(names: &[String], name: &str) -> RGBColor {
    let mut own = names.iter().filter(|name| !is_of_paper(name));
    let name = name.strip_suffix(panels::PAPER).unwrap_or(name);
    COLOURS[own.position(|other| other == name).unwrap_or(0) % COLOURS.len()]
}

/// Whether a series is the paper's.
fn is_of_paper(name: &str) -> bool {
    name.ends_with(panels::PAPER)
}

fn title(area: &Area<'_>, outcome: &Outcome) -> Drawn {
    let text = format!("{}: {}", outcome.experiment, outcome.title);
    let style: TextStyle<'_> = (FONT, 16).into_font().color(&BLACK);
    area.draw_text(&text, &style, (12, 10)).map_err(broken)
}

/// What a name takes, mark and gap included, in pixels.
fn width_of(name: &str) -> u32 {
    30 + 7 * name.chars().count() as u32
}

/// The names, on as many lines as they need.
fn legend_lines(names: &[String], width: u32) -> Vec<Vec<String>> {
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    let mut used = 0;
    for name in names.iter().filter(|name| !name.is_empty()) {
        if used + width_of(name) > width - 24 && used > 0 {
            lines.push(Vec::new());
            used = 0;
        }
        used += width_of(name);
        lines.last_mut().expect("one at least").push(name.clone());
    }
    lines
}

fn draw_legend(area: &Area<'_>, lines: &[Vec<String>], names: &[String]) -> Drawn {
    let style: TextStyle<'_> = (FONT, 12).into_font().color(&BLACK);
    for (at, line) in (0..).zip(lines) {
        let (mut x, y) = (14, 4 + LEGEND_LINE as i32 * at);
        for name in line {
            let mark = [(x, y + 1), (x + 12, y + 11)];
            let fill = shade(colour(names, name), is_of_paper(name));
            area.draw(&Rectangle::new(mark, fill.filled())).map_err(broken)?;
            area.draw_text(name, &style, (x + 17, y)).map_err(broken)?;
            x += width_of(name) as i32;
        }
    }
    Ok(())
}

/// What was measured on what.
fn notes(outcome: &Outcome, device: &str) -> String {
    let mut text = format!("On {device}");
    if outcome.rows.iter().any(|row| row.paper.is_some()) {
        text += &format!("; the paper on {}", outcome.machine);
    }
    let stand_ins = outcome.graphs.iter().filter(|graph| graph.origin == Origin::StandIn);
    let names: Vec<_> =
        stand_ins.map(|graph| format!("{} is {}", graph.name, graph.used)).collect();
    if !names.is_empty() {
        text += &format!(". Generated graphs stand in: {}", names.join(", "));
    }
    text + "."
}

/// A text in lines of a width, in pixels.
fn wrapped(text: &str, width: u32) -> Vec<String> {
    let most = (width / 6) as usize;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("one at least");
        if line.chars().count() + word.chars().count() < most || line.is_empty() {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Draws notes below so many lines of a legend.
fn draw_notes(area: &Area<'_>, notes: &[String], below: usize) -> Drawn {
    let style: TextStyle<'_> = (FONT, 11).into_font().color(&COLOURS[6]);
    for (at, line) in (below as i32..).zip(notes) {
        area.draw_text(line, &style, (14, 4 + LEGEND_LINE as i32 * at)).map_err(broken)?;
    }
    Ok(())
}

/// The paper's is lighter.
fn shade(colour: RGBColor, is_of_paper: bool) -> RGBAColor {
    colour.mix(if is_of_paper { 0.4 } else { 1.0 })
}

fn broken(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_takes_more_lines_where_names_are_long() {
        let names = ["a".repeat(40), "b".repeat(40), "c".to_owned()];
        assert_eq!(legend_lines(&names, 400).len(), 2);
        assert_eq!(legend_lines(&names, 2000), [names.to_vec()]);
    }

    #[test]
    fn notes_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 54), ["one two", "three"]);
        assert_eq!(wrapped("a-word-that-is-too-long b", 30), ["a-word-that-is-too-long", "b"]);
    }

    #[test]
    fn the_papers_series_has_the_colour_of_ours() {
        let names = ["one", "one, paper", "two"].map(str::to_owned);
        assert_eq!(colour(&names, "one"), colour(&names, "one, paper"));
        assert_ne!(colour(&names, "one"), colour(&names, "two"));
    }
}
