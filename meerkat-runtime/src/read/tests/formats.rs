//! Every format, in the spellings that occur.

use super::super::Format;
use super::{Folder, graph, gzip, read_path, records};
use crate::Direction;

#[test]
fn snap_columns_are_endpoints_then_time_then_weight_and_time() {
    let two = graph("g.txt", "# comment\n3 1\n1 2\n");
    assert_eq!(two.format, Format::EdgeList);
    assert_eq!(two.declared_directed, None);
    assert_eq!(records(&two), [(3, 1), (1, 2)]);
    assert_eq!((two.weights, two.times), (None, None));

    let three = graph("g.txt", "3 1 90\n1 2 -80\n");
    assert_eq!((three.weights, three.times), (None, Some(vec![90, -80])));

    let four = graph("g.txt", "3 1 0.5 90\n1 2 -2 80\n");
    assert_eq!((four.weights, four.times), (Some(vec![0.5, -2.0]), Some(vec![90, 80])));
}

#[test]
fn snap_takes_tabs_commas_blank_lines_windows_ends_marks_and_no_last_newline() {
    let expected = [(10, 20), (20, 30)];
    for text in [
        "10\t20\n20\t30\n",
        "10,20\n20,30",
        "10 , 20\n 20,\t30  \n",
        "\n10   20  \n\n  20 30\t\n\n",
        "10 20\r\n20 30\r\n",
        "10 20\r20 30\r",
        "# of an old Mac\r\r10 20\r20 30",
        "\u{feff}10 20\n20 30",
        "% konect\n10 20\n# in between\n20 30\n",
    ] {
        assert_eq!(records(&graph("g.txt", text)), expected, "{text:?}");
    }
}

#[test]
fn gapbs_el_and_wel_are_edge_lists_and_the_third_column_of_wel_is_a_weight() {
    let el = graph("4.el", "0 13\n0 0\n");
    assert_eq!((el.format, records(&el)), (Format::EdgeList, vec![(0, 13), (0, 0)]));

    let wel = graph("4.wel", "0 13 92\n0 0 1.5\n");
    assert_eq!((wel.weights, wel.times), (Some(vec![92.0, 1.5]), None));

    let packed = graph("4.WEL.gz", gzip("0 13 92\n"));
    assert_eq!(packed.weights, Some(vec![92.0]));
}

#[test]
fn csv_columns_are_endpoints_then_weight_then_time() {
    let two = graph("g.csv", "7,8\n8,9\n");
    assert_eq!((two.format, records(&two)), (Format::Csv, vec![(7, 8), (8, 9)]));

    let three = graph("g.csv", "7,8,-10\n");
    assert_eq!((three.weights, three.times), (Some(vec![-10.0]), None));

    let four = graph("g.csv.gz", gzip("7188,1,10,1407470400\n430,1,-3,1376539200\n"));
    assert_eq!(four.weights, Some(vec![10.0, -3.0]));
    assert_eq!(four.times, Some(vec![1_407_470_400, 1_376_539_200]));
}

#[test]
fn csv_skips_one_line_of_column_names() {
    let named = graph("g.csv", "\u{feff}source, target,weight\r\n1,2,0.25\r\n");
    assert_eq!((records(&named), named.weights), (vec![(1, 2)], Some(vec![0.25])));
}

#[test]
fn matrix_market_general_is_directed_and_symmetric_is_not() {
    let banner = "%%MatrixMarket matrix coordinate pattern";
    let general = graph("g.mtx", format!("{banner} general\n% c\n\n4 4 2\n1 2\n% c\n3 1 \n"));
    assert_eq!(general.format, Format::MatrixMarket);
    assert_eq!(general.declared_directed, Some(true));
    assert_eq!(general.ids.len(), 4);
    assert_eq!(records(&general), [(1, 2), (3, 1)]);

    let symmetric = graph("g.mtx", format!("{banner} symmetric\n2 2 1\n2 1\n"));
    assert_eq!(symmetric.declared_directed, Some(false));
    assert_eq!(symmetric.weights, None);
}

#[test]
fn matrix_market_integer_and_real_entries_have_weights() {
    let integer = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -177\n";
    assert_eq!(graph("g.mtx", integer).weights, Some(vec![-177.0]));

    let real = "%%matrixmarket MATRIX Coordinate Real Symmetric\r\n2 2 1\r\n2 1 6.9e-1\r\n";
    assert_eq!(graph("g.mtx", real).weights, Some(vec![0.69]));
}

#[test]
fn matrix_market_without_entries_has_its_declared_vertices() {
    let text = "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n";
    let empty = graph("g.mtx", text);
    assert_eq!((empty.ids.len(), empty.ids.id_of(2), empty.sources.len()), (3, 3, 0));
    assert_eq!(empty.simple(Direction::Directed).out_degrees(), [0, 0, 0]);
}

#[test]
fn dimacs_arcs_are_directed_and_weighted() {
    let roads = graph("g.gr", "c two\nc\np sp 3 2\na 1 3 92\nc between\n a\t3 1 0 \n");
    assert_eq!((roads.format, roads.declared_directed), (Format::Dimacs, Some(true)));
    assert_eq!(records(&roads), [(1, 3), (3, 1)]);
    assert_eq!((roads.ids.len(), roads.weights), (3, Some(vec![92.0, 0.0])));
}

