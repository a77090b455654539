//! CUDA programs: put together from the texts of functions and structs, whole
//! and self-contained, for NVRTC and for a reader.

mod constant;
mod diagnostics;
mod info;

pub use constant::ConstantValue;
pub(crate) use diagnostics::as_rustc_shows;
pub use info::KernelInfo;

use crate::{Error, ErrorKind};
use std::collections::HashMap;
use std::fmt::Write;

/// What every program starts with: the language's words in CUDA.
pub const PRELUDE: &str = include_str!("prelude.cu");

/// The text of one function, as a macro wrote it.
#[derive(Clone, Copy, Debug)]
pub struct FunctionText {
    /// Its name.
    pub name: &'static str,
    /// Its Rust module.
    pub module: &'static str,
    /// Its source file, as rustc names it.
    pub file: &'static str,
    /// Lines of CUDA, each with the line of Rust it says.
    pub lines: &'static [(u32, &'static str)],
    /// The lock-step Rust, as tokens.
    pub native: &'static str,
}

/// The fields of one struct, as the derive wrote them.
#[derive(Clone, Copy, Debug)]
pub struct StructText {
    /// Its name.
    pub name: &'static str,
    /// Its Rust module.
    pub module: &'static str,
    /// Its type parameters.
    pub params: &'static [&'static str],
    /// Each field's CUDA type and name, in order.
    pub fields: &'static [(&'static str, &'static str)],
}

impl StructText {
    /// The definition. A weight of no bytes has a definition of its own: C++
    /// gives every member at least one, and NVRTC 13.0 miscounts the stride of
    /// arrays of structs with `[[no_unique_address]]` members.
    fn cuda(&self) -> String {
        let params: Vec<_> = self.params.iter().map(|name| format!("typename {name}")).collect();
        if params.is_empty() {
            return self.definition("", self.name, None);
        }
        let head = format!("template <{}>\n", params.join(", "));
        let mut text = self.definition(&head, self.name, None);
        if let [param] = self.params
            && self.fields.iter().any(|(ty, _)| ty == param)
        {
            let name = format!("{}<Unit>", self.name);
            text.push_str(&self.definition("template <>\n", &name, Some(param)));
        }
        text
    }

    /// `empty` is the type parameter that stands for nothing here.
    fn definition(&self, head: &str, name: &str, empty: Option<&str>) -> String {
        let mut text = format!("{head}struct {name} {{\n");
        let is_empty = |ty: &str| ty == "Unit" || Some(ty) == empty;
        for (ty, field) in self.fields {
            let _ = if is_empty(ty) {
                writeln!(text, "    static constexpr Unit {field} = {{}};")
            } else {
                writeln!(text, "    {ty} {field};")
            };
        }
        for (ty, field) in self.fields {
            let _ = if is_empty(ty) {
                writeln!(text, "    DEVICE {} with_{field}(Unit) {{ return *this; }}", self.name)
            } else {
                writeln!(
                    text,
                    "    DEVICE {} with_{field}({ty} value) {{ {field} = value; return *this; }}",
                    self.name
                )
            };
        }
        text.push_str("};\n");
        text
    }
}

/// `Edge<u32>` from `Edge` and `u32`.
pub fn type_name(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("{name}<{}>", arguments.join(", ")) }
}

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

/// Whether collectives of tiles and of warps meet in one program.
fn mixes_tiles_and_warps(body: &str) -> bool {
    let words = ["ballot", "any", "all", "broadcast", "shuffle", "reduce_", "barrier"];
    let uses = |group: &str| words.iter().any(|word| body.contains(&format!("{group}_{word}")));
    uses("tile") && (uses("warp") || uses("block"))
}

fn plain_indices(text: &str) -> String {
    text.replace('⟦', "[").replace('⟧', "]")
}

/// A CUDA program in the making: what is declared once is not declared again.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Where each name was declared.
    owners: HashMap<String, String>,
    clash: Option<(String, String, String)>,
    constants: String,
    structs: String,
    layouts: Vec<String>,
    functions: Vec<Function>,
}

