//! That the mutants of `tests/mutation` still fit the macros.

use crate::mutation;
use std::path::Path;

#[test]
fn every_mutant_has_its_place_in_the_macros() {
    let macros = Path::new(env!("CARGO_MANIFEST_DIR")).join("meerkat-macros/src");
    let problems = mutation::problems(&macros);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
