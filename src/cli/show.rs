//! `meerkat show`: the built-in kernels and what they become.

use clap::ArgGroup;
use meerkat::algos::kernels;
use meerkat::runtime::Schedule;
use meerkat::runtime::program::KernelInfo;

use super::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  meerkat show --list
  meerkat show visit                           # CUDA C++ of a kernel, as people read it
  meerkat show relax --schedule hybrid --weight u32
  meerkat show visit --program                 # all of it, as NVRTC takes it
  meerkat show visit --native                  # the Rust that runs on the CPU
  meerkat show visit --ptx                     # needs NVRTC, but no GPU

A kernel is named by its function, or by the whole name of --list: function, schedule and
types. Of several kernels of a function the first that fits is printed, and the others are
named in a comment.";

/// Names less similar than this (0 to 1) are no suggestion.
const SIMILAR: f64 = 0.8;
/// Most suggestions at once.
const SUGGESTIONS: usize = 3;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["kernel", "list"]).required(true)))]
#[command(group(ArgGroup::new("form").args(["cuda", "program", "native", "ptx"])
    .conflicts_with("list")))]
pub(super) struct ShowArgs {
    /// Kernel to print: its function, or its whole name
    #[arg(value_name = "KERNEL")]
    kernel: Option<String>,

    /// Name every built-in kernel, one a line
    #[arg(long, short)]
    list: bool,

    /// Schedule of the kernel [default: warp, or the one it has]
    #[arg(long, short, value_name = "SCHEDULE", requires = "kernel")]
    schedule: Option<Schedule>,

    /// Type that the kernel is made for [default: the first]
    #[arg(long, short, value_name = "unit|u32|i32|f32", requires = "kernel")]
    weight: Option<String>,

    /// CUDA C++ of the kernel and of the functions it calls [default]
    #[arg(long)]
    cuda: bool,

    /// The whole CUDA program, prelude and `#line` included, as NVRTC takes it
    #[arg(long)]
    program: bool,

    /// The native Rust that executes it on the CPU
    #[arg(long)]
    native: bool,

    /// The PTX that NVRTC makes of it
    #[arg(long)]
    ptx: bool,
}

/// The text that is asked for.
pub(super) fn run(args: &ShowArgs) -> Result<String, Failure> {
    let kernels = kernels();
    let Some(name) = &args.kernel else { return Ok(list(&kernels)) };
    let fitting = args.fitting(&kernels, name)?;
    let Some((kernel, others)) = fitting.split_first() else {
        return Err(args.unknown(&kernels, name));
    };
    let text = args.form_of(kernel)?;
    Ok(with_line_end(heading(kernel, others) + &text))
}

impl ShowArgs {
    /// The kernels of the name: one whole name, or those of a function that fit.
    fn fitting<'a>(
        &self,
        kernels: &'a [KernelInfo],
        name: &str,
    ) -> Result<Vec<&'a KernelInfo>, Failure> {
        let of_function: Vec<_> = kernels.iter().filter(|kernel| form(kernel).0 == name).collect();
        // A function without types has the name of its kernel for `Warp`.
        let is_chosen_by_schedule = self.schedule.is_some() && !of_function.is_empty();
        let whole = kernels.iter().find(|kernel| kernel.name() == name);
        if let Some(kernel) = whole.filter(|_| !is_chosen_by_schedule) {
            return Ok(vec![kernel]);
        }
        let wanted = self.schedule.unwrap_or(Schedule::Warp);
        let of_weight: Vec<_> =
            of_function.iter().copied().filter(|kernel| self.has_weight(kernel)).collect();
        let of_schedule: Vec<_> =
            of_weight.iter().copied().filter(|kernel| form(kernel).1 == wanted).collect();
        match (of_schedule.is_empty(), self.schedule) {
            (false, _) => Ok(of_schedule),
            (true, None) if !of_weight.is_empty() => Ok(of_weight),
            _ if of_function.is_empty() => Ok(of_function),
            _ => {
                let forms = of_function.iter().map(|kernel| format!("`{}`", kernel.name()));
                let forms = forms.collect::<Vec<_>>().join(", ");
                Err(Failure::UnknownForm { function: name.to_owned(), forms })
            }
        }
    }

    /// Whether one of its types is the one asked for.
    fn has_weight(&self, kernel: &KernelInfo) -> bool {
        let types = kernel.name()[kernel.function().len()..].to_lowercase();
        self.weight.as_ref().is_none_or(|weight| types.split('_').any(|ty| ty == weight))
    }

    fn form_of(&self, kernel: &KernelInfo) -> Result<String, Failure> {
        Ok(match (self.native, self.ptx, self.program) {
            (true, ..) => formatted(kernel.native()),
            (_, true, _) => kernel.ptx()?,
            (.., true) => kernel.cuda_program(),
            _ => kernel.cuda_body(),
        })
    }

    fn unknown(&self, kernels: &[KernelInfo], name: &str) -> Failure {
        let functions = kernels.iter().map(|kernel| form(kernel).0);
        let names = kernels.iter().map(KernelInfo::name);
        let mut all: Vec<_> = functions.chain(names).collect();
        all.sort_unstable();
        all.dedup();
        Failure::UnknownKernel { name: name.to_owned(), hint: hint(name, all.into_iter()) }
    }
}

