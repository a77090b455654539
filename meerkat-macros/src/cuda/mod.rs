//! The CUDA writer: a checked kernel to C++ text.
//!
//! Statements keep the user's names and order. Each line remembers the line of
//! Rust it came from, so that NVRTC's messages and profilers can point there. Where
//! rustc alone knows a type, an instance or a value, the text has a mark; the
//! [`Table`] says what it stands for, and the run time fills it in.

mod expr;
mod stmt;
mod table;

use crate::check::CheckedKernel;
use crate::ir::{Access, FunctionKind, Type, VarId};
pub(crate) use table::Table;

/// One line of CUDA and the line of Rust it says.
pub(crate) struct Line {
    pub(crate) rust_line: usize,
    pub(crate) text: String,
}

/// The text of one function, a line each; what its marks stand for goes to `table`.
pub(crate) fn write(checked: &CheckedKernel, table: &Table) -> Vec<Line> {
    let mut writer = Writer {
        checked,
        table,
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
    table: &'a Table,
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
        let head = match (function.kind, &function.ret) {
            (FunctionKind::Device, ret) => {
                format!("__device__ __forceinline__ {} «self»", self.ty(ret))
            }
            _ => "extern \"C\" __global__ void «self»".to_owned(),
        };
        let params: Vec<_> = function.params.iter().map(|var| self.param(*var)).collect();
        let whole = format!("{head}({})", params.join(", "));
        let shown = whole.chars().filter(|letter| !"«»‹›".contains(*letter)).count();
        if shown <= 100 || params.is_empty() {
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
        if function.kind.is_launched() {
            self.put("begin_kernel();");
        }
        self.body(&body, &self.result_target());
        if self.returns_unit() {
            self.put("return Unit{};");
        }
        self.depth -= 1;
        self.put("}");
    }

    fn param(&self, var: VarId) -> String {
        let declared = self.checked.function.var(var);
        let name = self.name(var);
        let by_value = self.checked.function.kind.is_launched();
        match &declared.ty {
            Type::Ref(inner) if !by_value => format!("const {}& {name}", self.ty(inner)),
            Type::Ref(inner) => format!("const {} {name}", self.ty(inner)),
            ty if declared.mutable => format!("{} {name}", self.ty(ty)),
            ty => format!("const {} {name}", self.ty(ty)),
        }
    }

    /// The variable, by a mark: it gives way to the items that the function mentions.
    fn name(&self, var: VarId) -> String {
        format!("‹{}›", self.checked.scoped_name(var))
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Unknown | Type::Hint(_) => {
                unreachable!("the checker leaves no type for C++ to choose")
            }
            Type::Rustc(slot, _) => self.table.slot(*slot),
            Type::Unit => "Unit".to_owned(),
            Type::Scalar(scalar) => scalar.name().to_owned(),
            Type::Param(_) | Type::Named { .. } => self.table.ty(ty),
            Type::Slice(access, element) => match (&**element, access) {
                (Type::Atomic(_), _) => format!("Slice<{}>", self.ty(element)),
                (_, Access::Read) => format!("Slice<const {}>", self.element(element)),
                (_, Access::OwnItem) => format!("Slice<{}>", self.element(element)),
            },
            Type::Array(element, length) => {
                format!("Array<{}, {}>", self.ty(element), self.table.length(length))
            }
            Type::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.ty(part)).collect();
                format!("Tuple<{}>", parts.join(", "))
            }
            Type::Atomic(inner) => format!("Atomic<{}>", self.ty(inner)),
            Type::Ref(inner) => self.ty(inner),
        }
    }

    /// The element of a slice, which has a layout.
    fn element(&self, ty: &Type) -> String {
        match ty {
            Type::Param(_) | Type::Named { .. } => self.table.in_memory(ty),
            other => self.ty(other),
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