#[derive(Clone, Debug)]
struct Function {
    file: &'static str,
    module: &'static str,
    lines: Vec<(u32, String)>,
}

impl Program {
    /// An empty program.
    pub fn new() -> Self {
        Program::default()
    }

    /// Notes that `name` belongs to `owner`; false if it is there already.
    fn claim(&mut self, name: &str, owner: &str) -> bool {
        match self.owners.get(name) {
            None => {
                self.owners.insert(name.to_owned(), owner.to_owned());
                true
            }
            Some(first) => {
                if first != owner {
                    let clash = (name.to_owned(), first.clone(), owner.to_owned());
                    self.clash.get_or_insert(clash);
                }
                false
            }
        }
    }

    /// Starts a function; false if it is declared already.
    pub fn begin(&mut self, text: &FunctionText) -> bool {
        self.claim(text.name, text.module)
    }

    /// Adds a function's text, after what it needs. `marks` are the type
    /// arguments of a kernel.
    pub fn function(&mut self, text: &FunctionText, marks: &[(&str, String)]) {
        let fill = |line: &str| {
            marks.iter().fold(line.to_owned(), |line, (mark, name)| line.replace(mark, name))
        };
        let lines = text.lines.iter().map(|(number, line)| (*number, fill(line))).collect();
        self.functions.push(Function { file: text.file, module: text.module, lines });
    }

    /// Adds a struct.
    pub fn structure(&mut self, text: &StructText) {
        if self.claim(text.name, text.module) {
            self.structs.push_str(&text.cuda());
        }
    }

    /// Has CUDA check the layout that Rust uses.
    pub fn layout(
        &mut self,
        ty: String,
        size: usize,
        align: usize,
        fields: &[(&str, usize, usize)],
    ) {
        if !self.claim(&format!("layout of {ty}"), "") {
            return;
        }
        let mut text = format!(
            "static_assert(sizeof({ty}) == {size} && alignof({ty}) == {align}, \
             \"{ty} differs between Rust and CUDA\");\n"
        );
        // A field without bytes lies wherever C++ likes.
        for (field, offset, _) in fields.iter().filter(|(.., size)| *size > 0) {
            let _ = writeln!(
                text,
                "static_assert(offset_of({ty}, {field}) == {offset}, \
                 \"{ty}::{field} differs between Rust and CUDA\");"
            );
        }
        self.layouts.push(text);
    }

    /// Declares a constant of the user's.
    pub fn constant(&mut self, name: &str, value: impl ConstantValue) {
        let (ty, text) = (value.cuda_type(), value.cuda_text());
        if self.claim(name, &format!("constant {text}")) {
            let _ = writeln!(self.constants, "constexpr {ty} {name} = {text};");
        }
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
    ///
    /// # Errors
    /// Two items of one name in it.
    pub fn text(&self, mode: Mode) -> Result<String, Error> {
        if let Some((name, first, second)) = &self.clash {
            let (name, first, second) = (name.clone(), first.clone(), second.clone());
            return Err(ErrorKind::NameClash { name, first, second }.into());
        }
        let body = self.render_body(true);
        let mixed =
            if mixes_tiles_and_warps(&body) { "#define MEERKAT_TILES_AND_WARPS\n" } else { "" };
        Ok(match mode {
            Mode::Fast => format!("{mixed}{PRELUDE}\n{}", plain_indices(&body)),
            Mode::Checked => {
                let checks = include_str!("checks.cu");
                let body = body.replace('⟦', ".at(").replace('⟧', ", __LINE__, __FILE__)");
                format!("{mixed}#define MEERKAT_CHECKED\n{PRELUDE}\n{checks}\n{body}")
            }
        })
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

    fn render_body(&self, line_numbers: bool) -> String {
        let mut text = String::new();
        for part in [&self.constants, &self.structs_with_used_setters()] {
            if !part.is_empty() {
                text.push_str(part);
                text.push('\n');
            }
        }
        if line_numbers {
            self.layouts.iter().for_each(|layout| text.push_str(layout));
        }
        for (at, function) in self.functions.iter().enumerate() {
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
