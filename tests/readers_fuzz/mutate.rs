//! Changes to files, at random.

use fastrand::Rng;

use super::case::File;
use super::choose::one;
use super::corpus::Corpus;

/// What may stand where a number, a name or a word stands.
const TOKENS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-0",
    "+5",
    "007",
    "4294967292",
    "4294967293",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999",
    "1000000000",
    "0.5",
    ".5",
    "5.",
    "-1.25",
    "0.1234567891",
    "1e3",
    "1e400",
    "1e-400",
    "nan",
    "inf",
    "-",
    ".",
    "",
    "\"\"",
    "\"",
    "\"1\"",
    "\"a b\"",
    "\"a,b\"",
    "\"a \"\"b\"\"\"",
    "\"1\"2",
    "alice",
    "bob",
    "é",
    "\u{1F600}",
    "2010-11-08",
    "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59.5Z",
    "2010-11-08 18:45:11",
    "2010-13-40",
    "#1",
    "%",
    "c",
    "p",
    "a",
    "sp",
    "source",
    "target",
    "weight",
    "time",
    "u",
    "v",
    "111",
    "011",
    "10",
    "pattern",
    "real",
    "integer",
    "general",
    "symmetric",
    "skew-symmetric",
    "complex",
    "array",
    "%%MatrixMarket",
    "true",
    "false",
    "\u{feff}",
    "\0",
    "\x1b[31m",
    "-,-",
];

/// Lines that may come before others.
const LINES: &[&str] = &[
    "",
    " ",
    "\t",
    "# comment",
    "% comment",
    "#comment 1",
    "c comment",
    "# Undirected graph",
    "# Directed graph",
    "% sym weighted",
    "% asym unweighted",
    "% bip positive",
    "# source target time weight",
    "source,target",
    "source target",
    "from;to;weight",
    "src\tdst\ttime",
    ",source,target,weight",
    "id,person,friend",
    "person,friend",
    "u,v,t",
    "p sp 3 3",
    "%%MatrixMarket matrix coordinate pattern symmetric",
    "3 3 2",
    "1 2",
    "1,2",
    "a 1 2 3",
    "graph.a.directed = true",
    "alice,bob",
    "alice bob 3",
    "\"alice\",\"bob\"",
    "1 2 3 4 5",
];

const ENDINGS: &[&str] =
    &["txt", "csv", "tsv", "wel", "el", "mtx", "gr", "graph", "metis", "e", "TXT", "gz", "csv.gz"];

/// Changes an input up to eight times, most often once or not at all.
pub(crate) fn mutate(file: &mut File, beside: &mut [File], corpus: &Corpus, rng: &mut Rng) {
    let changes = if rng.u8(0..8) == 0 { 8 } else { 2 };
    for _ in 0..rng.usize(0..=changes) {
        let at = if beside.is_empty() || rng.u8(0..3) > 0 {
            None
        } else {
            Some(rng.usize(..beside.len()))
        };
        match at {
            None => mutate_once(file, corpus, rng),
            Some(at) => mutate_bytes(&mut beside[at].bytes, corpus, rng),
        }
    }
    if rng.u8(0..8) > 0 {
        repair(file, rng);
    }
    file.bytes.truncate(100_000);
}

fn mutate_once(file: &mut File, corpus: &Corpus, rng: &mut Rng) {
    match rng.u8(0..12) {
        0 => {
            let stem = file.name.split('.').next().unwrap_or("a").to_owned();
            file.name = format!("{stem}.{}", one(rng, ENDINGS));
        }
        _ => mutate_bytes(&mut file.bytes, corpus, rng),
    }
}

fn mutate_bytes(bytes: &mut Vec<u8>, corpus: &Corpus, rng: &mut Rng) {
    match rng.u8(0..16) {
        0 => change_byte(bytes, rng),
        1 => drop(bytes.drain(range(bytes.len(), rng))),
        2 => bytes.truncate(rng.usize(..=bytes.len())),
        3 => {
            let part = bytes[range(bytes.len(), rng)].to_vec();
            insert(bytes, &part, rng);
        }
        4 => {
            let other = corpus.pick(rng).0.bytes;
            let part = other[range(other.len(), rng)].to_vec();
            insert(bytes, &part, rng);
        }
        5 => replace_all(bytes, b" ", &[b",", b"\t", b";", b"  ", b" , "], rng),
        6 => replace_all(bytes, b",", &[b" ", b"\t", b";", b", ", b",,"], rng),
        7 => replace_all(bytes, b"\n", &[b"\r\n", b"\n\n", b"\r", b" \n"], rng),
        8 => drop(bytes.splice(0..0, *b"\xef\xbb\xbf")),
        9 | 10 => change_lines(bytes, rng),
        _ => change_token(bytes, rng),
    }
}

