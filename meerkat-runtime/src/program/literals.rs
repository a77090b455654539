//! Struct literals: a macro does not know the order of fields, so it names each, `Row{}.with_first(a)
//! .with_end(b)`; where they stand in the order of the struct, `Row{a, b}` says the same.

use super::setters::setters;
use super::{FieldText, Program, names};

impl Program {
    /// Notes a struct whose fields are as wide as what C++ computes with: braces do not narrow.
    pub(super) fn note_fields(&mut self, name: &str, fields: &[FieldText]) {
        let is_narrow = |ty: &str| ["bool", "u8", "u16", "i8", "i16"].contains(&ty);
        let held: Vec<_> = fields.iter().filter(|field| field.size > 0).collect();
        if !held.is_empty() && !held.iter().any(|field| is_narrow(&field.ty)) {
            let words = held.iter().map(|field| names::ascii(field.name)).collect();
            self.fields.insert(name.to_owned(), words);
        }
    }

    /// The lines with the literals of which all fields are there, in order.
    pub(super) fn with_struct_literals(&self, lines: Vec<(u32, String)>) -> Vec<(u32, String)> {
        let mut written: Vec<(u32, String)> = Vec::new();
        let mut rest = lines.into_iter().peekable();
        while let Some((number, line)) = rest.next() {
            // A literal of many fields has a line for each.
            let mut parts = Vec::new();
            while let Some(part) = rest.next_if(|(_, part)| part.trim().starts_with(".with_")) {
                parts.push(part);
            }
            let setters: String = parts.iter().map(|(_, part)| part.trim()).collect();
            let whole = self.with_literals(line.clone() + &setters);
            if parts.is_empty() || !whole.contains("{}.with_") {
                written.push((number, whole));
            } else {
                written.push((number, line));
                written.extend(parts);
            }
        }
        written
    }

    fn with_literals(&self, mut line: String) -> String {
        let mut end = line.len();
        // The last first: it may be an argument of another.
        while let Some(at) = line[..end].rfind("{}.with_") {
            end = at;
            let start = start_of_name(&line[..at]);
            let Some((values, rest)) = setters(&line[at + 2..]) else { continue };
            let words: Vec<_> = values.iter().map(|(word, _)| *word).collect();
            if self.fields.get(&line[start..at]).is_some_and(|fields| *fields == words) {
                let values: Vec<_> = values.iter().map(|(_, value)| *value).collect();
                line = format!("{}{{{}}}{rest}", &line[..at], values.join(", "));
            }
        }
        line
    }
}

/// Where the name of a type begins that ends a text.
fn start_of_name(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ if depth > 0 || letter.is_alphanumeric() || letter == '_' => {}
            _ => return at + letter.len_utf8(),
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let mut program = Program::new();
        let fields =
            ["first", "end"].map(|name| FieldText { name, ty: "u32".into(), offset: 0, size: 4 });
        program.note_fields("Row", &fields);
        program.note_fields("Edge<u32>", &fields);
        program
    }

    fn written(line: &str) -> String {
        program().with_literals(line.to_owned())
    }

    #[test]
    fn fields_in_order_need_no_names() {
        assert_eq!(
            written("return Row{}.with_first(f(a, b)).with_end(c);"),
            "return Row{f(a, b), c};"
        );
        assert_eq!(
            written("x = g(Edge<u32>{}.with_first(a).with_end(b), c);"),
            "x = g(Edge<u32>{a, b}, c);"
        );
        let inner = "Row{}.with_first(Row{}.with_first(a).with_end(b).end).with_end(c)";
        assert_eq!(written(inner), "Row{Row{a, b}.end, c}");
    }

    #[test]
    fn others_keep_them() {
        for line in [
            "Row{}.with_end(a).with_first(b)",
            "Row{}.with_first(a)",
            "Other{}.with_first(a).with_end(b)",
            "Row{}",
        ] {
            assert_eq!(written(line), line);
        }
    }
}
