//! Ids that are text: when they are taken for it, and what they may hold.

use super::super::{Format, GraphFile, IdKind, Label, Origin, ReadError, ReadOptions, Separator};
use super::{Folder, graph, gzip, read_as};

fn read_with(options: &ReadOptions, name: &str, content: &str) -> Result<GraphFile, ReadError> {
    options.read(&Folder::new().add(name, content), &mut |_| {})
}

fn text() -> ReadOptions {
    ReadOptions { ids: Some(IdKind::Text), ..ReadOptions::default() }
}

/// The records in the names of the file.
fn named(file: &GraphFile) -> Vec<(String, String)> {
    assert!(file.ids.is_text());
    let name = |&vertex: &u32| file.ids.label(vertex).to_string();
    file.sources.iter().map(name).zip(file.destinations.iter().map(name)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(u, v)| ((*u).to_owned(), (*v).to_owned())).collect()
}

#[test]
fn records_of_words_have_vertices_in_the_order_of_their_names() {
    let file = graph("g.wel", "carol bob 3\nalice bob 4\nbob carol 0.5\n");
    assert_eq!(file.ids_origin, Origin::Header);
    assert_eq!((&file.sources[..], &file.destinations[..]), (&[2, 0, 1][..], &[1, 1, 2][..]));
    assert_eq!(file.weights, Some(vec![3.0, 4.0, 0.5]));
    let labels: Vec<_> = (0..file.ids.len()).map(|vertex| file.ids.label(vertex)).collect();
    assert_eq!(labels, ["alice", "bob", "carol"].map(Label::Text));
    assert_eq!(file.ids.vertex_named("carol"), Some(2));
    assert_eq!(["Carol", "", "0", "dave"].map(|name| file.ids.vertex_named(name)), [None; 4]);
    assert_eq!(graph("g.gz", gzip("b a\n")).ids.label(0), Label::Text("a"));
}

#[test]
fn numbers_have_labels_and_are_found_as_they_are_typed() {
    for (text, ids) in [("7 8\n", [7, 8]), ("7 9000000\n", [7, 9_000_000])] {
        let file = graph("g.txt", text);
        assert!(!file.ids.is_text() && file.ids_origin == Origin::Default);
        assert_eq!([0, 1].map(|vertex| file.ids.label(vertex)), ids.map(Label::Number));
        assert_eq!(file.ids.vertex_named(&format!(" 0{} ", ids[1])), Some(1));
        assert_eq!(["8.0", "seven", "", "-7"].map(|name| file.ids.vertex_named(name)), [None; 4]);
    }
    let gr = graph("g.gr", "p sp 2 1\na 1 2 3\n");
    assert_eq!((gr.ids_origin, gr.ids.label(1).to_string().as_str()), (Origin::Format, "2"));
}

#[test]
fn digits_are_text_where_the_caller_or_the_first_record_says_so() {
    let file = read_with(&text(), "g.txt", "7 07\n07 8\n").expect("read");
    assert_eq!(named(&file), pairs(&[("7", "07"), ("07", "8")]));
    assert_eq!((file.ids_origin, file.ids.vertex_of(7)), (Origin::Option, Some(1)));
    assert_eq!(named(&graph("g.txt", "x y\n1 z\n2 1\n")).len(), 3);
}

/// Those before the first record without a mark used to be left out.
#[test]
fn a_record_that_looks_like_a_comment_is_refused_behind_a_header_too() {
    let behind =
        |header: &str| read_with(&text(), "g.csv", &format!("{header}#gpu,#rust,1\nalice,bob,3\n"));
    let error = behind("source,target,weight\n").expect_err("a record");
    assert!(error.to_string().contains("put the id in quotes"), "{error}");
    let commented = behind("source,target,weight\n# who knows whom\n").expect_err("a record");
    assert!(commented.to_string().contains("g.csv:3"), "{commented}");
    // Before all else it may be a comment.
    assert_eq!(named(&behind("").expect("read")), pairs(&[("alice", "bob")]));
}

