//! A kernel as Rust source in the Meerkat language.

mod expr;

pub use expr::named;

use crate::fuzz::language::{Block, Expr, Function, Kernel, Kind, STRUCTS, Slice, Stmt, Ty};
use crate::fuzz::memory;
use std::fmt::Write as _;

/// The Rust definitions of [`STRUCTS`].
pub fn structs() -> String {
    let mut text = String::new();
    for declared in &STRUCTS {
        let fields: Vec<_> = declared
            .fields
            .iter()
            .map(|(name, scalar)| format!("    pub {name}: {},\n", scalar.name()))
            .collect();
        let _ = write!(
            text,
            "#[derive(Clone, Copy, Debug, Default, DeviceStruct)]\n#[repr(C)]\npub struct {} {{\n{}}}\n\n",
            declared.name,
            fields.concat()
        );
    }
    text
}

/// The kernel and the device functions it calls.
pub fn kernel(kernel: &Kernel) -> String {
    let mut text = String::new();
    for function in &kernel.functions {
        text.push_str("#[device]\n");
        text.push_str(&Printer::new(kernel, function).function(false));
    }
    text.push_str("#[kernel]\n");
    text.push_str(&Printer::new(kernel, &kernel.main).function(true));
    text
}

/// The arguments of a launch, after the device and the number of threads.
pub fn launch_arguments(kernel: &Kernel) -> String {
    let main = &kernel.main;
    let values = main
        .params
        .iter()
        .zip(&kernel.arguments)
        .map(|(&var, &bits)| main.vars[var].ty.scalar().literal(bits));
    let slices = main.slices.iter().map(|&slice| {
        let exclusive = if matches!(slice, Slice::Output(_)) { "mut " } else { "" };
        format!("&{exclusive}memory.{}", memory::name(slice))
    });
    values.chain(slices).collect::<Vec<_>>().join(", ")
}

pub fn ty(ty: Ty) -> String {
    match ty {
        Ty::Unit => "()".to_owned(),
        Ty::Scalar(scalar) => scalar.name().to_owned(),
        Ty::Array(scalar, length) => format!("[{}; {length}]", scalar.name()),
        Ty::Struct(at) => STRUCTS[at].name.to_owned(),
    }
}

fn shared_ty(plain: Ty, by: Option<u32>) -> String {
    match by {
        None => ty(plain),
        Some(32) => format!("Uniform<{}>", ty(plain)),
        Some(group) => format!("TileUniform<{group}, {}>", ty(plain)),
    }
}

struct Printer<'a> {
    kernel: &'a Kernel,
    function: &'a Function,
    text: String,
    depth: usize,
}

impl<'a> Printer<'a> {
    fn new(kernel: &'a Kernel, function: &'a Function) -> Self {
        Printer { kernel, function, text: String::new(), depth: 0 }
    }

    fn function(mut self, launched: bool) -> String {
        let function = self.function;
        let mut params: Vec<_> = if launched { vec![] } else { vec!["me: u32".to_owned()] };
        params.extend(function.params.iter().map(|&var| {
            let var = &function.vars[var];
            let mutable = if var.mutable { "mut " } else { "" };
            format!("{mutable}{}: {}", var.name, shared_ty(var.ty, var.shared_by))
        }));
        params.extend(function.slices.iter().map(|&slice| {
            let name = memory::name(slice);
            match slice {
                Slice::Input(element) => format!("{name}: &[{}]", ty(element)),
                Slice::Output(element) => format!("{name}: &mut [{}]", ty(element)),
                Slice::Shared(scalar) | Slice::Private(scalar) => {
                    format!("{name}: &[Atomic<{}>]", scalar.name())
                }
            }
        }));
        let result = match function.ret {
            Ty::Unit => String::new(),
            plain => format!(" -> {}", shared_ty(plain, function.ret_shared_by)),
        };
        let (name, params) = (&function.name, params.join(", "));
        self.line(&format!("pub fn {name}({params}){result} {{"));
        self.depth += 1;
        if launched {
            self.line("let me = thread_id();");
        }
        self.statements(&function.body);
        self.depth -= 1;
        self.line("}");
        self.text
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn statements(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.value("", tail, "");
        }
    }

