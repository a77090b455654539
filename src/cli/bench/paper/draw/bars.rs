//! Groups of bars, one for each graph.

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::axes::{Vertical, tick};
use super::panels::Panel;
use super::{Area, Drawn, FONT, broken, colour, is_of_paper, shade};

/// What there is beside the groups, in pixels.
pub(super) const BESIDE: u32 = 90;
/// The width of a letter below a group, about.
pub(super) const LETTER: u32 = 7;
/// What a group takes at most.
pub(super) const GROUP: u32 = 105;
/// The part of a group that its bars take.
const FILLED: f64 = 0.8;

/// Draws a chart of bars.
pub(super) fn draw(area: &Area<'_>, panel: &Panel, names: &[String], unit: &str) -> Drawn {
    match Vertical::of(panel.range()) {
        Vertical::Linear(most) => on_axis(area, panel, names, unit, (0.0..most, 0.0)),
        Vertical::Logarithmic(least, most) => {
            on_axis(area, panel, names, unit, ((least..most).log_scale(), least))
        }
    }
}

/// The same with a vertical axis, on which bars begin at `floor`.
fn on_axis<Y>(
    area: &Area<'_>,
    panel: &Panel,
    names: &[String],
    unit: &str,
    (axis, floor): (Y, f64),
) -> Drawn
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let groups = panel.categories.len().max(1);
    let letters = (area.dim_in_pixel().0.saturating_sub(BESIDE) / LETTER) as usize / groups;
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 13))
        .margin(8)
        .x_label_area_size(26)
        .y_label_area_size(62)
        .build_cartesian_2d(-0.5..groups as f64 - 0.5, axis)
        .map_err(broken)?;
    let category = |at: &f64| {
        let is_whole = (at - at.round()).abs() < 1e-6;
        let found = is_whole.then(|| panel.categories.get(at.round().max(0.0) as usize));
        found.flatten().map_or(String::new(), |name| shortened(name, letters))
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .x_labels(2 * groups + 1)
        .x_label_formatter(&category)
        .y_label_formatter(&tick)
        .y_labels(6)
        .y_desc(unit)
        .label_style((FONT, 11))
        .axis_desc_style((FONT, 12))
        .draw()
        .map_err(broken)?;
    let width = FILLED / panel.series.len().max(1) as f64;
    for (at, series) in panel.series.iter().enumerate() {
        let fill = shade(colour(names, &series.name), is_of_paper(&series.name)).filled();
        let bars = series.points.iter().map(|&(x, y)| {
            let left = x - FILLED / 2.0 + width * at as f64;
            Rectangle::new([(left, floor), (left + 0.92 * width, y.max(floor))], fill)
        });
        chart.draw_series(bars).map_err(broken)?;
    }
    Ok(())
}

/// A name that fits under its group, which has room for so many letters.
fn shortened(name: &str, letters: usize) -> String {
    let most = letters.max(6);
    match name.chars().count() {
        count if count <= most => name.to_owned(),
        _ => name.chars().take(most - 1).chain(['…']).collect(),
    }
}
