//! Answers from scratch, compared with plain code: times, and times over block arrays.

use meerkat::runtime::SlabOptions;

use super::on_axis;
use crate::cli::bench::algorithms::StaticRow;
use crate::cli::bench::paper::experiment::Value;
use crate::cli::bench::paper::graphs::Dataset;
use crate::cli::bench::paper::lab::Lab;
use crate::cli::container::DynamicContainer;
use crate::cli::failure::Failure;

type Values = Result<Vec<Value>, Failure>;

/// A variant of an algorithm, and the series that the paper calls it.
pub(in crate::cli::bench::paper) type Variant = (&'static str, &'static str);

const LOAD_FACTOR: f32 = SlabOptions::DEFAULT.load_factor;

fn median(rows: &[StaticRow], variant: &str) -> f64 {
    let row = rows.iter().find(|row| row.variant == variant);
    row.and_then(|row| row.median_ms).unwrap_or(f64::NAN)
}

/// How many times as fast as over block arrays the answers are over slabs.
pub(in crate::cli::bench::paper) fn over_blocks(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    algorithm: &'static str,
    variants: &[Variant],
) -> Values {
    let slabs = lab.compute(dataset, algorithm, (DynamicContainer::Slabs, LOAD_FACTOR))?;
    let blocks = lab.compute(dataset, algorithm, (DynamicContainer::Blocks, LOAD_FACTOR))?;
    let ratio = |variant: &str| median(&blocks, variant) / median(&slabs, variant);
    Ok(variants.iter().map(|&(variant, series)| Value::new(series, ratio(variant))).collect())
}

/// Milliseconds over slabs and over block arrays.
pub(in crate::cli::bench::paper) fn times(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    algorithm: &'static str,
    variant: &str,
) -> Values {
    let mut found = Vec::new();
    for container in [DynamicContainer::Slabs, DynamicContainer::Blocks] {
        let rows = lab.compute(dataset, algorithm, (container, LOAD_FACTOR))?;
        found.push(Value::new(container.name(), median(&rows, variant)));
    }
    Ok(found)
}

/// Milliseconds to count triangles, by the load factor.
pub(in crate::cli::bench::paper) fn by_load_factor(
    lab: &mut Lab<'_>,
    dataset: &Dataset,
    load_factors: &[f32],
) -> Values {
    let mut found = Vec::new();
    for &load_factor in load_factors {
        let rows = lab.compute(dataset, "triangles", (DynamicContainer::Slabs, load_factor))?;
        let x = on_axis(load_factor);
        found.push(Value::new("", median(&rows, "total")).at(x, x));
    }
    Ok(found)
}