#[test]
fn quotes_protect_separators_blanks_and_quotes() {
    for (name, content, expected) in [
        ("g.csv", "\"Smith, Al\",bob,3\n", ("Smith, Al", "bob")),
        ("g.csv", "\"a \"\"b\"\", c\" ;\t\"d;e\";3\n", ("a \"b\", c", "d;e")),
        ("g.csv", "\"\"\"q\"\"\",\" b \",3\n", ("\"q\"", " b ")),
        ("g.csv", "Al Smith,Bo Li,3\n", ("Al Smith", "Bo Li")),
        ("g.tsv", "Al Smith\tBo, Li\t3\n", ("Al Smith", "Bo, Li")),
        ("g.txt", "\"al smith\" \"bo\" 3\n", ("al smith", "bo")),
        ("g.txt", "al , bo , 3\n", ("al", "bo")),
        ("g.txt", "\"#al\" é%o 3\n", ("#al", "é%o")),
    ] {
        assert_eq!(named(&graph(name, content)), pairs(&[expected]), "{content}");
    }
}

#[test]
fn a_header_of_known_names_is_no_record() {
    for content in [
        "source,target\nalice,bob\n",
        "# of people\nweight;to;from\n3;bob;alice\n",
        ",src,dst,timestamp\nx,alice,bob,2010-11-08\n",
        "alice,bob,2010-11-08\n",
    ] {
        assert_eq!(named(&graph("g.txt", content)), pairs(&[("alice", "bob")]), "{content}");
    }
    // Not text, but a header that was repeated.
    assert!(read_as("g.csv", "u,v\nu,v\n1,2\n").is_err());
    let no_header = ReadOptions { header: Some(false), ..ReadOptions::default() };
    let file = read_with(&no_header, "g.csv", "u,v\n1,2\n").expect("read");
    assert_eq!(named(&file), pairs(&[("u", "v"), ("1", "2")]));
}

#[test]
fn words_that_may_be_a_header_are_a_record_if_no_name_is_known() {
    let file = graph("g.csv", "alice,bob\nbob,carol\n");
    assert_eq!(named(&file), pairs(&[("alice", "bob"), ("bob", "carol")]));
    // A number is missing, or the ids below are numbers.
    for content in ["person,friend,since\nalice,bob,3\n", "person,friend\n1,2\n"] {
        let error = read_as("g.csv", content).expect_err("a header");
        assert!(matches!(error, ReadError::ColumnNames { .. }), "{error:?}");
    }
    let columns = Some("target,source".parse().expect("columns"));
    let given = ReadOptions { columns, ..ReadOptions::default() };
    for (options, content) in [
        (&text(), "to,be\nor,not\n"),
        (&text(), "person,friend\n1,2\n"),
        (&given, "person,friend\nalice,bob\n"),
        (&given, "alice,bob\nbob,carol\n"),
    ] {
        let error = read_with(options, "g.csv", content).expect_err("doubt");
        assert!(matches!(error, ReadError::HeaderInDoubt { .. }), "{error:?}");
        assert!(error.to_string().contains("--header no"), "{error}");
    }
    let header = ReadOptions { header: Some(true), ..given };
    let file = read_with(&header, "g.csv", "person,friend\nalice,bob\n").expect("read");
    assert_eq!(named(&file), pairs(&[("bob", "alice")]));
}

#[test]
fn a_record_that_can_be_divided_in_two_ways_is_refused() {
    for (content, names) in [
        ("al smith, bo\n", "`--separator comma` or `--separator blank`"),
        ("al\tbo 3\n", "tab"),
        ("a;b,c\n", "semicolon"),
        ("http://a/x,y http://b\n", "comma"),
    ] {
        let error = read_as("g.txt", content).expect_err("doubt");
        assert!(matches!(error, ReadError::SeparatorInDoubt { .. }), "{error:?}");
        assert!(error.to_string().contains(names), "{error}");
    }
    for (separator, expected) in [
        (Separator::Tab, ("al,s", "bo l")),
        (Separator::Comma, ("al", "s\tbo l")),
        (Separator::Blank, ("al,s", "bo")),
    ] {
        let options = ReadOptions { separator: Some(separator), ..text() };
        let read = read_with(&options, "g.txt", "al,s\tbo l\n");
        match separator {
            Separator::Tab => assert_eq!(named(&read.expect("read")), pairs(&[expected])),
            // A tab in an id, and a third column that is no time.
            _ => assert!(read.is_err()),
        }
        assert_eq!(separator.name().parse(), Ok(separator));
    }
    // The number of columns decides.
    let known = graph("g.txt", "source target\nal smith\tbo li\n");
    assert_eq!(named(&known), pairs(&[("al smith", "bo li")]));
}

