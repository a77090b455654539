use super::*;
use crate::graph::{DeviceBatch, SlabGraph, SlabOptions};
use arrow_array::{
    Date32Array, DurationMillisecondArray, Float32Array, Int32Array, Int64Array, StringArray,
    TimestampNanosecondArray, TimestampSecondArray, UInt32Array, UInt64Array, record_batch,
};
use std::sync::Arc;

fn names() -> EdgeNames<'static> {
    EdgeNames::default()
}

/// A record batch of columns `src`, `dst` and `weight`.
fn batch_of(src: Arc<dyn Array>, dst: Arc<dyn Array>, weight: Arc<dyn Array>) -> RecordBatch {
    let columns = [("src", src, true), ("dst", dst, true), ("weight", weight, true)];
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length")
}

fn fault<W: ArrowWeight + std::fmt::Debug>(batch: &RecordBatch) -> (String, ColumnFault, String) {
    let error = edges_of::<W>(&Device::cpu(), batch, &names()).expect_err("a fault");
    let message = error.to_string();
    match error.kind() {
        ErrorKind::ArrowColumn { column, fault } => (column.clone(), fault.clone(), message),
        other => panic!("{other}"),
    }
}

#[test]
fn columns_become_edges_whatever_numbers_name_their_ends() {
    let device = Device::cpu();
    let ends: [Arc<dyn Array>; 4] = [
        Arc::new(UInt32Array::from(vec![0, 3, 2])),
        Arc::new(UInt64Array::from(vec![0, 3, 2])),
        Arc::new(Int32Array::from(vec![0, 3, 2])),
        Arc::new(Int64Array::from(vec![0, 3, 2])),
    ];
    let floats = Arc::new(Float32Array::from(vec![0.5, -1.5, 8.0]));
    for src in &ends {
        for dst in &ends {
            let batch = batch_of(src.clone(), dst.clone(), floats.clone());
            let edges = edges_of::<f32>(&device, &batch, &names()).expect("edges");
            let weights = [0.5, -1.5, 8.0];
            let expected: Vec<_> = [0, 3, 2]
                .into_iter()
                .zip(weights)
                .map(|(end, weight)| Edge { src: end, dst: end, weight })
                .collect();
            assert_eq!(edges.to_vec().expect("edges"), expected);
            let edges = edges_of::<()>(&device, &batch, &names()).expect("edges");
            assert_eq!(edges.to_vec().expect("edges")[1], Edge { src: 3, dst: 3, weight: () });
        }
    }
}

#[test]
fn a_part_of_a_record_batch_is_its_own_rows() {
    let device = Device::cpu();
    let batch = record_batch!(
        ("from", UInt32, [0, 1, 2, 3]),
        ("to", Int64, [1, 2, 3, 0]),
        ("cost", Int32, [-1, -2, -3, -4])
    );
    let part = batch.expect("a record batch").slice(1, 2);
    let names = EdgeNames { src: "from", dst: "to", weight: "cost" };
    let edges = edges_of::<i32>(&device, &part, &names).expect("edges");
    let mut graph =
        SlabGraph::<i32>::from_edges(&device, 4, &[], &SlabOptions::DEFAULT).expect("a graph");
    graph.apply(&DeviceBatch::insertions(edges)).expect("applied");
    let edge = |src, dst, weight| Edge { src, dst, weight };
    assert_eq!(graph.to_edges().expect("edges"), [edge(1, 2, -2), edge(2, 3, -3)]);
    let costs = values_of::<i32>(&device, &part, "cost").expect("values");
    assert_eq!(costs.to_vec().expect("values"), [-2, -3]);
    let none = part.slice(0, 0);
    assert!(edges_of::<i32>(&device, &none, &names).expect("no edges").is_empty());
}