#[test]
fn ldbc_joins_the_edge_file_with_its_vertex_file() {
    let (folder, path) = Folder::ldbc("9\n1\n\n4\n", "1 4 0.5\n9 1 0.3\n\n");
    let without = read_path(&path).expect("a graph");
    assert_eq!((without.format, without.declared_directed), (Format::Graphalytics, None));
    assert_eq!(records(&without), [(1, 4), (9, 1)]);
    assert_eq!((without.ids.len(), without.weights), (3, Some(vec![0.5, 0.3])));

    for (value, expected) in [("true", Some(true)), ("False", Some(false))] {
        folder.add("G.properties", format!("# c\ngraph.G.directed = {value}\nx = y\n"));
        assert_eq!(read_path(&path).expect("a graph").declared_directed, expected);
    }
    folder.add("G.properties", "graph.G.bfs.source-vertex = 1\n");
    assert_eq!(read_path(&path).expect("a graph").declared_directed, None);
}

#[test]
fn ldbc_files_may_all_be_gzip_and_may_lack_edges() {
    let folder = Folder::new();
    folder.add("some.graph.v.gz", gzip("1\n2\n"));
    folder.add("some.graph.properties.gz", gzip("graph.some.graph.directed=false"));
    let path = folder.add("some.graph.e.gz", gzip("1 2\n"));
    let packed = read_path(&path).expect("a graph");
    assert_eq!((records(&packed), packed.declared_directed), (vec![(1, 2)], Some(false)));

    let (_folder, path) = Folder::ldbc("5\n6\n", "");
    let isolated = read_path(&path).expect("a graph");
    assert_eq!((isolated.ids.len(), isolated.sources.len()), (2, 0));
}

#[test]
fn content_decides_before_the_name() {
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
    for name in ["g.txt", "g.csv", "g.gr", "g.e", "g"] {
        assert_eq!(graph(name, matrix).format, Format::MatrixMarket, "{name}");
    }
    for dimacs in ["c c\np sp 2 1\na 1 2 3\n", "p sp 2 1\na 1 2 3\n"] {
        for name in ["g.txt", "g.csv", "g.mtx"] {
            assert_eq!(graph(name, dimacs).format, Format::Dimacs, "{name}");
        }
    }
}

#[test]
fn comments_of_snap_and_konect_say_the_direction() {
    for (text, directed) in [
        ("# Undirected graph (each unordered pair of nodes is saved once): x\n1 2\n", Some(false)),
        ("# Directed graph (each unordered pair of nodes is saved once): x\n1 2\n", Some(true)),
        ("# x\n# Undirected graph: y\n1 2\n", Some(false)),
        ("% sym unweighted\n1 2\n", Some(false)),
        ("% asym positive\n% 1 2 2\n1 2\n", Some(true)),
        // Not the first words, not before the records, or in contradiction.
        ("# Directed Node Graph\n# Autonomous systems (graph is undirected)\n1 2\n", None),
        ("1 2\n# Undirected graph\n2 3\n", None),
        ("# Undirected graph\n# Directed graph\n1 2\n", None),
        ("# sym unweighted\n1 2\n", None),
    ] {
        assert_eq!(graph("g.txt", text).declared_directed, directed, "{text}");
    }
}

/// User 1 and item 1 are two vertices.
#[test]
fn konect_bipartite_files_number_targets_apart() {
    let file = graph("out.likes", "% bip unweighted\n% 3 2 3\n1 1\n1 3\n2 1\n");
    assert_eq!((file.declared_directed, file.target_offset), (Some(false), Some(2)));
    assert_eq!(records(&file), [(1, 3), (1, 5), (2, 3)]);
    assert_eq!(graph("g.txt", "1 1\n").target_offset, None);
}

#[test]
fn semicolons_and_tabs_separate_and_quotes_protect_them() {
    let expected = [(1, 2), (2, 3)];
    for (name, text) in [
        ("g.csv", "1;2\n2;3\n"),
        ("g.txt", "1 ; 2\n2;3\n"),
        ("g.tsv", "1\t2\n2\t3\n"),
        ("g.csv", "\"1\",\"2\"\n\"2\",3\n"),
        ("g.csv", "-,source,target\n\"a,b\",1,2\nc,2,3\n"),
        ("g.tsv", "-\tsource\ttarget\n\t1\t2\nx y\t2\t3\n"),
    ] {
        assert_eq!(records(&graph(name, text)), expected, "{text}");
    }
}

#[test]
fn metis_lines_are_adjacency_lists() {
    // A triangle with a tail, and vertex 5 without neighbours.
    let plain = "% c\n5 4\n2 3\n1 3\n% in between\n1 2 4\n3\n\n";
    let file = graph("g.graph", plain);
    assert_eq!((file.format, file.declared_directed), (Format::Metis, Some(false)));
    assert_eq!((file.ids.len(), file.weights.is_none()), (5, true));
    let simple = file.simple(Direction::Undirected);
    assert_eq!((simple.out_degrees(), simple.m_undirected), (vec![2, 2, 3, 1, 0], 4));

    // Sizes, two weights of each vertex, and a weight of each edge.
    let full = "3 2 111 2\n9 8 8 2 40\n9 8 8 1 40 3 50\n9 8 8 2 50\n";
    let file = graph("g.metis", full);
    assert_eq!(records(&file), [(1, 2), (2, 1), (2, 3), (3, 2)]);
    assert_eq!(file.weights, Some(vec![40.0, 40.0, 50.0, 50.0]));
    let weights_of_vertices = graph("g.graph", "2 1 10\n7 2\n7 1\n");
    assert_eq!(records(&weights_of_vertices), [(1, 2), (2, 1)]);
}
