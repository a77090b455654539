//! A kernel as Rust source in the Meerkat language.

mod expr;
mod family;
mod generic;
mod launch;
mod names;
mod walk;

pub use launch::{launch, launch_types};
pub use names::{named, named_struct, preamble};

use crate::fuzz::language::{
    Block, COUPLE, Expr, Function, Kernel, Kind, OWN, Owner, STRUCTS, Slice, Stmt, Struct, Ty,
};
use crate::fuzz::memory;
use crate::fuzz::random::Random;
use std::cell::RefCell;
use std::fmt::Write as _;

/// The Rust definitions of the [`STRUCTS`] that the harness knows.
pub fn structs() -> String {
    definitions(&STRUCTS[..OWN])
}

fn definitions(structs: &[Struct]) -> String {
    let mut text = String::new();
    for declared in structs {
        let fields: Vec<_> = declared
            .fields
            .iter()
            .map(|(name, scalar)| {
                // The harness's structs know no aliases.
                let own = declared.name == STRUCTS[OWN].name;
                let ty = if own { names::alias(*scalar) } else { scalar.name() };
                format!("    pub {name}: {ty},\n")
            })
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

/// The kernel and what it calls, in a module of its own.
pub fn kernel(kernel: &Kernel) -> String {
    let mut text = format!("mod {} {{\nuse super::*;\n\n", module(kernel));
    if kernel.has_couple {
        text.push_str(&generic::couple());
    }
    if let Some(family) = &kernel.family {
        text.push_str(&family::family(kernel, family));
    }
    for function in &kernel.functions {
        if let Some(module) = &function.module {
            let _ = writeln!(text, "mod {module} {{\nuse super::*;");
        }
        text.push_str("#[device]\n");
        let printed = Printer::new(kernel, function).function(false);
        text.push_str(&match function.owner {
            Owner::Own => format!("impl {} {{\n{printed}}}\n", STRUCTS[OWN].name),
            Owner::Couple => format!("impl<T: Number> {COUPLE}<T> {{\n{printed}}}\n"),
            _ => printed,
        });
        if function.module.is_some() {
            text.push_str("}\n");
        }
    }
    let is_operator = kernel.operator.is_some();
    text.push_str(if is_operator { "#[vertex_operator]\n" } else { "#[kernel]\n" });
    text.push_str(&Printer::new(kernel, &kernel.main).function(true));
    text.push_str("}\n");
    text
}

/// The module that a kernel is in.
pub fn module(kernel: &Kernel) -> String {
    format!("of_{}", kernel.main.name)
}

struct Printer<'a> {
    kernel: &'a Kernel,
    function: &'a Function,
    text: String,
    depth: usize,
    /// Which names its types go by.
    choices: RefCell<Random>,
}

impl<'a> Printer<'a> {
    fn new(kernel: &'a Kernel, function: &'a Function) -> Self {
        let choices = RefCell::new(Random::new(kernel.seed ^ function.vars.len() as u64));
        Printer { kernel, function, text: String::new(), depth: 0, choices }
    }

    /// The function up to its body.
    fn signature(&self, launched: bool) -> String {
        let function = self.function;
        let is_free = matches!(function.owner, Owner::Module | Owner::Own | Owner::Couple);
        let mut params = match launched && self.kernel.operator.is_none() || function.plain {
            true => vec![],
            false if launched => vec!["me: Vertex".to_owned()],
            false => vec!["me: u32".to_owned()],
        };
        if function.is_method {
            params.insert(0, "self".to_owned());
        }
        let named = &function.params[usize::from(function.is_method)..];
        params.extend(named.iter().map(|&var| {
            let var = &function.vars[var];
            let mutable = if var.mutable { "mut " } else { "" };
            format!("{mutable}{}: {}", var.name, self.var_ty(var))
        }));
        params.extend(function.slices.iter().map(|&slice| {
            let name = memory::name(slice);
            match slice {
                Slice::Input(element) => format!("{name}: &[{}]", self.ty(element)),
                Slice::Output(element) => format!("{name}: &mut [{}]", self.ty(element)),
                Slice::Shared(scalar) | Slice::Private(scalar) => {
                    format!("{name}: &[Atomic<{}>]", self.ty(Ty::Scalar(scalar)))
                }
                Slice::Graph(carried) => match carried.scalar() {
                    None => format!("{name}: &Graph"),
                    Some(scalar) => format!("{name}: &Graph<{}>", self.number(scalar)),
                },
            }
        }));
        let result = match function.ret {
            Ty::Unit => String::new(),
            plain => format!(" -> {}", self.shared_ty(plain, function.ret_shared_by)),
        };
        let public = if is_free { "pub " } else { "" };
        let (name, generics) = (&function.name, self.generics());
        format!("{public}fn {name}{generics}({}){result}", params.join(", "))
    }

    fn function(mut self, launched: bool) -> String {
        let function = self.function;
        let signature = self.signature(launched);
        self.line(&format!("{signature} {{"));
        self.depth += 1;
        if launched && self.kernel.operator.is_none() {
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
                    let patterns: Vec<_> = arm
                        .patterns
                        .iter()
                        .map(|p| self.pattern(p, matched.ty, arm.bare))
                        .collect();
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

    /// The words of the block, with what they need around them.
    fn of_block(&mut self, stmt: &Stmt) {
        self.line("{");
        self.depth += 1;
        match stmt {
            Stmt::BlockReduce { reduce, value, fetch, cell } => {
                let slice = memory::name(Slice::Shared(value.ty.scalar()));
                let (reduce, fetch) = (expr::collective(*reduce), expr::fetch(*fetch));
                let value = self.expr(value);
                self.line(&format!("let total = block_{reduce}({value});"));
                self.line("if block_thread_id() == 0 {");
                self.line(&format!("    {slice}[{cell}].{fetch}(total);"));
                self.line("}");
            }
            Stmt::BlockShared { condition, at, value, fetch } => {
                let (scalar, fetch) = (value.ty.scalar(), expr::fetch(*fetch));
                let slice = memory::name(Slice::Shared(scalar));
                let (condition, at, value) =
                    (self.expr(condition), self.expr(at), self.expr(value));
                let cells = memory::CELLS;
                self.line(&format!(
                    "let shared = block_shared::<{}, {cells}>();",
                    self.ty(Ty::Scalar(scalar))
                ));
                self.line(&format!("if {condition} {{"));
                self.line(&format!("    shared[{at}].{fetch}({value});"));
                self.line("}");
                self.line("block_barrier();");
                self.line("let cell = block_thread_id();");
                self.line(&format!("if cell < {cells} {{"));
                self.line(&format!("    {slice}[cell].{fetch}(shared[cell].load());"));
                self.line("}");
            }
            other => unreachable!("{other:?} has no words of the block"),
        }
        self.depth -= 1;
        self.line("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let label = |label: &Option<&str>| label.map_or(String::new(), |name| format!("'{name}: "));
        let target = |label: &Option<&str>| label.map_or(String::new(), |name| format!(" '{name}"));
        match stmt {
            Stmt::Let { var, annotated, init } => {
                let var = &self.function.vars[*var];
                let mutable = if var.mutable { "mut " } else { "" };
                let annotation = if *annotated || var.shared_by.is_some() {
                    format!(": {}", self.var_ty(var))
                } else {
                    String::new()
                };
                self.value(&format!("let {mutable}{}{annotation} = ", var.name), init, ";");
            }
            Stmt::LetParts { vars, annotated, init } => {
                let names: Vec<_> = vars
                    .iter()
                    .map(|var| match var.map(|var| &self.function.vars[var]) {
                        None => "_".to_owned(),
                        Some(var) if var.mutable => format!("mut {}", var.name),
                        Some(var) => var.name.clone(),
                    })
                    .collect();
                let annotation =
                    if *annotated { format!(": {}", self.ty(init.ty)) } else { String::new() };
                self.value(&format!("let ({}){annotation} = ", names.join(", ")), init, ";");
            }
            Stmt::AssignParts(places, value) => {
                let places: Vec<_> = places.iter().map(|place| self.expr(place)).collect();
                self.value(&format!("({}) = ", places.join(", ")), value, ";");
            }
            Stmt::BlockReduce { .. } | Stmt::BlockShared { .. } => self.of_block(stmt),
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
            Stmt::Walk(walk) => self.walk(walk),
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
