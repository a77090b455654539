//! Every error: its variant, its line, what it quotes and the way out.

use super::super::{MAX_VERTICES, ReadError};
use super::{Folder, read_as, read_path};

const PATTERN: &str = "%%MatrixMarket matrix coordinate pattern general\n";

/// Asserts the variant and line of the error for a file, and that the message
/// names the file and has each of the `parts`.
macro_rules! assert_refused {
    ($error:expr, $variant:ident, $line:expr, $($part:expr),+ $(,)?) => {{
        let error: ReadError = $error;
        assert!(matches!(error, ReadError::$variant { .. }), "{error:?}");
        assert_eq!(error.place().line, $line, "{error}");
        let message = error.to_string();
        let file = error.place().path.file_name().expect("a file name").to_string_lossy();
        assert!(message.contains(&*file), "{message}");
        $(assert!(message.contains($part), "no {:?} in: {message}", $part);)+
    }};
}

fn refusal(name: &str, content: impl AsRef<[u8]>) -> ReadError {
    match read_as(name, content) {
        Err(error) => error,
        Ok(graph) => panic!("{name} was read: {graph:?}"),
    }
}

fn ldbc_refusal(vertices: &str, edges: &str) -> ReadError {
    let (_folder, path) = Folder::ldbc(vertices, edges);
    read_path(&path).expect_err("a refused graph")
}

#[test]
fn files_without_records_and_vertices() {
    for name in ["g.txt", "g.csv", "g.mtx", "g.gr", "g.wel", "g"] {
        assert_refused!(refusal(name, ""), Empty, None, "no records");
        assert_refused!(refusal(name, "\u{feff}\n \r\n"), Empty, None, "no records");
    }
    assert_refused!(refusal("g.txt", "# only\n% comments"), Empty, None, "at least one");
    assert_refused!(refusal("g.csv", "source,target\n"), Empty, None, "at least one");
    assert_refused!(refusal("g.mtx", format!("{PATTERN}0 0 0\n")), Empty, None, "no records");
    assert_refused!(refusal("g.gr", "p sp 0 0\n"), Empty, None, "no records");
    assert_refused!(ldbc_refusal("", ""), Empty, None, "no records");
}

#[test]
fn text_in_place_of_numbers() {
    let error = refusal("g.txt", "# c\n1 2\n\n3 x4\n");
    assert_refused!(error, NotANumber, Some(4), "`x4`", "a vertex id", "correct or remove");
    let error = refusal("g.txt", "<!DOCTYPE html><html lang=\"en\">\n");
    assert_refused!(error, ColumnNames, Some(1), "`<!DOCTYPE`");
    assert_refused!(refusal("g.txt", "hello\n"), NotANumber, Some(1), "`hello`");
    assert_refused!(refusal("g.txt", "1.5 2\n"), NotANumber, Some(1), "`1.5`", "whole");
    assert_refused!(refusal("g.txt", "1 2 x\n"), NotANumber, Some(1), "a time", "--columns");
    assert_refused!(refusal("g.wel", "1 2 heavy\n"), NotANumber, Some(1), "`heavy`", "a weight");
    assert_refused!(refusal("g.csv", "1,2\nu,v\n"), NotANumber, Some(2), "`u`");
    assert_refused!(refusal("g.csv", "u,v\nu,v\n1,2"), NotANumber, Some(2), "`u`");
    assert_refused!(refusal("g.csv", "1,,3\n"), NotANumber, Some(1), "`1,,3`");
    assert_refused!(refusal("g.gr", "p sp 2 1\na 1 2 x\n"), NotANumber, Some(2), "`x`");
    assert_refused!(refusal("g.mtx", format!("{PATTERN}2 2 1\n1 b\n")), NotANumber, Some(3), "`b`");
    assert_refused!(ldbc_refusal("1\ntwo\n", "1 1\n"), NotANumber, Some(2), "`two`", "G.v");
}

