//! A run as a picture: what each step took, and the memory after it. Of a long run a dot is the median of
//! some steps that follow each other, and a bar goes from the least to the most of them, so that no
//! pause is left out.

use std::error::Error;
use std::fs;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::Step;

type Drawn = Result<(), Box<dyn Error>>;

const FONT: &str = "sans-serif";
const SIZE: (u32, u32) = (760, 520);
/// How many dots fit side by side.
const PARTS: usize = 250;
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
    let parts: Vec<_> = parts(steps, &value).collect();
    let bar = |part: &Part| PathElement::new(vec![part.least, part.most], colour.mix(0.4));
    chart.draw_series(parts.iter().map(bar))?;
    let dot = |part: &Part| Circle::new(part.median, 1, colour.filled());
    chart.draw_series(parts.iter().map(dot))?;
    Ok(())
}

/// Steps that are drawn as one, by the seconds of their middle one.
struct Part {
    least: (f64, f64),
    median: (f64, f64),
    most: (f64, f64),
}

/// As many parts as a picture has room for, each of as many steps as another.
fn parts(steps: &[Step], value: impl Fn(&Step) -> f64) -> impl Iterator<Item = Part> {
    steps.chunks(steps.len().div_ceil(PARTS).max(1)).map(move |part| {
        let seconds = part[part.len() / 2].seconds;
        let mut values: Vec<f64> = part.iter().map(&value).collect();
        values.sort_by(f64::total_cmp);
        let at = |place: usize| (seconds, values[place]);
        Part { least: at(0), median: at(values.len() / 2), most: at(values.len() - 1) }
    })
}
