//! What the columns of edge lists mean: headers, comments, options, and what is usual.

use super::super::{Column, Format, GraphFile, Origin, ReadError, ReadOptions};
use super::{Folder, graph, read_as, records};

fn options(columns: &str) -> ReadOptions {
    let columns = columns.parse().expect("columns");
    ReadOptions { columns: Some(columns), ..ReadOptions::default() }
}

fn read_with(options: &ReadOptions, name: &str, content: &str) -> Result<GraphFile, ReadError> {
    options.read(&Folder::new().add(name, content), &mut |_| {})
}

/// What was read of a file with one record.
fn only_record(file: &GraphFile) -> ((u64, u64), Option<f64>, Option<i64>) {
    let first = |weights: &Vec<f64>| weights[0];
    (records(file)[0], file.weights.as_ref().map(first), file.times.as_ref().map(|t| t[0]))
}

/// `src,dst,time,weight` was once read as source, target, weight, time.
#[test]
fn a_header_says_the_order_of_the_columns() {
    let expected = ((7, 8), Some(0.5), Some(90));
    for (name, text) in [
        ("g.csv", "src,dst,time,weight\n7,8,90,0.5\n"),
        ("g.csv", "\u{feff}\"to\",\"from\",\"value\",\"timestamp\"\r\n8,7,0.5,90\r\n"),
        ("g.csv", "Weight;T;Target;Source\n0.5;90;8;7\n"),
        ("g.tsv", "t\tu\tv\tw\n90\t7\t8\t0.5\n"),
        ("g.txt", "u v t w\n7 8 90 0.5\n"),
        ("g.txt", "# a graph\n# FromNodeId\tToNodeId\tSign\tTime\n7\t8\t0.5\t90\n"),
    ] {
        let file = graph(name, text);
        assert_eq!(only_record(&file), expected, "{text}");
        assert_eq!(file.columns_origin, Origin::Header, "{text}");
    }
}

/// The index of a data frame was once a vertex.
#[test]
fn an_index_without_a_name_is_skipped() {
    for text in [
        ",source,target,weight\n0,7,8,0.5\n",
        "Unnamed: 0,source,target,weight\n0,7,8,0.5\n",
        "\"\",\"source\",\"target\",\"weight\"\n\"row, 1\",7,8,0.5\n",
    ] {
        let file = graph("g.csv", text);
        assert_eq!(only_record(&file), ((7, 8), Some(0.5), None), "{text}");
        assert_eq!(file.columns.to_string(), "-,source,target,weight");
    }
    let file = graph("g.tsv", "\tsource\ttarget\tweight\n0\t7\t8\t0.5\n");
    assert_eq!(only_record(&file), ((7, 8), Some(0.5), None));
}

#[test]
fn a_header_that_is_not_understood_is_refused_with_columns_to_give() {
    let refused = |text: &str, parts: &[&str]| {
        let error = read_as("g.csv", text).expect_err("a header");
        assert!(matches!(error, ReadError::ColumnNames { .. }), "{error:?}");
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "no {part} in: {message}");
        }
    };
    refused(
        "source,target,colour\n1,2,3\n",
        &["g.csv:1", "`colour`", "`--columns source,target,-`"],
    );
    refused("# c\na,b\n1,2\n", &["g.csv:2", "`a,b`", "`--columns source,target`"]);
    refused("source,target,w,cost\n1,2,3,4\n", &["two columns are a weight", "source,target,-,-"]);
    refused("source,weight\n1,2\n", &["no column is the target"]);
}

#[test]
fn the_callers_columns_come_before_the_header_and_the_ending() {
    let weighted = read_with(&options("source,target,weight"), "g.txt", "7 8 90\n").expect("read");
    assert_eq!(only_record(&weighted), ((7, 8), Some(90.0), None));
    assert_eq!(weighted.columns_origin, Origin::Option);

    let content = "a,source,target\n90,7,8\n";
    let timed = read_with(&options("t,u,v"), "g.csv", content).expect("read");
    assert_eq!(only_record(&timed), ((7, 8), None, Some(90)));

    let skipped = read_with(&options("u,v,-,-"), "g.csv", "7,8,red,\"a, b\"\n").expect("read");
    assert_eq!(only_record(&skipped), ((7, 8), None, None));
    assert!(!skipped.columns.has(Column::Weight));
}