#[test]
fn wrong_number_of_columns() {
    assert_refused!(refusal("g.txt", "1\n"), ColumnCount, Some(1), "1 column", "2 to 4");
    assert_refused!(
        refusal("g.txt", "1 2 3 4 5\n"),
        ColumnCount,
        Some(1),
        "5 column",
        "`1 2 3 4 5`"
    );
    let error = refusal("g.txt", "# c\n1 2\n1 2 3\n");
    assert_refused!(error, ColumnCount, Some(3), "3 column", "line 2, has 2");
    assert_refused!(refusal("g.txt", "1 2 3\n1 2\n"), ColumnCount, Some(2), "line 1, has 3");
    // Not a time that is wrong, but a weight that earlier records lack.
    assert_refused!(refusal("g.txt", "1 2 3\n1 2 0.5 3\n"), ColumnCount, Some(2), "4 column");
    let error = refusal("g.mtx", format!("{PATTERN}2 2 1\n1 2 3\n"));
    assert_refused!(error, ColumnCount, Some(3), "`pattern`", "`row column`");
    let real = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n";
    assert_refused!(refusal("g.mtx", real), ColumnCount, Some(3), "`row column value`");
    assert_refused!(refusal("g.gr", "p sp 2 1\na 1 2\n"), ColumnCount, Some(2), "weight");
    assert_refused!(ldbc_refusal("1\n2 3\n", "1 1\n"), ColumnCount, Some(2), "`2 3`");
    assert_refused!(ldbc_refusal("1\n", "1 1 1 1\n"), ColumnCount, Some(1), "2 or 3");
    assert_refused!(ldbc_refusal("1\n", "1 1\n1 1 1\n"), ColumnCount, Some(2), "line 1, has 2");
}

#[test]
fn separators_that_change_within_a_file() {
    assert_refused!(refusal("g.txt", "1 2\n3,4\n"), NotANumber, Some(2), "`3,4`");
    assert_refused!(refusal("g.txt", "1,2\n3 4\n"), NotANumber, Some(2), "`3 4`");
}

#[test]
fn ids_outside_the_header() {
    let error = refusal("g.mtx", format!("{PATTERN}2 2 2\n1 2\n0 1\n"));
    assert_refused!(error, IdOutOfRange, Some(4), "id 0", "1 to 2");
    assert_refused!(
        refusal("g.mtx", format!("{PATTERN}2 2 1\n1 3\n")),
        IdOutOfRange,
        Some(3),
        "id 3"
    );
    assert_refused!(refusal("g.gr", "p sp 2 1\na 0 1 5\n"), IdOutOfRange, Some(2), "id 0");
    assert_refused!(refusal("g.gr", "p sp 2 1\na 1 9 5\n"), IdOutOfRange, Some(2), "id 9");
}

#[test]
fn ids_that_are_negative_or_too_large() {
    assert_refused!(refusal("g.txt", "1 2\n-3 4\n"), NegativeId, Some(2), "`-3`", "start at 0");
    assert_refused!(refusal("g.csv", "-3,4\n"), NegativeId, Some(1), "`-3`");
    assert_refused!(
        refusal("g.mtx", format!("{PATTERN}2 2 1\n-1 1\n")),
        NegativeId,
        Some(3),
        "`-1`"
    );
    let over = "18446744073709551616";
    assert_refused!(refusal("g.txt", format!("1 {over}\n")), IdTooLarge, Some(1), over, "renumber");
    assert_refused!(ldbc_refusal(over, "1 1\n"), IdTooLarge, Some(1), over, "G.v");
}

#[test]
fn more_vertices_than_fit() {
    let n = MAX_VERTICES + 1;
    assert_eq!(n, 4_294_967_293);
    let error = refusal("g.mtx", format!("{PATTERN}{n} {n} 0\n"));
    assert_refused!(error, TooManyVertices, Some(2), "4294967293", "4294967292");
    assert_refused!(refusal("g.gr", format!("p sp {n} 0\n")), TooManyVertices, Some(1), "split");
}

#[test]
fn headers_that_are_missing() {
    assert_refused!(refusal("g.mtx", "3 3 1\n1 2\n"), HeaderMissing, Some(1), "%%MatrixMarket");
    assert_refused!(refusal("g.mtx", PATTERN), HeaderMissing, None, "rows columns entries");
    assert_refused!(refusal("g.txt", "a 1 2 3\n"), HeaderMissing, Some(1), "p sp");
    assert_refused!(refusal("g.gr", "c only\n"), HeaderMissing, None, "p sp");
    assert_refused!(refusal("g.gr", "c c\na 1 2 3\np sp 2 1\n"), HeaderMissing, Some(2), "before");
}