/// The function that a kernel is made of, and its schedule.
pub(super) fn form(kernel: &KernelInfo) -> (&str, Schedule) {
    let function = kernel.function();
    let scheduled = Schedule::ALL.into_iter().find_map(|schedule| {
        let name = function.strip_suffix(schedule.name())?.strip_suffix('_')?;
        Some((name, schedule))
    });
    scheduled.unwrap_or((function, Schedule::Warp))
}

/// A comment that names the kernel, if others fit, too.
fn heading(kernel: &KernelInfo, others: &[&KernelInfo]) -> String {
    if others.is_empty() {
        return String::new();
    }
    let names: Vec<_> = others.iter().map(|other| other.name()).collect();
    format!("// {}; others of this function: {}\n\n", kernel.name(), names.join(", "))
}

/// A line a kernel: its name and the Rust module it was written in.
fn list(kernels: &[KernelInfo]) -> String {
    let width = kernels.iter().map(|kernel| kernel.name().len()).max().unwrap_or(0);
    let line = |kernel: &KernelInfo| format!("{:<width$}  {}\n", kernel.name(), kernel.module());
    kernels.iter().map(line).collect()
}

/// The tokens of a Rust item, laid out as Rust is written.
fn formatted(tokens: String) -> String {
    match syn::parse_file(&tokens) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => tokens,
    }
}

/// What the user may have meant by `name`.
fn hint<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let mut similar: Vec<(f64, &str)> = names
        .map(|known| (similarity(name, known), known))
        .filter(|(similarity, _)| *similarity > SIMILAR)
        .collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    let similar: Vec<String> =
        similar.iter().take(SUGGESTIONS).map(|(_, known)| format!("`{known}`")).collect();
    match similar.as_slice() {
        [] => "`meerkat show --list` names them all".to_owned(),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// 1 for equal names or a part of the other, towards 0 the less they share.
fn similarity(typed: &str, known: &str) -> f64 {
    let (typed, known) = (typed.to_lowercase(), known.to_lowercase());
    if typed.len() >= 3 && known.contains(&typed) {
        return 1.0;
    }
    strsim::jaro_winkler(&typed, &known)
}

fn with_line_end(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["bfs_expand", "bfs_tree_expand", "insert_edges", "search_edges"];

    fn hint_for(name: &str) -> String {
        hint(name, NAMES.into_iter())
    }

    #[test]
    fn a_slip_of_the_finger_is_answered_with_the_name() {
        assert!(hint_for("bsf_expand").starts_with("did you mean `bfs_expand`"));
        assert!(hint_for("INSERT_EDGE").starts_with("did you mean `insert_edges`"));
    }

    #[test]
    fn part_of_a_name_is_answered_with_the_names_that_have_it() {
        assert_eq!(hint_for("tree"), "did you mean `bfs_tree_expand`?");
    }

    #[test]
    fn tokens_of_an_item_become_lines() {
        assert_eq!(
            formatted("fn f (x : u32) { g (x) ; }".into()),
            "fn f(x: u32) {\n    g(x);\n}\n"
        );
        assert_eq!(formatted("not Rust".into()), "not Rust");
    }

    #[test]
    fn nothing_similar_is_answered_with_the_list() {
        for name in ["", "zzz", "pagerank"] {
            assert_eq!(hint_for(name), "`meerkat show --list` names them all", "{name}");
        }
    }
}