#[test]
fn columns_that_the_records_lack_or_the_format_fixes_are_refused() {
    let error = read_with(&options("u,v,w"), "g.txt", "1 2\n").expect_err("too few");
    assert!(error.to_string().contains("`--columns source,target,weight` names 3"), "{error}");
    let error = read_as("g.csv", "source,target\n1,2,3\n").expect_err("too many");
    assert!(error.to_string().contains("the header, on line 1, names 2"), "{error}");
    // Text in a column that nobody named was once called the mistake.
    let error = read_with(&options("u,v"), "g.csv", "1,2,red\n").expect_err("too many");
    assert!(error.to_string().contains("found 3 column(s) in `1,2,red`"), "{error}");
    let error = read_with(&options("u,v,w"), "g.gr", "p sp 2 1\na 1 2 3\n").expect_err("fixed");
    assert!(matches!(error, ReadError::FixedColumns { .. }), "{error:?}");
    assert!(error.to_string().contains("format dimacs are fixed"), "{error}");
}

#[test]
fn without_names_the_columns_are_the_usual_ones_and_it_is_said() {
    for (name, text, columns, origin) in [
        ("g.txt", "1 2\n", "source,target", Origin::Format),
        ("g.txt", "1 2 3\n", "source,target,time", Origin::Default),
        ("g.wel", "1 2 3\n", "source,target,weight", Origin::Format),
        ("g.csv", "1,2,3\n", "source,target,weight", Origin::Default),
        ("g.csv", "1,2,3,4\n", "source,target,weight,time", Origin::Default),
        ("g.txt", "% asym positive\n1 2 3\n", "source,target,weight", Origin::Header),
        ("g.gr", "p sp 2 1\na 1 2 3\n", "source,target,weight", Origin::Format),
    ] {
        let file = graph(name, text);
        assert_eq!((file.columns.to_string().as_str(), file.columns_origin), (columns, origin));
    }
}

#[test]
fn the_format_may_be_given() {
    let forced = |format, name, content: &str| {
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        read_with(&options, name, content)
    };
    let csv = forced(Format::Csv, "g.txt", "1 2 3\n").expect("read");
    assert_eq!(csv.weights, Some(vec![3.0]));
    let list = forced(Format::EdgeList, "g.graph", "1 2\n").expect("read");
    assert_eq!((list.format, records(&list)), (Format::EdgeList, vec![(1, 2)]));
    let error = forced(Format::MatrixMarket, "g.txt", "1 2\n").expect_err("no banner");
    assert!(matches!(error, ReadError::HeaderMissing { .. }), "{error:?}");
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
}

#[test]
fn a_stream_is_read_if_its_content_or_the_caller_says_the_format() {
    let stream = |options: &ReadOptions, text: &str| {
        options.read_stream(&mut text.as_bytes(), "standard input", &mut |_| {})
    };
    let none = ReadOptions::default();
    let dimacs = stream(&none, "p sp 2 1\na 1 2 3\n").expect("read");
    assert_eq!((dimacs.format, records(&dimacs)), (Format::Dimacs, vec![(1, 2)]));
    let error = stream(&none, "1 2\n").expect_err("a METIS file or an edge list");
    assert!(matches!(error, ReadError::UnknownFormat { .. }), "{error:?}");
    assert!(error.to_string().starts_with("standard input: "), "{error}");
    let list = ReadOptions { format: Some(Format::EdgeList), ..none.clone() };
    assert_eq!(records(&stream(&list, "1 2\n").expect("read")), [(1, 2)]);
    let error = stream(&list, "1 2\nx 2\n").expect_err("text");
    assert!(error.to_string().starts_with("standard input:2: "), "{error}");
    let two_files = ReadOptions { format: Some(Format::Graphalytics), ..none };
    assert!(matches!(stream(&two_files, "1 2\n"), Err(ReadError::Unsupported { .. })));
}
