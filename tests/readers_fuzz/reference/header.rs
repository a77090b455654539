//! Lines that name columns.

use meerkat_runtime::read::Column;

use super::Refusal;
use super::text::{Cell, float};
use super::time::date;

const SOURCES: &str = " source src from u start node1 nodea vertex1 sender sourceid srcid fromid \
     startid fromnode fromnodeid srcnid sourcenode id1 nodeid1 numericid1 user1 person1 protein1 \
     origin citing ";
const TARGETS: &str = " target tgt dst dest destination to v end node2 nodeb vertex2 receiver \
     recipient targetid dstid toid endid tonode tonodeid dstnid targetnode id2 nodeid2 \
     numericid2 user2 person2 protein2 cited ";
const WEIGHTS: &str = " weight w wgt value val rating sign cost distance length \
     score combinedscore amount capacity count ";
const TIMES: &str = " time timestamp t ts date datetime unixts unixtime epoch ";

const SKIPPED: &str = " id index edgeid rowid label comment note ";

/// The column of each name that is known; the index of a data frame has none.
pub(crate) fn known(cells: &[Cell]) -> Vec<Option<Column>> {
    cells.iter().enumerate().map(|(at, cell)| column(at, cell)).collect()
}

fn column(at: usize, cell: &Cell) -> Option<Column> {
    let text = String::from_utf8_lossy(&cell.text);
    if text == "-" || at == 0 && (text.is_empty() || text == "Unnamed: 0") {
        return Some(Column::Skipped);
    }
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let name = format!(" {} ", letters.flat_map(char::to_lowercase).collect::<String>());
    [
        (SOURCES, Column::Source),
        (TARGETS, Column::Target),
        (WEIGHTS, Column::Weight),
        (TIMES, Column::Time),
        (SKIPPED, Column::Skipped),
    ]
    .into_iter()
    .find(|(names, _)| name.len() > 2 && names.contains(&name))
    .map(|(_, column)| column)
}

/// The columns, if all names are known and they make a graph.
pub(crate) fn columns(cells: &[Cell]) -> Option<Vec<Column>> {
    let columns: Vec<Column> = known(cells).into_iter().collect::<Option<_>>()?;
    let count = |wanted| columns.iter().filter(|&&column| column == wanted).count();
    let is_graph = count(Column::Source) == 1
        && count(Column::Target) == 1
        && count(Column::Weight) < 2
        && count(Column::Time) < 2;
    is_graph.then_some(columns)
}

/// Whether the cells are several words: no numbers and no dates.
pub(crate) fn are_words(cells: &[Cell]) -> Result<bool, Refusal> {
    let values: Vec<bool> = cells.iter().map(is_value).collect::<Result<_, _>>()?;
    Ok(cells.len() > 1 && !values.contains(&true))
}

fn is_value(cell: &Cell) -> Result<bool, Refusal> {
    let text = std::str::from_utf8(&cell.text).unwrap_or("");
    if float(&cell.text).is_some() || date(text).is_ok() {
        return Ok(true);
    }
    match text.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit()) {
        true => Err("perhaps a date: left out"),
        false => Ok(false),
    }
}
