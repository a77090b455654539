//! Formats whose headers declare the vertices: MatrixMarket, DIMACS and METIS.

use meerkat_runtime::read::{Column, MAX_VERTICES};

use super::text::{Line, id, weight};
use super::{Id, Record, Refusal, Table, Vertices};

fn table(
    n: u64,
    is_weighted: bool,
    directed: bool,
    records: Vec<Record>,
) -> Result<Table, Refusal> {
    if n == 0 || n > MAX_VERTICES {
        return Err("no vertices, or too many");
    }
    let is_known = |id: &Id| matches!(id, Id::Number(id) if (1..=n).contains(id));
    if !records.iter().all(|record| is_known(&record.source) && is_known(&record.target)) {
        return Err("an id that is not declared");
    }
    let mut columns = vec![Column::Source, Column::Target];
    columns.extend(is_weighted.then_some(Column::Weight));
    let directed = Some(directed);
    Ok(Table { vertices: Vertices::UpTo(n), records, columns, directed, target_offset: None })
}

fn record(source: &[u8], target: &[u8], of: Option<&[u8]>) -> Result<Record, Refusal> {
    let weight = of.map(weight).transpose()?;
    let (source, target) = (Id::Number(id(source)?), Id::Number(id(target)?));
    Ok(Record { source, target, weight, time: None })
}

/// `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, comments, `rows columns entries`.
pub(crate) fn matrix_market(lines: &[Line]) -> Result<Table, Refusal> {
    let mut lines = lines.iter().filter(|line| !line.is_blank());
    let banner = lines.next().ok_or("empty")?.text().to_ascii_lowercase();
    let banner: Vec<_> =
        banner.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let [b"%%matrixmarket", b"matrix", b"coordinate", field, symmetry] = banner[..] else {
        return Err("no banner of a matrix in coordinates");
    };
    let is_weighted = match field {
        b"pattern" => false,
        b"integer" | b"real" => true,
        _ => return Err("another kind of values"),
    };
    let directed = match symmetry {
        b"general" => true,
        b"symmetric" => false,
        _ => return Err("another symmetry"),
    };
    let mut data = Vec::new();
    for line in lines {
        if line.text().to_ascii_lowercase().starts_with(b"%%matrixmarket") {
            return Err("a second banner");
        }
        if line.text()[0] != b'%' {
            data.push(line.words());
        }
    }
    let (size, entries) = data.split_first().ok_or("no size")?;
    let size: Vec<u64> = size.iter().map(|word| id(word)).collect::<Result<_, _>>()?;
    let [rows, columns, count] = size[..] else { return Err("a size has three numbers") };
    if rows != columns || entries.len() as u64 != count {
        return Err("not square, or not as many entries as declared");
    }
    let entry = |words: &Vec<&[u8]>| match (&words[..], is_weighted) {
        ([u, v], false) => record(u, v, None),
        ([u, v, w], true) => record(u, v, Some(w)),
        _ => Err("an entry of another length"),
    };
    table(rows, is_weighted, directed, entries.iter().map(entry).collect::<Result<_, _>>()?)
}

/// `c` comments, `p sp vertices arcs`, then `a source target weight`.
pub(crate) fn dimacs(lines: &[Line]) -> Result<Table, Refusal> {
    let mut problem = None;
    let mut records = Vec::new();
    for line in lines.iter().filter(|line| !line.is_blank()) {
        match (&line.words()[..], problem) {
            ([b"c", ..], _) => {}
            ([b"p", b"sp", n, m], None) => problem = Some((id(n)?, id(m)?)),
            ([b"a", u, v, w], Some(_)) => records.push(record(u, v, Some(w))?),
            _ => return Err("a line of another kind, or at another place"),
        }
    }
    let (n, m) = problem.ok_or("no problem line")?;
    if m != records.len() as u64 {
        return Err("not as many arcs as declared");
    }
    table(n, true, true, records)
}

/// `vertices edges [fmt [weights]]`, then the neighbours of each vertex on a line.
pub(crate) fn metis(lines: &[Line]) -> Result<Table, Refusal> {
    let mut lines = lines
        .iter()
        .filter(|line| line.text().first() != Some(&b'%'))
        .skip_while(|line| line.is_blank());
    let header = lines.next().ok_or("no header")?.words();
    if !(2..=4).contains(&header.len()) {
        return Err("a header of another length");
    }
    let (n, m) = (id(header[0])?, id(header[1])?);
    let flags = header.get(2).copied().unwrap_or(b"0");
    if flags.len() > 3 || flags.iter().any(|flag| !b"01".contains(flag)) {
        return Err("an unknown fmt");
    }
    let flags = [&b"000"[flags.len()..], flags].concat();
    let [has_size, has_weights, is_weighted] = [0, 1, 2].map(|at| flags[at] == b'1');
    let weights = header.get(3).map(|count| id(count)).transpose();
    let weights = if has_weights { weights?.unwrap_or(1) } else { 0 };
    let skipped = weights.saturating_add(u64::from(has_size));
    let mut records = Vec::new();
    for (vertex, line) in (1..).zip(lines) {
        if vertex > n && !line.is_blank() {
            return Err("more lines than vertices");
        }
        let words = line.words();
        let skipped = usize::try_from(skipped).map_or(words.len(), |most| most.min(words.len()));
        let vertex = u64::to_string(&vertex);
        for group in words[skipped..].chunks(if is_weighted { 2 } else { 1 }) {
            let weight = is_weighted.then(|| group.get(1).copied().ok_or("no weight"));
            records.push(record(vertex.as_bytes(), group[0], weight.transpose()?)?);
        }
    }
    if m.checked_mul(2) != Some(records.len() as u64) {
        return Err("not as many edges as declared");
    }
    let key =
        |u: &Id, v: &Id, record: &Record| (format!("{u:?} {v:?}"), record.weight.map(f64::to_bits));
    let mut there: Vec<_> = records.iter().map(|one| key(&one.source, &one.target, one)).collect();
    let mut back: Vec<_> = records.iter().map(|one| key(&one.target, &one.source, one)).collect();
    there.sort();
    back.sort();
    if there != back {
        return Err("an edge that only one end has");
    }
    table(n, is_weighted, false, records)
}
