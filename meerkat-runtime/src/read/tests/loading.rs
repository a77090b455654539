//! Plain and gzip files, their damage, and progress.

use super::super::{Progress, ReadError, read};
use super::{Folder, graph, gzip, read_as, read_path, records};
use crate::Direction;

#[test]
fn gzip_is_recognised_by_its_first_bytes_and_not_by_the_name() {
    for name in ["g.txt", "g.txt.gz", "g"] {
        assert_eq!(records(&graph(name, gzip("1 2\n"))), [(1, 2)], "{name}");
        assert_eq!(records(&graph(name, "1 2\n")), [(1, 2)], "{name}");
    }
}

#[test]
fn gzip_files_that_were_joined_are_read_to_the_end() {
    let joined = [gzip("1 2\n"), gzip("3 4\n")].concat();
    assert_eq!(records(&graph("g.txt", joined)), [(1, 2), (3, 4)]);
}

#[test]
fn gzip_cut_at_any_byte_is_refused() {
    let whole = gzip("1 2\n3 4\n5 6\n7 8\n");
    // Below 2 bytes the file is no longer recognised as gzip.
    for length in 2..whole.len() {
        let error = read_as("g.txt.gz", &whole[..length]).expect_err("a truncated file");
        assert!(matches!(error, ReadError::TruncatedGzip { .. }), "{length}: {error:?}");
    }
}

#[test]
fn other_compressed_files_are_named() {
    let starts: [(&[u8], &str); 4] = [
        (b"BZh91AY&SY", "bzip2"),
        (b"\xfd7zXZ\0\0\x04", "xz"),
        (b"\x28\xb5\x2f\xfd\x04", "Zstandard"),
        (b"PK\x03\x04\x14", "zip"),
    ];
    for (start, name) in starts {
        let error = read_as("g.txt", start).expect_err("compressed").to_string();
        assert!(error.contains(&format!("compressed by {name}, and only gzip is read")), "{error}");
    }
}

#[test]
fn gzip_with_damage_or_a_tail_is_refused() {
    let whole = gzip("1 2\n3 4\n5 6\n7 8\n");
    let mut wrong_checksum = whole.clone();
    wrong_checksum[whole.len() - 8] ^= 1;
    let mut wrong_method = whole.clone();
    wrong_method[2] = 7;
    let with_tail = [whole.as_slice(), b"not gzip at all"].concat();
    for content in [wrong_checksum, wrong_method, with_tail] {
        let error = read_as("g.txt.gz", content).expect_err("a damaged file");
        assert!(matches!(error, ReadError::CorruptGzip { .. }), "{error:?}");
    }
}

#[test]
fn gzip_with_any_byte_flipped_never_panics() {
    let whole = gzip("1 2\n3 4\n5 6\n7 8\n");
    for index in 0..whole.len() {
        for mask in [1, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[index] ^= mask;
            // A flip in the name, time or system bytes of the header is harmless.
            let _ = read_as("g.txt.gz", damaged);
        }
    }
}

#[test]
fn missing_file_and_directory_are_refused() {
    let folder = Folder::new();
    let error = read_path(&folder.0.path().join("none.txt")).expect_err("no file");
    assert!(matches!(error, ReadError::NotFound { .. }), "{error:?}");
    assert!(error.to_string().contains("none.txt"), "{error}");

    let error = read_path(folder.0.path()).expect_err("a directory");
    assert!(matches!(error, ReadError::IsDirectory { .. }), "{error:?}");

    let below_a_file = folder.add("g.txt", "1 2\n").join("deeper.txt");
    let error = read_path(&below_a_file).expect_err("not a folder");
    assert!(matches!(error, ReadError::Unreadable { .. }), "{error:?}");
}

#[test]
fn binary_garbage_is_refused_with_a_short_printable_message() {
    let mut state = 1_u64;
    for length in [1, 2, 3, 100, 5000] {
        for _ in 0..50 {
            let garbage: Vec<u8> = (0..length).map(|_| next_byte(&mut state)).collect();
            for name in ["g.txt", "g.csv", "g.mtx", "g.gr", "g.wel"] {
                let Err(error) = read_as(name, &garbage) else { continue };
                let message = error.to_string();
                assert!(!message.contains(char::is_control), "{message:?}");
                assert!(message.chars().count() < 400, "{message}");
            }
        }
    }
}

fn next_byte(state: &mut u64) -> u8 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 56) as u8
}

#[test]
fn progress_ascends_about_every_mib_to_the_size_of_all_files() {
    const MIB: u64 = 1 << 20;
    let vertices = "1\n2\n";
    let edges = "1 2\n".repeat(3 << 18);
    let (_folder, path) = Folder::ldbc(vertices, &edges);
    let total = (vertices.len() + edges.len()) as u64;

    let mut seen: Vec<Progress> = Vec::new();
    read(&path, &mut |progress| seen.push(progress)).expect("a graph");
    assert!(seen.iter().all(|progress| progress.bytes_total == total), "{seen:?}");
    assert!(seen.len() >= 4, "{seen:?}");
    for pair in seen.windows(2) {
        let step = pair[1].bytes_read - pair[0].bytes_read;
        assert!(step <= MIB + (1 << 18), "{seen:?}");
    }
    assert_eq!(seen.last().map(|progress| progress.bytes_read), Some(total));
}

#[test]
fn files_with_any_byte_changed_never_panic() {
    let real = "%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 0.5\n3 1 -4\n";
    for (name, text) in [
        ("g.txt", "# c\n1 2 0.5 1254192988\n3 1 -4 1254192989\n"),
        ("g.csv", "u,v,w\n1,2,0.5\n3,1,-4\n"),
        ("g.gr", "c c\np sp 3 2\na 1 2 5\na 3 1 0\n"),
        ("g.mtx", real),
    ] {
        for index in 0..text.len() {
            for byte in [0, b' ', b'\n', b',', b'-', b'.', b'0', b'9', b'%', 0xff] {
                let mut changed = text.as_bytes().to_vec();
                changed[index] = byte;
                // Some changes leave a correct file.
                if let Ok(graph) = read_as(name, changed) {
                    let _ = graph.simple(Direction::Undirected);
                }
            }
        }
    }
}
