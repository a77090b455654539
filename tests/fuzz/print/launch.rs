//! How a kernel is launched.

use super::{Printer, module};
use crate::fuzz::language::{Kernel, Operator, Slice};
use crate::fuzz::memory;

/// The type arguments and the number that a kernel is launched with: `::<u32, 4>`.
pub fn launch_types(kernel: &Kernel) -> String {
    let printer = Printer::new(kernel, &kernel.main);
    let own = |at: &usize| kernel.main.generics[*at].of.is_none();
    let own = (0..kernel.types.len()).filter(own);
    let mut all: Vec<_> = own.map(|at| printer.type_outside(kernel.types[at])).collect();
    all.extend(kernel.main.constant.map(|_| kernel.given.to_string()));
    if all.is_empty() { String::new() } else { format!("::<{}>", all.join(", ")) }
}

/// The launch of a kernel, or of an operator under its schedule: where that does not fit,
/// under another.
pub fn launch(kernel: &Kernel) -> String {
    let (of, name, types) = (module(kernel), &kernel.main.name, launch_types(kernel));
    let arguments = launch_arguments(kernel);
    let path = format!("{of}::{name}");
    let Some(Operator { items, schedule }) = kernel.operator else {
        return format!("{path}::launch{types}(device, {}, {arguments})", memory::THREADS);
    };
    let launch = format!("device, 0..{items}, {arguments}");
    format!(
        "let done = {path}::launch_with{types}(Schedule::{schedule}, {launch});\n    match done {{\n        \
         Err(error) if matches!(error.kind(), ErrorKind::UnsupportedSchedule {{ .. }}) => \
         {path}::launch{types}({launch}),\n        done => done,\n    }}"
    )
}

/// The arguments of a launch, after the device and the number of threads.
fn launch_arguments(kernel: &Kernel) -> String {
    let main = &kernel.main;
    let values = main
        .params
        .iter()
        .zip(&kernel.arguments)
        .map(|(&var, &bits)| main.vars[var].ty.scalar().literal(bits));
    let slices = main.slices.iter().map(|&slice| {
        if let Slice::Graph(carried) = slice {
            return format!("memory.{}.as_ref().expect(\"it is built\")", carried.name());
        }
        let exclusive = if matches!(slice, Slice::Output(_)) { "mut " } else { "" };
        format!("&{exclusive}memory.{}", memory::name(slice))
    });
    values.chain(slices).collect::<Vec<_>>().join(", ")
}
