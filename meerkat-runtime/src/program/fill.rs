//! Filling a function's text in: the macro leaves marks where only rustc knows
//! what stands there, and a table that says so for each instance of the function.
//!
//! ```text
//! «3»      the name of entry 3: a type, a function, a constant
//! «3#12»   the number 12 as a value of the type of entry 3
//! ‹depth›  a variable of the function's own
//! ‹.next›  the field `next`, which may be a word of C++; ‹=next› in a longer word
//! ```

use super::{Program, names};
use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;

/// What rustc found: a type, an instance of a function, a constant.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, after what it needs has been put into the program.
    pub name: fn(&mut Program) -> String,
    /// A number written as a value of this type.
    pub literal: fn(&str) -> String,
}

/// A device function, or one instance of a generic one: `Arguments` are the types
/// that rustc chose.
pub trait DeviceFn<Arguments>: 'static {
    /// Puts the function into the program, once, and returns its name there.
    fn emit(program: &mut Program) -> String;
}

/// What is named by a function of the macro's.
pub fn named(name: fn(&mut Program) -> String) -> Entry {
    Entry { name, literal: str::to_owned }
}

/// The instance of a function that a witness was tied to.
pub fn instance_of<F: DeviceFn<A>, A>(_: PhantomData<A>) -> Entry {
    named(F::emit)
}

/// The function of a type that a witness was tied to: whichever it is, and its arguments.
pub fn function_of<F: DeviceFn<A>, A>(_: PhantomData<(F, A)>) -> Entry {
    named(F::emit)
}

/// An argument of a generic kernel: a type, or what stands for a value.
pub trait Argument: 'static {
    /// Its name in CUDA.
    fn name(program: &mut Program) -> String;
}

/// One mark and what stands before it.
enum Part<'a> {
    Text(&'a str),
    Entry(usize, Option<&'a str>),
    Variable(&'a str),
    /// A name that is known already.
    Name(String),
    Own,
}

fn parts(line: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['«', '‹']) {
        let (before, mark) = rest.split_at(at);
        parts.push(Part::Text(before));
        let close = if mark.starts_with('«') { '»' } else { '›' };
        let Some((mark, after)) = mark.split_once(close) else { break };
        let is_entry = close == '»';
        let inner = &mark[mark.chars().next().map_or(0, char::len_utf8)..];
        let (number, digits) = match inner.split_once('#') {
            Some((number, digits)) => (number, Some(digits)),
            None => (inner, None),
        };
        parts.push(match (is_entry, number.parse()) {
            (true, Ok(number)) => Part::Entry(number, digits),
            (true, Err(_)) => Part::Own,
            (false, _) => match (inner.strip_prefix('.'), inner.strip_prefix('=')) {
                (Some(field), _) => Part::Name(format!(".{}", names::of_field(field))),
                (_, Some(word)) => Part::Name(names::ascii(word)),
                _ => Part::Variable(inner),
            },
        });
        rest = after;
    }
    parts.push(Part::Text(rest));
    parts
}

impl Program {
    /// A function's lines as CUDA, named `own`.
    pub(super) fn fill(
        &mut self,
        lines: &[(u32, &str)],
        own: &str,
        table: &[Entry],
    ) -> Vec<(u32, String)> {
        let lines: Vec<_> = lines.iter().map(|(number, line)| (*number, parts(line))).collect();
        // What a function needs stands in front of it, so that is named first. All that
        // its text mentions keeps its name; variables give way.
        let mut names = HashMap::new();
        let mut items: HashSet<String> = HashSet::from([own.to_owned()]);
        for part in lines.iter().flat_map(|(_, parts)| parts) {
            match part {
                Part::Entry(number, None) => {
                    let name = names.entry(*number).or_insert_with(|| (table[*number].name)(self));
                    items.extend(names::identifiers(name).map(str::to_owned));
                }
                Part::Text(text) => items.extend(names::mentioned(text).map(str::to_owned)),
                _ => {}
            }
        }
        let variables = variables(&lines, &items);
        let text = |part: &Part<'_>| match part {
            Part::Text(text) => (*text).to_owned(),
            Part::Entry(number, None) => names[number].clone(),
            Part::Entry(number, Some(digits)) => (table[*number].literal)(digits),
            Part::Variable(name) => variables[name].clone(),
            Part::Name(name) => name.clone(),
            Part::Own => own.to_owned(),
        };
        lines.iter().map(|(number, parts)| (*number, parts.iter().map(text).collect())).collect()
    }
}

/// The names of a function's variables, beside those of the items it mentions.
fn variables<'a>(
    lines: &[(u32, Vec<Part<'a>>)],
    items: &HashSet<String>,
) -> HashMap<&'a str, String> {
    let all = || {
        lines.iter().flat_map(|(_, parts)| parts).filter_map(|part| match part {
            Part::Variable(name) => Some(*name),
            _ => None,
        })
    };
    let wanted: HashSet<&str> = all().collect();
    let (mut found, mut taken): (HashMap<&str, String>, HashSet<String>) = Default::default();
    for variable in all() {
        if found.contains_key(variable) {
            continue;
        }
        let is_taken = |name: &str| {
            items.contains(name)
                || taken.contains(name)
                || name != variable && wanted.contains(name)
        };
        let name = names::of_variable(variable, is_taken);
        taken.insert(name.clone());
        found.insert(variable, name);
    }
    found
}
