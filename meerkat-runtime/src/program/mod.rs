//! CUDA programs: put together from the texts of functions and structs, whole
//! and self-contained, for NVRTC and for a reader.

mod constant;
mod diagnostics;
mod fill;
mod fold;
mod info;
mod literals;
mod names;
mod setters;
mod structs;
mod unbounded;

pub use constant::ConstantValue;
pub(crate) use constant::{literal, number};
pub(crate) use diagnostics::as_rustc_shows;
pub use fill::{Argument, DeviceFn, Entry, function_of, instance_of, named};
pub use info::KernelInfo;
pub use structs::{FieldText, StructText};

use names::Names;
use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// What every program starts with: the language's words in CUDA.
pub const PRELUDE: &str = include_str!("prelude.cu");

/// What the checked mode adds.
const CHECKS: &str = include_str!("checks.cu");

/// The text of one function, as a macro wrote it.
#[derive(Clone, Copy, Debug)]
pub struct FunctionText {
    /// Its name.
    pub name: &'static str,
    /// Its Rust module.
    pub module: &'static str,
    /// Its source file, as rustc names it.
    pub file: &'static str,
    /// Lines of CUDA, each with the line of Rust it says; `fill` says what their
    /// marks are.
    pub lines: &'static [(u32, &'static str)],
    /// The groups whose collectives it uses: a bit for tiles, one for larger ones.
    pub groups: u32,
    /// The lock-step Rust, as tokens.
    pub native: &'static str,
}

/// The bit of [`FunctionText::groups`] for collectives of tiles, and for aggregated atomics.
pub const TILES: u32 = 1;
/// The bit of [`FunctionText::groups`] for collectives of warps and blocks.
pub const WARPS: u32 = 2;

/// Whether a program looks at every access before it makes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// No checks: what is measured and shipped.
    #[default]
    Fast,
    /// An index out of bounds or a division by zero ends the lane and is
    /// reported with its place.
    Checked,
}

fn plain_indices(text: &str) -> String {
    text.replace('⟦', "[").replace('⟧', "]")
}

/// A CUDA program in the making: what is declared once is not declared again.
#[derive(Clone, Debug, Default)]
pub struct Program {
    names: Names,
    constants: String,
    structs: String,
    layouts: Vec<String>,
    functions: Vec<Function>,
    /// The fields of each struct that can be written `Name{a, b}`, in order.
    fields: HashMap<String, Vec<String>>,
    /// What is known of functions that do nothing but say `true` or `false`, and of such constants.
    known: HashMap<String, bool>,
    /// Functions of containers that do nothing but say `u32::MAX`.
    unbounded: HashSet<String>,
    /// The groups whose collectives its functions use.
    groups: u32,
    /// Functions that are being put in, outermost first.
    open: Vec<TypeId>,
    /// A function that calls itself by way of others.
    recursive: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct Function {
    file: &'static str,
    module: &'static str,
    /// The name of a function that others call; kernels are launched.
    callable: Option<String>,
    lines: Vec<(u32, String)>,
}

impl Program {
    /// An empty program.
    pub fn new() -> Self {
        Program::default()
    }

    /// Puts a device function into the program, after what it needs, if it is not
    /// there yet; returns its name. `Instance` stands for it and for nothing else.
    pub fn device_function<Instance: 'static>(
        &mut self,
        text: &FunctionText,
        table: &dyn Fn() -> Vec<Entry>,
    ) -> String {
        let (name, is_new) = self.names.of_type(TypeId::of::<Instance>(), text.name);
        let instance = TypeId::of::<Instance>();
        if is_new {
            self.open.push(instance);
            self.push(text, &name, &table(), true);
            self.open.pop();
        } else if self.open.contains(&instance) {
            self.recursive.get_or_insert(text.name);
        }
        name
    }

    /// Puts a kernel into the program, after what it needs; returns the name of its
    /// entry point, in which those of its type `arguments` follow its own.
    pub fn kernel(
        &mut self,
        text: &FunctionText,
        arguments: &[fn(&mut Program) -> String],
        table: Vec<Entry>,
    ) -> String {
        let mut wanted = text.name.to_owned();
        for argument in arguments {
            let argument = argument(self);
            let words = argument.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            for word in words.filter(|word| !word.is_empty() && *word != "Const") {
                wanted.push('_');
                wanted.push_str(word);
            }
        }
        let name = self.names.of_entry(&wanted);
        self.push(text, &name, &table, false);
        name
    }

