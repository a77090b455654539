//! The CUDA writer: a checked kernel to C++ text.
//!
//! Statements keep the user's names and order. Each line remembers the line of
//! Rust it came from, so that NVRTC's messages and profilers can point there.

mod expr;
mod stmt;

use crate::check::CheckedKernel;
use crate::ir::names::cuda_word;
use crate::ir::types::length_constant;
use crate::ir::{Access, FunctionKind, Type, VarId};

/// One line of CUDA and the line of Rust it says.
pub(crate) struct Line {
    pub(crate) rust_line: usize,
    pub(crate) text: String,
}

/// The text of one function, a line each.
pub(crate) fn write(checked: &CheckedKernel) -> Vec<Line> {
    let mut writer = Writer {
        checked,
        lines: Vec::new(),
        depth: 0,
        line: 0,
        labels: Vec::new(),
        label_count: 0,
    };
    writer.function();
    writer.lines
}

struct Writer<'a> {
    checked: &'a CheckedKernel,
    lines: Vec<Line>,
    depth: usize,
    /// The Rust line of the statement being written.
    line: usize,
    /// Labels of the loops around it, as C++ names them.
    labels: Vec<(String, String)>,
    label_count: usize,
}

impl Writer<'_> {
    fn put(&mut self, text: impl AsRef<str>) {
        let indent = "    ".repeat(self.depth);
        for (at, part) in parts_of_a_line(text.as_ref(), indent.len()).into_iter().enumerate() {
            let further = if at == 0 { "" } else { "    " };
            self.lines
                .push(Line { rust_line: self.line, text: format!("{indent}{further}{part}") });
        }
    }

    fn function(&mut self) {
        let function = &self.checked.function;
        self.line = function.name.span().start().line;
        let generics: Vec<_> =
            function.generics.iter().map(|generic| format!("typename {}", generic.name)).collect();
        let head = match function.kind {
            FunctionKind::Device => {
                if !generics.is_empty() {
                    self.put(format!("template <{}>", generics.join(", ")));
                }
                {
                    let ret = match &function.ret {
                        Type::Unit => "void".to_owned(),
                        ret => self.ty(ret),
                    };
                    let name = cuda_word(&function.name.to_string());
                    format!("__device__ __forceinline__ {ret} {name}")
                }
            }
            _ => format!("extern \"C\" __global__ void {}", self.entry_name()),
        };
        let params: Vec<_> = function.params.iter().map(|var| self.param(*var)).collect();
        let whole = format!("{head}({})", params.join(", "));
        if whole.len() <= 100 {
            self.put(format!("{whole} {{"));
        } else {
            self.put(format!("{head}("));
            let last = params.len() - 1;
            for (at, param) in params.iter().enumerate() {
                self.put(format!("    {param}{}", if at == last { ") {" } else { "," }));
            }
        }
        let body = function.body.clone();
        self.depth += 1;
        self.body(&body, &self.result_target());
        self.depth -= 1;
        self.put("}");
    }

    /// A generic kernel's entry is named for its type arguments when it is
    /// compiled; the marks are replaced then.
    fn entry_name(&self) -> String {
        let function = &self.checked.function;
        let marks = function.generics.iter().map(|generic| format!("_«{}»", generic.name));
        format!("{}{}", cuda_word(&function.name.to_string()), marks.collect::<String>())
    }

    fn param(&self, var: VarId) -> String {
        let declared = self.checked.function.var(var);
        let name = self.checked.name(var);
        let by_value = self.checked.function.kind.is_launched();
        match &declared.ty {
            Type::Ref(inner) if !by_value => format!("const {}& {name}", self.ty(inner)),
            Type::Ref(inner) => format!("const {} {name}", self.ty(inner)),
            ty if declared.mutable => format!("{} {name}", self.ty(ty)),
            ty => format!("const {} {name}", self.ty(ty)),
        }
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Unknown => "auto".to_owned(),
            Type::Unit => "Unit".to_owned(),
            Type::Scalar(scalar) => scalar.name().to_owned(),
            Type::Param(name) if self.checked.function.kind.is_launched() => format!("«{name}»"),
            Type::Param(name) => name.to_string(),
            Type::Named { name, args, .. } if args.is_empty() && is_weighted_container(name) => {
                format!("{name}<Unit>")
            }
            // An alias stands for the type it names, arguments and all.
            Type::Named { name, args, .. } if args.is_empty() => format!("«{name}»"),
            Type::Named { name, args, .. } => {
                let args: Vec<_> = args.iter().map(|arg| self.ty(arg)).collect();
                format!("{name}<{}>", args.join(", "))
            }
            Type::Slice(Access::Read, element) if !matches!(**element, Type::Atomic(_)) => {
                format!("Slice<const {}>", self.ty(element))
            }
            Type::Slice(_, element) => format!("Slice<{}>", self.ty(element)),
            Type::Array(element, length) => {
                format!("Array<{}, {}>", self.ty(element), length_text(length))
            }
            Type::Tuple(parts) if parts.iter().all(Type::is_known) => {
                let parts: Vec<_> = parts.iter().map(|part| self.ty(part)).collect();
                format!("Tuple<{}>", parts.join(", "))
            }
            Type::Tuple(_) => "auto".to_owned(),
            Type::Atomic(inner) => format!("Atomic<{}>", self.ty(inner)),
            Type::Ref(inner) => self.ty(inner),
        }
    }
}

/// A line, or if it is long and has a literal of many fields, that a field a line.
// expands to: out[i] = Node{}
//                 .with_parent(v)
fn parts_of_a_line(text: &str, indent: usize) -> Vec<&str> {
    let fields = text.matches(".with_").count();
    if text.len() + indent <= 100 || fields < 4 {
        return vec![text];
    }
    let (mut parts, mut from, mut depth, mut outermost) = (Vec::new(), 0, 0usize, usize::MAX);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '.' if text[at..].starts_with(".with_") && depth <= outermost => {
                outermost = depth;
                parts.push(&text[from..at]);
                from = at;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// A length is a number, or a constant that the program declares by its own name.
fn length_text(length: &str) -> String {
    let constant = length_constant(length);
    let last = constant.as_ref().and_then(|path| path.segments.last());
    last.map_or_else(|| length.to_owned(), |last| last.ident.to_string())
}

/// Types whose weight defaults to none: `Graph` is `Graph<()>`.
fn is_weighted_container(name: &str) -> bool {
    matches!(name, "Graph" | "Edge")
}
