//! The fuzzer of the graph readers: files of every format, mutated, read with options at
//! random, and compared with simple readers that share no code with the project's.
//!
//! Run by `examples/fuzz_readers.rs`; a few inputs are a test, `tests/graph/mutated_files.rs`.

mod case;
mod choose;
mod compare;
mod corpus;
mod mutate;
mod reference;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use meerkat_runtime::read::ReadError;

pub(crate) use case::{Case, Packing};
pub(crate) use corpus::Corpus;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Both readers accept it, with one answer.
    Same,
    /// Both refuse it.
    Refused,
    /// The project's reader accepts it, and the other leaves it out.
    OursOnly,
    /// The project's reader finds two ways to read it, the other one.
    ReferenceOnly,
}

impl Outcome {
    pub(crate) const ALL: [Self; 4] =
        [Self::Same, Self::Refused, Self::OursOnly, Self::ReferenceOnly];
}

/// Reads one input both ways. Its files are written to `folder`, which should be empty.
pub(crate) fn check(case: &Case, folder: &Path) -> Result<Outcome, String> {
    let path = case.write(folder).map_err(|error| format!("cannot write the input: {error}"))?;
    let ours = catch_unwind(AssertUnwindSafe(|| case.read(&path))).map_err(panic_text)?;
    case.remove(folder);
    let reference = reference::read(case);
    match (ours, reference) {
        (Ok(_), _) if case.packing == Packing::Cut => Err("a cut gzip file was read".to_owned()),
        (Ok(ours), Ok(reference)) => {
            let differences = AssertUnwindSafe(|| compare::compare(case, &ours, &reference));
            catch_unwind(differences).map_err(panic_text)?.map(|()| Outcome::Same)
        }
        (Ok(_), Err(reason)) if reason.contains(reference::LEFT_OUT) => Ok(Outcome::OursOnly),
        (Ok(_), Err(reason)) => Err(format!("read, but the reference refuses it: {reason}")),
        (Err(ReadError::SeparatorInDoubt { .. } | ReadError::HeaderInDoubt { .. }), Ok(_)) => {
            Ok(Outcome::ReferenceOnly)
        }
        (Err(error), Ok(_)) => Err(format!("refused, but the reference reads it: {error}")),
        (Err(_), Err(_)) => Ok(Outcome::Refused),
    }
}

/// What the two readers say about an input that is not an error of the fuzzer's.
pub(crate) fn explain(case: &Case, folder: &Path) -> String {
    let ours = case.write(folder).map(|path| match case.read(&path) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    });
    case.remove(folder);
    let reference = reference::read(case).err().unwrap_or("accepted");
    format!("reader: {}\nreference: {reference}\n", ours.unwrap_or_else(|error| error.to_string()))
}

fn panic_text(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}