#[test]
fn headers_that_cannot_be_understood() {
    let short = "%%MatrixMarket matrix coordinate\n1 1 0\n";
    assert_refused!(refusal("g.mtx", short), HeaderMalformed, Some(1), "first line");
    // It was read as if the first word were the right one.
    let longer = "%%MatrixMarketing matrix coordinate pattern general\n1 1 0\n";
    assert_refused!(refusal("g.mtx", longer), HeaderMalformed, Some(1), "first line");
    for size in ["2 1", "2 2 x", "2 2 -1", "2 2 1 1", "2 2 99999999999999999999"] {
        let error = refusal("g.mtx", format!("{PATTERN}{size}\n"));
        assert_refused!(error, HeaderMalformed, Some(2), size, "rows columns entries");
    }
    for problem in ["p", "p sp", "p sp 3", "p sp 3 x", "p sp 3 3 3"] {
        assert_refused!(refusal("g.gr", problem), HeaderMalformed, Some(1), problem);
    }
    let error = properties_refusal("graph.G.directed = maybe\n");
    assert_refused!(error, HeaderMalformed, Some(1), "maybe", "`true` or `false`", "G.properties");
}

fn properties_refusal(properties: &str) -> ReadError {
    let (folder, path) = Folder::ldbc("1\n", "1 1\n");
    folder.add("G.properties", properties);
    read_path(&path).expect_err("refused properties")
}

#[test]
fn headers_that_contradict_themselves_or_come_twice() {
    let error = refusal("g.mtx", format!("{PATTERN}% c\n2 3 0\n"));
    assert_refused!(error, HeaderContradictory, Some(3), "`2 3 0`", "as many rows as columns");
    let error = properties_refusal("graph.G.directed=true\ngraph.G.directed=false\n");
    assert_refused!(error, HeaderContradictory, Some(2), "opposite");

    let error = refusal("g.mtx", format!("{PATTERN}2 2 1\n1 2\n{PATTERN}"));
    assert_refused!(error, HeaderDuplicate, Some(4), "%%MatrixMarket", "one graph per file");
    assert_refused!(refusal("g.gr", "p sp 2 1\np sp 2 1\n"), HeaderDuplicate, Some(2), "p sp 2 1");
}

#[test]
fn formats_that_are_not_read() {
    for (banner, word) in [
        ("matrix array real general", "`array`"),
        ("vector coordinate real general", "`vector`"),
        ("matrix coordinate complex general", "`complex`"),
        ("matrix coordinate real skew-symmetric", "`skew-symmetric`"),
        ("matrix coordinate complex hermitian", "`complex`"),
        ("matrix coordinate real hermitian", "`hermitian`"),
    ] {
        let error = refusal("g.mtx", format!("%%MatrixMarket {banner}\n1 1 0\n"));
        assert_refused!(error, Unsupported, Some(1), word);
    }
    assert_refused!(refusal("g.gr", "p max 2 1\na 1 2 3\n"), Unsupported, Some(1), "`max`", "p sp");
    assert_refused!(refusal("g.gr", "p tww 2 1\n1 2\n"), Unsupported, Some(1), "`tww`");
    assert_refused!(refusal("g.gr", "p sp 2 1\n1 2 3\n"), UnexpectedLine, Some(2), "`1 2 3`");
}

#[test]
fn entry_counts_that_differ_from_the_header() {
    let few = refusal("g.mtx", format!("{PATTERN}% c\n2 2 3\n1 2\n2 1\n"));
    assert_refused!(few, EntryCount, Some(3), "declares 3 entries", "holds 2");
    let many = refusal("g.mtx", format!("{PATTERN}2 2 1\n1 2\n2 1\n"));
    assert_refused!(many, EntryCount, Some(2), "declares 1 entries", "holds 2");
    let boast = refusal("g.mtx", format!("{PATTERN}2 2 {}\n1 2\n", u64::MAX));
    assert_refused!(boast, EntryCount, Some(2), "holds 1");
    assert_refused!(refusal("g.gr", "p sp 2 2\na 1 2 3\n"), EntryCount, Some(1), "holds 1");
    assert_refused!(refusal("g.gr", "p sp 2 0\na 1 2 3\n"), EntryCount, Some(1), "holds 1");
}

