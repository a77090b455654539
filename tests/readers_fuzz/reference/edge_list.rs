//! Edge lists and CSV files.

use meerkat_runtime::read::{Column, Format, IdKind, Separator};

use super::text::{Cell, Line, cells, float, id, weight};
use super::{Id, Record, Refusal, Table, ending, endpoints, header, time};
use crate::readers_fuzz::case::Case;

/// What the comments at the beginning say.
#[derive(Default)]
struct Comments {
    directed: Option<bool>,
    is_konect: bool,
    is_bipartite: bool,
    last: Option<Line>,
}

pub(crate) fn read(case: &Case, format: Format, lines: &[Line]) -> Result<Table, Refusal> {
    let options = &case.options;
    let comments = comments(lines);
    let mut data = lines.iter().filter(|line| !line.is_blank() && !line.is_comment());
    let first = data.next().ok_or("no records")?;
    let second = data.next();
    let top = first.number;
    let (first, named) = match is_header(case, first, second)? {
        true if options.columns.is_some() => (second.ok_or("no records")?, None),
        true => {
            let names = cells(first, options.separator.unwrap_or_else(|| usual(case, first)))?;
            let names = header::columns(&names).ok_or("a header that is not known")?;
            (second.ok_or("no records")?, Some(names))
        }
        false => (first, None),
    };
    let separator = options.separator.unwrap_or_else(|| usual(case, first));
    let count = cells(first, separator)?.len();
    let by_comment = || {
        let mut comment = comments.last.clone()?;
        let marks = comment.text().iter().take_while(|byte| b"#%".contains(byte)).count();
        comment.raw = comment.text()[marks..].trim_ascii().to_vec();
        let names = cells(&comment, usual(case, &comment)).ok()?;
        // A column without a name is no index in a comment.
        let names = Some(names).filter(|names| names.iter().all(|name| !name.text.is_empty()))?;
        header::columns(&names).filter(|columns| columns.len() == count)
    };
    let given = options.columns.as_ref().map(|columns| columns.as_slice().to_vec());
    let given = given.or(named).or_else(by_comment);
    let ids = match options.ids {
        Some(ids) => ids,
        None if has_text_ids(case, first, given.as_deref())? => IdKind::Text,
        None => IdKind::Numbers,
    };
    let separator = match (options.separator, ids) {
        (None, IdKind::Text) => of_text(case, format, first, given.as_ref().map(Vec::len))?,
        _ => separator,
    };
    let columns = match given {
        Some(columns) => columns,
        None => by_place(case, format, comments.is_konect, cells(first, separator)?.len())?,
    };
    let mut records = Vec::new();
    let begin = if first.number == top { top } else { top + 1 };
    for line in lines.iter().filter(|line| line.number >= begin && !line.is_blank()) {
        if line.is_comment() {
            let after = line.text().get(1).copied().unwrap_or(b' ');
            let is_word = !b"#%".contains(&after) && !after.is_ascii_whitespace();
            let is_record =
                cells(line, separator).map_or(true, |cells| cells.len() == columns.len());
            if ids == IdKind::Text && is_word && is_record {
                return Err("perhaps a record, perhaps a comment");
            }
            continue;
        }
        records.push(record(case, &columns, ids, cells(line, separator)?)?);
    }
    if !time::fit(records.iter().filter_map(|record| record.time)) {
        return Err("times beyond 64 bits");
    }
    let target_offset = if comments.is_bipartite { Some(part(&mut records)?) } else { None };
    let vertices = endpoints(&records);
    Ok(Table { vertices, records, columns, directed: comments.directed, target_offset })
}

