//! Options at random.

use fastrand::Rng;
use meerkat_runtime::read::{Column, Columns, Format, IdKind, ReadOptions, Separator, TimeUnit};

/// One of `all`.
pub(crate) fn one<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.usize(..all.len())]
}

/// Options, half of the time those that recognise everything; `width` is the number of
/// columns that the file may have. Formats that fix what options say get few of them.
pub(crate) fn options(name: &str, width: usize, rng: &mut Rng) -> ReadOptions {
    let mut options = ReadOptions::default();
    let is_fixed = [".mtx", ".gr", ".graph", ".metis", ".e"].iter().any(|end| name.ends_with(end));
    if rng.u8(0..if is_fixed { 10 } else { 2 }) > 0 {
        return options;
    }
    for _ in 0..rng.usize(1..=2).max(rng.usize(0..=4)) {
        match rng.u8(0..9) {
            0 => options.format = Some(one(rng, &Format::ALL)),
            1 | 2 => options.columns = Some(columns(width, rng)),
            3 => {
                let all =
                    [Separator::Blank, Separator::Comma, Separator::Semicolon, Separator::Tab];
                options.separator = Some(one(rng, &all));
            }
            4 => options.header = Some(rng.bool()),
            5 | 6 => options.ids = Some(one(rng, &[IdKind::Numbers, IdKind::Text])),
            7 => options.skip_times = true,
            _ => {
                let unit = one(rng, &["ns", "us", "ms", "s", "m", "h", "d"]);
                options.time_unit = unit.parse::<TimeUnit>().ok();
            }
        }
    }
    options
}

/// A source, a target, perhaps a weight and a time, and columns to skip, in any order.
fn columns(width: usize, rng: &mut Rng) -> Columns {
    let mut columns = vec![Column::Source, Column::Target];
    let further = [Column::Weight, Column::Time, Column::Skipped];
    while columns.len() < width.min(9) || rng.u8(0..16) == 0 {
        let column = one(rng, &further);
        if column == Column::Skipped || !columns.contains(&column) {
            columns.push(column);
        }
    }
    if rng.bool() {
        rng.shuffle(&mut columns);
    }
    Columns::new(columns).expect("each once")
}
