//! The files that inputs are made of.

use std::fs;
use std::io::Read;
use std::path::Path;

use fastrand::Rng;
use flate2::read::MultiGzDecoder;

use super::case::File;

/// Most bytes of a real file that are used.
const BEGINNING: u64 = 2_000;

/// Small files of each format: name and content.
const SMALL: &[(&str, &str)] = &[
    ("a.txt", "# Undirected graph: x\n# FromNodeId ToNodeId\n1 2\n2\t3\n3 1\n3 3\n"),
    ("b.txt", "0 1 100\n1 2 90.5\n2 0 1289241911.72836\n0 1 -3\n"),
    ("c.txt", "7 8 0.5 10\n8 7 -1 20\n7 8 0.25 30\n"),
    ("d.wel", "0 13 92\n0 0 1.5\n13 0 1e3\n"),
    ("e.el", "1 2\n1 2\n2 1\n900000000 5\n18446744073709551615 1\n"),
    ("f.csv", "source,target,weight,time\n1,2,0.5,2010-11-08\n2,3,1,2010-11-08T18:45:11Z\n"),
    ("g.csv", ",from,to,note,date\n0,1,2,\"a, b\",1970-01-02 00:00:01.5\n1,2,1,,1970-01-01\n"),
    ("h.csv", "1;2;3\n2;3;4\n"),
    ("i.tsv", "u\tv\tw\n1\t2\t3\n2\t3\t0\n"),
    ("j.csv", "alice,bob,3\nbob,carol,4\ncarol,alice,5\n"),
    ("k.txt", "alice bob\nbob carol\ncarol carol\n"),
    ("l.csv", "from,to\n\"Smith, Al\",\"Bo \"\"B\"\" Li\"\nBo Li,\"Smith, Al\"\n"),
    ("m.tsv", "Al Smith\tBo Li\t2\nBo Li\tz\t3\n"),
    ("n.txt", "\"a b\" c 5 6\nc \"a b\" 7 8\n"),
    ("o.csv", "alice,bob\nbob,1\n2,alice\n\n# c\n\"#x\", y \n"),
    ("p.csv", "id;from;to;since\n1;Ann Lee;Bo;2010-11-08\n2;Bo;\"Ann Lee\";1970-01-01\n"),
    ("q.el", "http://a/b?c=1 http://d/e 3\nhttp://d/e http://a/b?c=1 4\n"),
    ("r.csv", "Ünsal, Zoë, 2.5, 10\nZoë, Ünsal, 1, 20\n李, Zoë, 1, 5\n"),
    ("out.x", "% sym weighted\n% 3 4 4\n1 2 0.5\n2 3 1\n"),
    ("out.y", "% bip unweighted\n% 3 2 3\n1 1\n1 3\n2 1\n"),
    ("out.z", "% asym positive\n1 2 3 100\n2 1 4 200\n"),
    ("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n% c\n4 4 3\n1 2\n4 1\n2 2\n"),
    ("b.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 1 -1e3\n"),
    ("c.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 0\n"),
    ("a.gr", "c two\nc\np sp 3 3\na 1 3 92\nc between\na 3 1 0\na 1 3 5\n"),
    ("a.graph", "% c\n5 4\n2 3\n1 3\n% in between\n1 2 4\n3\n\n"),
    ("b.metis", "3 2 111 2\n9 8 8 2 40\n9 8 8 1 40 3 50\n9 8 8 2 50\n"),
    ("c.graph", "2 1 10\n7 2\n7 1\n"),
    ("d.graph", "3 2 1\n2 5\n1 5 3 6\n2 6\n"),
    ("a.e", "1 4 0.5\n9 1 0.3\n"),
];

/// What stands beside the files of a name: the vertices and properties of Graphalytics.
const BESIDE: &[(&str, &str)] =
    &[("a.v", "9\n1\n\n4\n"), ("a.properties", "# c\ngraph.a.directed = false\n")];

/// The files.
pub(crate) struct Corpus {
    files: Vec<(File, Vec<File>)>,
}

impl Corpus {
    /// Small files, the tests' graphs and the beginnings of those beside the repository.
    pub(crate) fn load(repository: &Path) -> Self {
        let owned = |(name, text): &(&str, &str)| File {
            name: (*name).to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let beside: Vec<File> = BESIDE.iter().map(owned).collect();
        let with_beside = |file: File| match file.name.ends_with(".e") {
            true => (file, beside.clone()),
            false => (file, Vec::new()),
        };
        let mut files: Vec<_> = SMALL.iter().map(owned).map(with_beside).collect();
        // Files that tests keep small weigh more: a mutation of them does more.
        files.extend(files.clone());
        for folder in ["tests/graphs", "../shared/data", "../shared/data/gapbs"] {
            files.extend(beginnings(&repository.join(folder)));
        }
        Self { files }
    }

    /// One file, and those beside it.
    pub(crate) fn pick(&self, rng: &mut Rng) -> (File, Vec<File>) {
        self.files[rng.usize(..self.files.len())].clone()
    }
}

/// The beginnings of the graph files of a folder, by their names; none if it is not there.
fn beginnings(folder: &Path) -> Vec<(File, Vec<File>)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let endings = [".txt", ".csv", ".mtx", ".gr", ".e", ".el", ".wel", ".graph"];
    let mut files = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".gz").to_owned();
        if !endings.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        let Some(bytes) = beginning(&path) else { continue };
        let stem = path.with_extension("");
        let beside = ["v", "properties"].into_iter().filter_map(|ending| {
            let path = stem.with_extension(ending);
            let name = path.file_name()?.to_string_lossy().into_owned();
            name_is_for(&name, &path).then(|| beginning(&path).map(|bytes| File { name, bytes }))?
        });
        files.push((File { name, bytes }, beside.collect()));
    }
    files
}

fn name_is_for(name: &str, path: &Path) -> bool {
    path.exists() && (name.ends_with(".v") || name.ends_with(".properties"))
}

fn beginning(path: &Path) -> Option<Vec<u8>> {
    let file = fs::File::open(path).ok()?;
    let mut bytes = Vec::new();
    match path.extension().is_some_and(|ending| ending == "gz") {
        true => MultiGzDecoder::new(file).take(BEGINNING).read_to_end(&mut bytes).ok()?,
        false => file.take(BEGINNING).read_to_end(&mut bytes).ok()?,
    };
    // Without the line that was cut.
    if bytes.len() as u64 == BEGINNING {
        bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n')? + 1);
    }
    Some(bytes)
}