fn comments(lines: &[Line]) -> Comments {
    let mut comments = Comments::default();
    let mut said = Vec::new();
    for line in lines.iter().filter(|line| !line.is_blank()).take_while(|line| line.is_comment()) {
        let text = String::from_utf8_lossy(line.text()).to_lowercase();
        let text = text.trim_start_matches(['#', '%']);
        let letters = |word: &str| word.chars().filter(char::is_ascii_alphabetic).collect();
        let words: Vec<String> = text.split_ascii_whitespace().map(letters).take(2).collect();
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        match (word(0), word(1)) {
            ("undirected", "graph") => said.push(false),
            ("directed", "graph") => said.push(true),
            (kind @ ("sym" | "asym" | "bip"), _) if line.number == 1 && line.text()[0] == b'%' => {
                said.push(kind == "asym");
                comments.is_konect = true;
                comments.is_bipartite = kind == "bip";
            }
            _ => {}
        }
        comments.last = Some(line.clone());
    }
    said.dedup();
    comments.directed = if said.len() == 1 { Some(said[0]) } else { None };
    comments
}

/// Whether the first line of data names the columns.
fn is_header(case: &Case, first: &Line, second: Option<&Line>) -> Result<bool, Refusal> {
    let options = &case.options;
    if let Some(is_header) = options.header {
        return Ok(is_header);
    }
    let names = cells(first, options.separator.unwrap_or_else(|| usual(case, first)))?;
    if !header::are_words(&names)? {
        return Ok(false);
    }
    if options.ids == Some(IdKind::Numbers) || header::columns(&names).is_some() {
        return Ok(true);
    }
    // A record has a number where it has a weight or a time.
    let may_be_record = match &options.columns {
        Some(columns) => !columns.has(Column::Weight) && !columns.has(Column::Time),
        None => names.len() == 2,
    };
    if !may_be_record {
        return Ok(true);
    }
    let columns = options.columns.as_ref().map(|columns| columns.as_slice());
    let before_numbers = match second {
        Some(second) => {
            let ends = ends(case, second, columns)?;
            ends.iter().all(|id| id.as_ref().is_some_and(|id| float(&id.text).is_some()))
        }
        None => false,
    };
    if before_numbers && options.ids.is_none() {
        return Ok(true);
    }
    let has_known = header::known(&names).iter().any(Option::is_some);
    if before_numbers || has_known || columns.is_some() {
        return Err("perhaps a header, perhaps a record");
    }
    Ok(false)
}

/// Whether the first record has two words as ids.
fn has_text_ids(case: &Case, line: &Line, columns: Option<&[Column]>) -> Result<bool, Refusal> {
    let names = cells(line, case.options.separator.unwrap_or_else(|| usual(case, line)))?;
    if case.options.header != Some(false) && header::columns(&names).is_some() {
        return Ok(false);
    }
    let is_word = |id: &Cell| !id.text.is_empty() && float(&id.text).is_none();
    Ok(ends(case, line, columns)?.iter().all(|id| id.as_ref().is_some_and(is_word)))
}

/// The cells of the source and the target.
fn ends(
    case: &Case,
    line: &Line,
    columns: Option<&[Column]>,
) -> Result<[Option<Cell>; 2], Refusal> {
    let columns = columns.unwrap_or(&[Column::Source, Column::Target]);
    let cells = cells(line, case.options.separator.unwrap_or_else(|| usual(case, line)))?;
    Ok([Column::Source, Column::Target].map(|wanted| {
        let at = columns.iter().position(|&column| column == wanted);
        at.and_then(|at| cells.get(at).cloned())
    }))
}

/// The separator of a line of numbers or names.
fn usual(case: &Case, line: &Line) -> Separator {
    let outside = outside_quotes(line.text());
    if ending(&case.file.name) == "tsv" && line.raw.contains(&b'\t') {
        Separator::Tab
    } else if outside.contains(&b';') {
        Separator::Semicolon
    } else if outside.contains(&b',') {
        Separator::Comma
    } else {
        Separator::Blank
    }
}