    /// `{ .. }` after what the current line begins with.
    fn braced(&mut self, before: &str, block: &Block, after: &str) {
        self.line(&format!("{before}{{"));
        self.depth += 1;
        self.statements(block);
        self.depth -= 1;
        self.line(&format!("}}{after}"));
    }

    /// A value that may have statements inside.
    fn value(&mut self, before: &str, value: &Expr, after: &str) {
        match &value.kind {
            Kind::If(condition, then, otherwise) => {
                let head = format!("{before}if {} ", self.expr(condition));
                match otherwise {
                    None => self.braced(&head, then, after),
                    Some(otherwise) => {
                        self.braced(&head, then, " else {");
                        self.depth += 1;
                        self.statements(otherwise);
                        self.depth -= 1;
                        self.line(&format!("}}{after}"));
                    }
                }
            }
            Kind::Match(matched, arms) => {
                let head = format!("{before}match {} {{", self.expr(matched));
                self.line(&head);
                self.depth += 1;
                for arm in arms {
                    let patterns: Vec<_> =
                        arm.patterns.iter().map(|p| self.pattern(p, matched.ty)).collect();
                    let guard = arm
                        .guard
                        .as_ref()
                        .map_or(String::new(), |guard| format!(" if {}", self.expr(guard)));
                    let head = format!("{}{guard} => ", patterns.join(" | "));
                    self.braced(&head, &arm.body, "");
                }
                self.depth -= 1;
                self.line(&format!("}}{after}"));
            }
            Kind::Block(block) => self.braced(before, block, after),
            _ => {
                let value = self.expr(value);
                self.line(&format!("{before}{value}{after}"));
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let label = |label: &Option<&str>| label.map_or(String::new(), |name| format!("'{name}: "));
        let target = |label: &Option<&str>| label.map_or(String::new(), |name| format!(" '{name}"));
        match stmt {
            Stmt::Let { var, annotated, init } => {
                let var = &self.function.vars[*var];
                let mutable = if var.mutable { "mut " } else { "" };
                let annotation = if *annotated || var.shared_by.is_some() {
                    format!(": {}", shared_ty(var.ty, var.shared_by))
                } else {
                    String::new()
                };
                self.value(&format!("let {mutable}{}{annotation} = ", var.name), init, ";");
            }
            Stmt::Assign(place, value) => {
                let place = self.expr(place);
                self.value(&format!("{place} = "), value, ";");
            }
            Stmt::AssignOp(op, place, value) => {
                let (place, value) = (self.expr(place), self.expr(value));
                self.line(&format!("{place} {}= {value};", expr::symbol(*op)));
            }
            Stmt::Expr(value) => {
                let rich = matches!(value.kind, Kind::If(..) | Kind::Match(..) | Kind::Block(_));
                self.value("", value, if rich { "" } else { ";" });
            }
            Stmt::While { label: name, condition, body } => {
                let head = format!("{}while {} ", label(name), self.expr(condition));
                self.braced(&head, body, "");
            }
            Stmt::Loop { label: name, body } => {
                self.braced(&format!("{}loop ", label(name)), body, "");
            }
            Stmt::For { label: name, var, from, to, inclusive, body } => {
                let dots = if *inclusive { "..=" } else { ".." };
                let range = format!("{}{dots}{}", self.expr(from), self.expr(to));
                let var = &self.function.vars[*var].name;
                self.braced(&format!("{}for {var} in {range} ", label(name)), body, "");
            }
            Stmt::Break(_, name) => self.line(&format!("break{};", target(name))),
            Stmt::Continue(_, name) => self.line(&format!("continue{};", target(name))),
            Stmt::Return(value) => self.value("return ", value, ";"),
        }
    }
}
