//! Mistakes that people make when they write operators, and what the compiler
//! says about each: `tests/ui/*/*.rs` beside the expected output. After a
//! change of a message, `TRYBUILD=overwrite cargo test --test compiler refused` writes
//! the outputs anew; read them before they are committed. A program that must compile is
//! in `tests/language/accepted`: one such case here, and each case would be a call of cargo.

/// One folder for each kind of mistake.
const MISTAKES: [&str; 12] = [
    "divergence",
    "races",
    "types",
    "layout",
    "launch",
    "syntax",
    "names",
    "operators",
    "traits",
    "containers",
    "book",
    "soundness",
];

#[test]
fn refused() {
    let cases = trybuild::TestCases::new();
    for folder in MISTAKES {
        cases.compile_fail(format!("tests/ui/{folder}/*.rs"));
    }
}