/// The one separator of a line whose ids are text.
fn of_text(
    case: &Case,
    format: Format,
    line: &Line,
    count: Option<usize>,
) -> Result<Separator, Refusal> {
    if ending(&case.file.name) == "tsv" && line.raw.contains(&b'\t') {
        return Ok(Separator::Tab);
    }
    let outside = outside_quotes(line.text());
    let mut found = Vec::new();
    let all = [
        (Separator::Semicolon, &b";"[..]),
        (Separator::Comma, b","),
        (Separator::Tab, b"\t"),
        (Separator::Blank, b" \t\r\x0c"),
    ];
    for (separator, bytes) in all {
        if outside.iter().any(|byte| bytes.contains(byte))
            && count.is_none_or(|count| cells(line, separator).is_ok_and(|c| c.len() == count))
        {
            found.push((separator, bytes));
        }
    }
    let Some(&(first, own)) = found.first() else {
        return if count.is_none() { Ok(Separator::Blank) } else { Err("another length") };
    };
    for (other, bytes) in &found[1..] {
        let is_inside = outside
            .split(|byte| own[0] == *byte)
            .any(|cell| cell.trim_ascii().iter().any(|byte| bytes.contains(byte)));
        if is_inside && !(format == Format::Csv && *other == Separator::Blank) {
            return Err("two separators");
        }
    }
    Ok(first)
}

/// The text with `_` in place of what is in quotes.
fn outside_quotes(text: &[u8]) -> Vec<u8> {
    let mut outside = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let starts = at == 0 || b" \t,;".contains(&text[at - 1]);
        let mut end = at + 1;
        if starts && text[at] == b'"' {
            // The quote that closes is not followed by another.
            let mut rest = at + 1;
            while let Some(quote) = text[rest..].iter().position(|&byte| byte == b'"') {
                rest += quote + 1;
                if text.get(rest) != Some(&b'"') {
                    end = rest;
                    break;
                }
                rest += 1;
            }
        }
        outside.push(if end > at + 1 { b'_' } else { text[at] });
        at = end;
    }
    outside
}

fn by_place(
    case: &Case,
    format: Format,
    is_konect: bool,
    count: usize,
) -> Result<Vec<Column>, Refusal> {
    let weighted = is_konect || format == Format::Csv || ending(&case.file.name) == "wel";
    let further: &[Column] = match count {
        2 => &[],
        3 if weighted => &[Column::Weight],
        3 => &[Column::Time],
        4 => &[Column::Weight, Column::Time],
        _ => return Err("a record has 2 to 4 columns"),
    };
    Ok([&[Column::Source, Column::Target], further].concat())
}

fn record(
    case: &Case,
    columns: &[Column],
    ids: IdKind,
    cells: Vec<Cell>,
) -> Result<Record, Refusal> {
    if cells.len() != columns.len() {
        return Err("a record of another length");
    }
    let unit = case.options.time_unit.unwrap_or_default();
    let none = Id::Number(0);
    let mut record = Record { source: none.clone(), target: none, weight: None, time: None };
    for (column, cell) in columns.iter().zip(&cells) {
        match column {
            Column::Source => record.source = read_id(ids, cell)?,
            Column::Target => record.target = read_id(ids, cell)?,
            Column::Weight => record.weight = Some(weight(&cell.text)?),
            Column::Time if case.options.skip_times => {}
            Column::Time => record.time = Some(time::time(&cell.text, unit)?),
            Column::Skipped => {}
        }
    }
    Ok(record)
}

fn read_id(ids: IdKind, cell: &Cell) -> Result<Id, Refusal> {
    if ids == IdKind::Numbers {
        return id(&cell.text).map(Id::Number);
    }
    let text = String::from_utf8(cell.text.clone()).map_err(|_| "an id that is not UTF-8")?;
    if text.trim().is_empty() || text.len() > 1024 || text.contains(char::is_control) {
        return Err("an id that is empty, too long, or has control characters");
    }
    Ok(Id::Text(text))
}

/// Adds the largest source to all targets.
fn part(records: &mut [Record]) -> Result<u64, Refusal> {
    let mut largest = 0;
    for record in records.iter() {
        let Id::Number(source) = record.source else { return Err("text in a bipartite file") };
        largest = largest.max(source);
    }
    for record in records.iter_mut() {
        if let Id::Number(target) = &mut record.target {
            *target = target.checked_add(largest).ok_or("beyond 64 bits")?;
        }
    }
    Ok(largest)
}