#[test]
fn ids_that_are_empty_too_long_or_no_text_are_refused_with_their_line() {
    let long = "x".repeat(1025);
    for (record, reason) in [
        (b"alice,\n".to_vec(), "empty"),
        (b"\" \",bob\n".to_vec(), "empty"),
        (format!("{long},bob\n").into_bytes(), "1,024 bytes"),
        (b"al\xffce,bob\n".to_vec(), "UTF-8"),
        (b"al\x1b[31mce,bob\n".to_vec(), "control character"),
        (b"\"alice,bob\n".to_vec(), ""),
        (b"\"al\"ice,bob\n".to_vec(), "quotes"),
    ] {
        let content = [b"a,b\n# c\n".to_vec(), record].concat();
        let error = read_as("g.csv", content).expect_err(reason);
        assert_eq!(error.place().line, Some(3), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    let limit = "x".repeat(1024);
    assert_eq!(named(&graph("g.csv", format!("{limit},bob\n")))[0].0, limit);
}

#[test]
fn a_first_record_with_a_word_and_a_number_is_not_guessed() {
    for content in ["alice 7\n", "7 alice\n", "nan inf\n", "1.5 2\n", "alice,\n"] {
        let error = read_as("g.txt", content).expect_err("half a number");
        assert!(matches!(error, ReadError::NotANumber { .. }), "{error:?}");
    }
    let error = read_as("g.txt", "alice 7\n").expect_err("half a number");
    assert!(error.to_string().contains("--ids text"), "{error}");
    assert_eq!(
        read_with(&text(), "g.txt", "nan 7\n").map(|file| named(&file)).ok(),
        Some(pairs(&[("nan", "7")]))
    );
    let numbers = ReadOptions { ids: Some(IdKind::Numbers), ..ReadOptions::default() };
    assert!(matches!(read_with(&numbers, "g.wel", "a b 3\n"), Err(ReadError::NotANumber { .. })));
}

/// `#rust` among the records would be lost as a comment.
#[test]
fn comments_that_look_like_records_of_text_are_refused() {
    let error = read_as("g.txt", "rust crates 1\n#rust crates 2\n").expect_err("a record?");
    assert!(matches!(error, ReadError::UnexpectedLine { .. }), "{error:?}");
    assert_eq!(error.place().line, Some(2));
    assert_eq!(named(&graph("g.txt", "a b 1\n# a comment\n#comment\n## a b\nb a 2\n")).len(), 2);
    assert_eq!(graph("g.txt", "1 2 1\n#rust crates 2\n").sources.len(), 1);
}

#[test]
fn formats_whose_ids_are_numbers_refuse_text() {
    let error = read_with(&text(), "g.gr", "p sp 2 1\na 1 2 3\n").expect_err("numbers");
    assert!(matches!(error, ReadError::FixedByFormat { format: Format::Dimacs, .. }), "{error:?}");
    let separated = ReadOptions { separator: Some(Separator::Tab), ..ReadOptions::default() };
    let error = read_with(&separated, "g.graph", "1 0\n\n").expect_err("words");
    assert!(error.to_string().contains("--separator"), "{error}");
    // Elsewhere `c` is a vertex, and no comment.
    let file = read_with(&text(), "g.txt", "c d\np sp\n").expect("read");
    assert_eq!(named(&file), pairs(&[("c", "d"), ("p", "sp")]));
    let error = read_with(&text(), "out.x", "% bip unweighted\na b\n").expect_err("two kinds");
    assert!(matches!(error, ReadError::Unsupported { .. }), "{error:?}");
}

#[test]
fn the_names_of_100_000_vertices_lead_to_their_vertices() {
    let content: String =
        (0..100_000).map(|i| format!("user{} user{}\n", i * 7 % 100_000, i)).collect();
    let file = graph("g.txt", content);
    assert_eq!(file.ids.len(), 100_000);
    assert!((0..file.ids.len()).is_sorted_by_key(|vertex| file.ids.label(vertex)));
    for (record, (&source, &target)) in file.sources.iter().zip(&file.destinations).enumerate() {
        let name = |number: usize| file.ids.vertex_named(&format!("user{number}"));
        assert_eq!((name(record * 7 % 100_000), name(record)), (Some(source), Some(target)));
    }
}