#[test]
fn ldbc_vertices_that_are_missing_or_come_twice() {
    assert_refused!(refusal("G.e", "1 2\n"), VertexFileMissing, None, "G.v", "beside");
    assert_refused!(refusal("G.e", ""), VertexFileMissing, None, "G.v");
    let error = ldbc_refusal("1\n3\n", "1 3\n\n3 2\n");
    assert_refused!(error, UnknownVertex, Some(3), "id 2", "G.e", "G.v", "add it");
    assert_refused!(ldbc_refusal("", "0 0\n"), UnknownVertex, Some(1), "id 0");
    let far = ldbc_refusal("1\n18446744073709551615\n", "1 3\n");
    assert_refused!(far, UnknownVertex, Some(1), "id 3");
    let error = ldbc_refusal("1\n\n2\n1\n", "1 2\n");
    assert_refused!(error, DuplicateVertex, Some(4), "id 1", "G.v");
}

#[test]
fn weights_that_are_not_finite() {
    for weight in ["inf", "-inf", "NaN", "1e999", "Infinity"] {
        let quoted = format!("`{weight}`");
        let error = refusal("g.wel", format!("1 2 3\n1 2 {weight}\n"));
        assert_refused!(error, NonFiniteWeight, Some(2), &quoted, "finite");
        let error = refusal("g.gr", format!("p sp 2 1\na 1 2 {weight}\n"));
        assert_refused!(error, NonFiniteWeight, Some(2), &quoted);
        assert_refused!(
            ldbc_refusal("1\n", &format!("1 1 {weight}\n")),
            NonFiniteWeight,
            Some(1),
            &quoted
        );
    }
    assert_refused!(refusal("g.csv", "1,2,nan,5\n"), NonFiniteWeight, Some(1), "`nan`");
}

#[test]
fn quotes_hold_at_most_60_printable_characters() {
    for text in ["x".repeat(1000), "é".repeat(1000), "\u{1}\t\u{1b}[31m".repeat(300)] {
        let message = refusal("g.txt", text).to_string();
        let quoted = message.split('`').nth(1).expect("a quote");
        assert!(quoted.chars().count() <= 60, "{message}");
        assert!(!message.contains(char::is_control), "{message:?}");
    }
    let exact = "y".repeat(60);
    assert_refused!(refusal("g.txt", &exact), NotANumber, Some(1), &exact);
}

#[test]
fn windows_line_ends_and_a_mark_keep_line_numbers() {
    let error = refusal("g.txt", "\u{feff}# c\r\n1 2\r\n\r\n1 x\r\n");
    assert_refused!(error, NotANumber, Some(4), "`x`");
}

#[test]
fn metis_files_that_contradict_their_header() {
    let one_way = refusal("g.graph", "2 1\n2\n\n");
    assert_refused!(one_way, EntryCount, Some(1), "declares 2 entries", "holds 1");
    let other_way = refusal("g.graph", "3 2\n2 3\n1\n2\n");
    assert_refused!(
        other_way,
        OneWay,
        None,
        "of vertex 1 names 3, but the line of 3 does not name 1;"
    );
    let other_end = refusal("g.graph", "3 2\n2\n1\n1 2\n");
    assert_refused!(other_end, OneWay, None, "of vertex 3 names 1,");
    let other_weight = refusal("g.graph", "2 1 1\n2 5\n1 6\n");
    assert_refused!(other_weight, OneWay, None, "of vertex 1 names 2", "with this weight");
    assert_refused!(refusal("g.graph", "2 1\n3\n1\n"), IdOutOfRange, Some(2), "id 3", "1 to 2");
    assert_refused!(refusal("g.graph", "1 0\n\n1\n"), UnexpectedLine, Some(3), "fewer vertices");
    assert_refused!(refusal("g.graph", "2 1 1\n2 5\n1\n"), ColumnCount, Some(3), "a weight");
    assert_refused!(refusal("g.graph", "2 1\n2\nx\n"), NotANumber, Some(3), "`x`");
    for header in ["2", "2 x", "2 1 12", "2 1 1111", "2 1 10 x", "2 1 0 1 5"] {
        let error = refusal("g.graph", format!("{header}\n2\n1\n"));
        assert_refused!(error, HeaderMalformed, Some(1), header, "vertices edges");
    }
    assert_refused!(refusal("g.graph", "% c\n"), HeaderMissing, None, "first line");
}
