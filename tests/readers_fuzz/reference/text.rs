//! Lines, words, cells and numbers.

use meerkat_runtime::read::Separator;

use super::Refusal;

/// A line without its end; comments and blank lines included.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) number: usize,
    /// As it is, without the end.
    pub(crate) raw: Vec<u8>,
}

/// The lines of a file, without the mark that Windows programs put first.
pub(crate) fn lines(bytes: &[u8]) -> Vec<Line> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (mut lines, mut line, mut before) = (Vec::new(), Vec::new(), b' ');
    for &byte in bytes {
        match byte {
            b'\n' if before == b'\r' => {}
            b'\n' | b'\r' => lines.push(std::mem::take(&mut line)),
            _ => line.push(byte),
        }
        before = byte;
    }
    lines.extend(Some(line).filter(|line| !line.is_empty()));
    lines.into_iter().zip(1..).map(|(raw, number)| Line { number, raw }).collect()
}

impl Line {
    /// Without the blanks at both ends.
    pub(crate) fn text(&self) -> &[u8] {
        self.raw.trim_ascii()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text().is_empty()
    }

    pub(crate) fn is_comment(&self) -> bool {
        matches!(self.text().first(), Some(b'#' | b'%'))
    }

    pub(crate) fn words(&self) -> Vec<&[u8]> {
        self.text().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
    }
}

/// A field of an edge list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) text: Vec<u8>,
    pub(crate) is_quoted: bool,
}

/// The cells of a line; lines with a quote that does not protect a whole cell are left out.
pub(crate) fn cells(line: &Line, separator: Separator) -> Result<Vec<Cell>, Refusal> {
    let byte = match separator {
        Separator::Blank => return words_in_quotes(line.text()),
        Separator::Comma => b',',
        Separator::Semicolon => b';',
        Separator::Tab => b'\t',
    };
    let line = if separator == Separator::Tab { &line.raw } else { line.text() };
    let mut cells = Vec::new();
    let mut cell = Vec::new();
    let mut in_quotes = false;
    for &next in line {
        // A quote written twice closes and opens again.
        in_quotes ^= next == b'"' && (in_quotes || starts_or_goes_on(&cell));
        if next == byte && !in_quotes {
            cells.push(unquote(&cell)?);
            cell.clear();
        } else {
            cell.push(next);
        }
    }
    if in_quotes {
        return Err("an open quote: left out");
    }
    cells.push(unquote(&cell)?);
    Ok(cells)
}

/// Whether a quote here opens, as the first of a cell or the second of two.
fn starts_or_goes_on(cell: &[u8]) -> bool {
    let text = cell.trim_ascii_start();
    text.is_empty() || text.first() == Some(&b'"') && text.last() == Some(&b'"')
}

fn words_in_quotes(text: &[u8]) -> Result<Vec<Cell>, Refusal> {
    let mut cells = Vec::new();
    let mut word = Vec::new();
    let mut in_quotes = false;
    for &next in text.iter().chain(b" ") {
        in_quotes ^= next == b'"' && (in_quotes || starts_or_goes_on(&word));
        match next.is_ascii_whitespace() && !in_quotes {
            false => word.push(next),
            true if word.is_empty() => {}
            true => {
                cells.push(unquote(&word)?);
                word.clear();
            }
        }
    }
    if in_quotes { Err("an open quote: left out") } else { Ok(cells) }
}

fn unquote(cell: &[u8]) -> Result<Cell, Refusal> {
    let text = cell.trim_ascii();
    if text.first() != Some(&b'"') {
        return Ok(Cell { text: text.to_vec(), is_quoted: false });
    }
    let inner = text.get(1..text.len().max(1) - 1).filter(|_| text.ends_with(b"\""));
    let inner = inner.ok_or("an open quote: left out")?;
    let mut unquoted = Vec::new();
    let mut bytes = inner.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'"' && bytes.next() != Some(&b'"') {
            return Err("a quote within quotes: left out");
        }
        unquoted.push(byte);
    }
    Ok(Cell { text: unquoted, is_quoted: true })
}

/// A whole number from 0 that fits in 64 bits.
pub(crate) fn id(field: &[u8]) -> Result<u64, Refusal> {
    if field.is_empty() || !field.iter().all(u8::is_ascii_digit) {
        return Err("not a whole number");
    }
    let mut value: u64 = 0;
    for digit in field {
        let next = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(digit - b'0')));
        value = next.ok_or("a number beyond 64 bits")?;
    }
    Ok(value)
}

/// A finite decimal number.
pub(crate) fn weight(field: &[u8]) -> Result<f64, Refusal> {
    float(field).filter(|weight| weight.is_finite()).ok_or("not a finite number")
}

/// A number of any kind.
pub(crate) fn float(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}