#[test]
fn moments_and_spans_are_the_numbers_that_they_are() {
    let device = Device::cpu();
    let seconds = TimestampSecondArray::from(vec![5, -1, 7]).with_timezone("+02:00");
    let columns: Vec<(&str, Arc<dyn Array>)> = vec![
        ("seen", Arc::new(seconds)),
        ("nanos", Arc::new(TimestampNanosecondArray::from(vec![Some(1 << 60), Some(2), None]))),
        ("day", Arc::new(Date32Array::from(vec![1, 2, 3]))),
        ("span", Arc::new(DurationMillisecondArray::from(vec![30, 20, 10]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("a record batch");
    let of = |batch: &RecordBatch, name| {
        values_of::<i64>(&device, batch, name).map(|values| values.to_vec().expect("values"))
    };
    assert_eq!(of(&batch, "seen").expect("times"), [5, -1, 7]);
    assert_eq!(of(&batch.slice(1, 2), "span").expect("spans"), [20, 10]);
    assert_eq!(of(&batch.slice(0, 2), "nanos").expect("times"), [1 << 60, 2]);
    let days = values_of::<i32>(&device, &batch, "day").expect("days");
    assert_eq!(days.to_vec().expect("days"), [1, 2, 3]);
    let error = of(&batch, "nanos").expect_err("a null");
    let null = ColumnFault::Null { row: 2 };
    assert!(
        matches!(error.kind(), ErrorKind::ArrowColumn { fault, .. } if *fault == null),
        "{error}"
    );
    let error = of(&batch, "day").expect_err("32 bits").to_string();
    assert!(error.contains("Date32") && error.contains("Int64"), "{error}");
}

#[test]
fn what_a_column_lacks_is_named() {
    let ends = || -> Arc<dyn Array> { Arc::new(UInt32Array::from(vec![0, 1])) };
    let weights = || -> Arc<dyn Array> { Arc::new(Float32Array::from(vec![1.0, 2.0])) };

    let batch = record_batch!(("src", UInt32, [0, 1]), ("end", UInt32, [0, 1])).expect("a batch");
    let (column, fault_found, message) = fault::<()>(&batch);
    let names = vec!["src".to_owned(), "end".to_owned()];
    assert_eq!((column.as_str(), fault_found), ("dst", ColumnFault::Missing { names }));
    assert!(message.contains("`dst`") && message.contains("\"end\""), "{message}");

    let text: Arc<dyn Array> = Arc::new(StringArray::from(vec!["a", "b"]));
    let (column, fault_found, _) = fault::<()>(&batch_of(ends(), text, weights()));
    let found = ColumnFault::Type {
        found: "Utf8".to_owned(),
        expected: "UInt32, UInt64, Int32 or Int64".to_owned(),
    };
    assert_eq!((column.as_str(), fault_found), ("dst", found));

    let (column, fault_found, _) = fault::<u32>(&batch_of(ends(), ends(), weights()));
    let found = ColumnFault::Type { found: "Float32".to_owned(), expected: "UInt32".to_owned() };
    assert_eq!((column.as_str(), fault_found), ("weight", found));
}

#[test]
fn nulls_and_numbers_that_name_no_vertex_are_refused_at_their_row() {
    let ends = || -> Arc<dyn Array> { Arc::new(UInt32Array::from(vec![0, 1])) };
    let weights = || -> Arc<dyn Array> { Arc::new(Float32Array::from(vec![1.0, 2.0])) };

    for nulls in [
        Arc::new(UInt32Array::from(vec![Some(0), None])) as Arc<dyn Array>,
        Arc::new(Int64Array::from(vec![Some(0), None])),
    ] {
        let (column, fault_found, _) = fault::<()>(&batch_of(nulls, ends(), weights()));
        assert_eq!((column.as_str(), fault_found), ("src", ColumnFault::Null { row: 1 }));
    }
    let null: Arc<dyn Array> = Arc::new(Float32Array::from(vec![None, Some(1.0)]));
    let (column, fault_found, _) = fault::<f32>(&batch_of(ends(), ends(), null));
    assert_eq!((column.as_str(), fault_found), ("weight", ColumnFault::Null { row: 0 }));

    for (end, value) in [
        (Arc::new(Int32Array::from(vec![0, -1])) as Arc<dyn Array>, "-1"),
        (Arc::new(Int64Array::from(vec![0, 1 << 32])), "4294967296"),
        (Arc::new(UInt64Array::from(vec![0, u64::MAX])), "18446744073709551615"),
    ] {
        let (column, fault_found, _) = fault::<()>(&batch_of(ends(), end, weights()));
        let expected = ColumnFault::NoVertex { row: 1, value: value.to_owned() };
        assert_eq!((column.as_str(), fault_found), ("dst", expected));
    }
}
