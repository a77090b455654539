//! A run as a picture: what each step took, and the memory after it.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::Step;

type Drawn = Result<(), Box<dyn Error>>;

const FONT: &str = "sans-serif";
const SIZE: (u32, u32) = (760, 520);
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);

/// Draws the steps into a file.
pub(crate) fn draw(path: &Path, title: &str, steps: &[Step]) -> Drawn {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (head, body) = root.split_vertically(30);
        head.draw(&Text::new(title, (10, 8), (FONT, 15).into_font()))?;
        let (times, memory) = body.split_vertically(280);
        // A dot a step: that is where pauses would stand out.
        chart(&times, "ms a step", steps, BLUE, |step| step.ms)?;
        chart(&memory, "GiB of device memory", steps, ORANGE, |step| {
            step.bytes as f64 / f64::from(1 << 30)
        })?;
        root.present()?;
    }
    Ok(fs::write(path, svg)?)
}

fn chart(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    unit: &str,
    steps: &[Step],
    colour: RGBColor,
    value: impl Fn(&Step) -> f64,
) -> Drawn {
    let seconds = steps.last().map_or(0.0, |step| step.seconds).max(1e-3);
    let most = steps.iter().map(&value).fold(0.0, f64::max).max(1e-6) * 1.1;
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(22)
        .x_label_area_size(38)
        .y_label_area_size(62)
        .build_cartesian_2d(0.0..seconds, 0.0..most)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_labels(8)
        .y_labels(6)
        .x_desc("seconds")
        .y_desc(unit)
        .label_style((FONT, 11))
        .axis_desc_style((FONT, 12))
        .draw()?;
    let points = steps.iter().map(|step| (step.seconds, value(step)));
    // Long runs have many steps in one place.
    let mut drawn = HashSet::new();
    let mut is_new = |at: &(f64, f64)| drawn.insert(chart.backend_coord(at));
    let points: Vec<_> = points.filter(|at| is_new(at)).collect();
    chart.draw_series(points.into_iter().map(|at| Circle::new(at, 1, colour.filled())))?;
    Ok(())
}
