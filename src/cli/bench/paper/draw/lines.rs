//! Lines over `x`, with a mark at each point; the paper's are lighter.

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::axes::{Vertical, tick};
use super::panels::Panel;
use super::{Area, Drawn, FONT, broken, colour, is_of_paper, shade};
use crate::cli::bench::paper::experiment::Scale;

/// How much larger than the last point a logarithmic axis ends.
const BESIDE: f64 = 1.25;

/// What stands at the axes.
#[derive(Clone, Copy)]
struct Labels<'a> {
    names: &'a [String],
    x: &'a str,
    y: &'a str,
}

/// Draws a chart of lines.
pub(super) fn draw(
    area: &Area<'_>,
    panel: &Panel,
    names: &[String],
    (x, scale): (&str, Scale),
    unit: &str,
) -> Drawn {
    let labels = Labels { names, x, y: unit };
    let points = || panel.series.iter().flat_map(|series| &series.points).map(|point| point.0);
    let (least, most) = (points().fold(f64::INFINITY, f64::min), points().fold(0.0, f64::max));
    match scale {
        Scale::Logarithmic if least > 0.0 && most > least => {
            let axis = (least / BESIDE..most * BESIDE).log_scale();
            on_x(area, panel, labels, axis.with_key_points(distinct(points())))
        }
        _ if most > least => on_x(area, panel, labels, least..most),
        _ => on_x(area, panel, labels, most - 1.0..most + 1.0),
    }
}

/// The places of all points, each once.
fn distinct(places: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut found: Vec<_> = places.collect();
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

fn on_x<X>(area: &Area<'_>, panel: &Panel, labels: Labels<'_>, x: X) -> Drawn
where
    X: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    match Vertical::of(panel.range()) {
        Vertical::Linear(most) => on_axes(area, panel, labels, (x, 0.0..most), 0.0),
        Vertical::Logarithmic(least, most) => {
            on_axes(area, panel, labels, (x, (least..most).log_scale()), least)
        }
    }
}

fn on_axes<X, Y>(
    area: &Area<'_>,
    panel: &Panel,
    labels: Labels<'_>,
    (x, y): (X, Y),
    floor: f64,
) -> Drawn
where
    X: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 13))
        .margin(8)
        .margin_right(22)
        .x_label_area_size(40)
        .y_label_area_size(62)
        .build_cartesian_2d(x, y)
        .map_err(broken)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_labels(7)
        .y_labels(6)
        .x_label_formatter(&tick)
        .y_label_formatter(&tick)
        .x_desc(labels.x)
        .y_desc(labels.y)
        .label_style((FONT, 11))
        .axis_desc_style((FONT, 12))
        .draw()
        .map_err(broken)?;
    for series in &panel.series {
        let fill = shade(colour(labels.names, &series.name), is_of_paper(&series.name));
        let points = || series.points.iter().map(|&(x, y)| (x, y.max(floor)));
        chart.draw_series(LineSeries::new(points(), fill.stroke_width(2))).map_err(broken)?;
        let marks = points().map(|point| Circle::new(point, 3, fill.filled()));
        chart.draw_series(marks).map_err(broken)?;
    }
    Ok(())
}