    fn push(&mut self, text: &FunctionText, name: &str, table: &[Entry], is_called: bool) {
        let lines = self.fill(text.lines, name, table);
        let lines = fold::branches(lines, &self.known);
        let lines = self.with_struct_literals(fold::choices(lines, &self.known));
        let lines = fold::returned(unbounded::without_bounds(lines, &self.unbounded));
        let lines = fold::merged(fold::without_unused(lines));
        let is_bound = text.name.starts_with("Neighbors_") && text.name.contains("_bound_of");
        if is_bound && unbounded::says_most(&lines) {
            self.unbounded.insert(name.to_owned());
        }
        self.known.extend(fold::said_by(&lines).map(|said| (name.to_owned(), said)));
        self.groups |= text.groups;
        let callable = is_called.then(|| name.to_owned());
        self.functions.push(Function { file: text.file, module: text.module, callable, lines });
    }

    /// The name of a constant of the user's, which is declared if it is not yet.
    /// Constants differ by name, type or value.
    pub fn constant(&mut self, name: &str, value: impl ConstantValue) -> String {
        let (ty, text) = value.in_cuda(self);
        let (name, is_new) = self.names.of_constant(name, &ty, &text);
        if is_new {
            let _ = writeln!(self.constants, "constexpr {ty} {name} = {text};");
            self.known.extend(text.parse().ok().map(|said| (name.clone(), said)));
        }
        name
    }

    /// The functions alone, without the prelude: what a reviewer reads.
    pub fn body(&self) -> String {
        plain_indices(&self.render_body(false))
    }

    /// The files that its functions were written in.
    pub(crate) fn files(&self) -> impl Iterator<Item = &'static str> {
        self.functions.iter().map(|function| function.file)
    }

    /// The whole program, with `#line` so that messages name the Rust source.
    pub fn text(&self, mode: Mode) -> String {
        // What users name lies in a namespace, beside whatever CUDA declares.
        let body = format!("namespace program {{\n{}\n}}\n", self.render_body(true));
        let mixed = match self.groups {
            groups if groups == TILES | WARPS => "#define MEERKAT_TILES_AND_WARPS\n",
            _ => "",
        };
        match mode {
            Mode::Fast => format!("{mixed}{PRELUDE}\n{}", plain_indices(&body)),
            Mode::Checked => {
                let body = body.replace('⟦', ".at(").replace('⟧', ", __LINE__, __FILE__)");
                format!("{mixed}#define MEERKAT_CHECKED\n{PRELUDE}\n{CHECKS}\n{body}")
            }
        }
    }

    /// The structs without the setters that no function calls.
    fn structs_with_used_setters(&self) -> String {
        let is_used = |setter: &str| {
            let call = format!(".{setter}(");
            let mut lines = self.functions.iter().flat_map(|function| &function.lines);
            lines.any(|(_, line)| line.contains(&call))
        };
        let is_kept = |line: &&str| {
            let setter = line.split_once(" with_").and_then(|(_, rest)| rest.split_once('('));
            setter.is_none_or(|(field, _)| is_used(&format!("with_{field}")))
        };
        self.structs.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect()
    }

    /// The kernels, and the functions that they call, or that these call: folding leaves others.
    fn called(&self) -> Vec<&Function> {
        let mut named: HashSet<&str> = HashSet::new();
        // Callers stand behind what they call.
        let mut called: Vec<&Function> = Vec::new();
        for function in self.functions.iter().rev() {
            if function.callable.as_deref().is_none_or(|name| named.contains(name)) {
                named.extend(function.lines.iter().flat_map(|(_, line)| names::identifiers(line)));
                called.push(function);
            }
        }
        called.reverse();
        called
    }

    /// The constants that are mentioned: branches on others were taken.
    fn used_constants(&self, structs: &str, called: &[&Function]) -> String {
        let lines = called.iter().flat_map(|function| &function.lines).map(|(_, line)| &**line);
        let all = lines.chain([structs]).chain(self.layouts.iter().map(|layout| &**layout));
        let named: HashSet<&str> = all.flat_map(names::identifiers).collect();
        let is_used = |line: &&str| {
            let name = line.split_once(" = ").and_then(|(declared, _)| declared.rsplit_once(' '));
            name.is_none_or(|(_, name)| named.contains(name))
        };
        self.constants.lines().filter(is_used).flat_map(|line| [line, "\n"]).collect()
    }

    fn render_body(&self, line_numbers: bool) -> String {
        let mut text = String::new();
        let (structs, called) = (self.structs_with_used_setters(), self.called());
        let constants = self.used_constants(&structs, &called);
        for part in [&structs, &constants] {
            if !part.is_empty() {
                text.push_str(part);
                text.push('\n');
            }
        }
        if line_numbers {
            self.layouts.iter().for_each(|layout| text.push_str(layout));
        }
        for (at, function) in called.into_iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            let _ = writeln!(text, "// {}", function.module);
            let mut previous = 0;
            for (number, line) in &function.lines {
                if line_numbers && *number != previous && *number != 0 {
                    let _ = writeln!(text, "#line {number} \"{}\"", function.file);
                }
                previous = number + 1;
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }
}