fn change_byte(bytes: &mut Vec<u8>, rng: &mut Rng) {
    match bytes.len() {
        0 => bytes.push(rng.u8(..)),
        len => bytes[rng.usize(..len)] = if rng.bool() { rng.u8(..) } else { rng.u8(b' '..127) },
    }
}

/// A short part of that many bytes.
fn range(len: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.usize(..=len);
    start..rng.usize(start..=len.min(start + 40))
}

fn insert(bytes: &mut Vec<u8>, part: &[u8], rng: &mut Rng) {
    let at = rng.usize(..=bytes.len());
    bytes.splice(at..at, part.iter().copied());
}

/// Replaces a separator: everywhere, or from some place on.
fn replace_all(bytes: &mut Vec<u8>, old: &[u8], new: &[&[u8]], rng: &mut Rng) {
    let new = one(rng, new);
    let start = if rng.bool() { 0 } else { rng.usize(..=bytes.len()) };
    let tail = bytes.split_off(start);
    for byte in tail {
        if old == [byte] { bytes.extend(new) } else { bytes.push(byte) }
    }
}

fn change_lines(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = rng.usize(..lines.len());
    match rng.u8(0..7) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let other = rng.usize(..lines.len());
            lines.swap(at, other);
        }
        3 => lines.truncate(at + 1),
        4 => lines.insert(0, one(rng, LINES).into()),
        _ => lines.insert(at, one(rng, LINES).into()),
    }
    *bytes = lines.join(&b'\n');
}

/// Replaces a number or a word, removes it, or puts one before it.
fn change_token(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let separates = |byte: u8| b" ,;\t\n\r".contains(&byte);
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&at| !separates(bytes[at]) && (at == 0 || separates(bytes[at - 1])))
        .collect();
    if starts.is_empty() {
        return bytes.extend(one(rng, TOKENS).bytes());
    }
    // The first lines decide most, so let them be changed often.
    let among = if rng.bool() { starts.len().min(12) } else { starts.len() };
    let start = starts[rng.usize(..among)];
    let length = bytes[start..].iter().position(|&byte| separates(byte));
    let end = length.map_or(bytes.len(), |length| start + length);
    let token = one(rng, TOKENS);
    match rng.u8(0..8) {
        0 => drop(bytes.splice(start..start, format!("{token} ").bytes())),
        1 => {
            let quoted = [b"\"", &bytes[start..end], b"\""].concat();
            bytes.splice(start..end, quoted);
        }
        2 => {
            // Another number nearby: ids that are known, counts that are off by one.
            let value = String::from_utf8_lossy(&bytes[start..end]).parse::<u64>().unwrap_or(0);
            let value = if rng.bool() { value.wrapping_add(1) } else { value.saturating_sub(1) };
            bytes.splice(start..end, value.to_string().bytes());
        }
        _ => drop(bytes.splice(start..end, token.bytes())),
    }
}

/// Makes the counts of a header fit what follows, so that more than the header is read.
fn repair(file: &mut File, rng: &mut Rng) {
    let mut lines: Vec<Vec<u8>> =
        file.bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let is_header = |line: &Vec<u8>| match file.name.rsplit('.').next() {
        Some("mtx") => line.first().is_some_and(u8::is_ascii_digit),
        Some("gr") => line.starts_with(b"p sp"),
        _ => false,
    };
    let Some(at) = lines.iter().position(is_header) else { return };
    // The last line was cut, where only the beginning of a file is used.
    if rng.bool() && lines.len() > at + 2 {
        lines.pop();
    }
    let entries = lines[at + 1..].iter().filter(|line| match lines[at].first() {
        Some(b'p') => line.starts_with(b"a"),
        _ => !line.trim_ascii().is_empty() && !line.starts_with(b"%"),
    });
    let entries = entries.count();
    let words: Vec<_> = lines[at].split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect();
    let mut words: Vec<_> =
        words.into_iter().filter(|word| !word.trim_ascii().is_empty()).collect();
    if let Some(last) = words.last_mut() {
        *last = entries.to_string().into_bytes();
    }
    lines[at] = words.join(&b' ');
    file.bytes = lines.join(&b'\n');
}
