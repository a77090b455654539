//! A few kernels of the fuzzer, on the CPU back end: generated, compiled and
//! compared with the interpreter. `tests/fuzz/README.md` says how to run more.

use crate::fuzz;
use crate::project::{Forms, Project, repository};
use std::process::Command;

#[test]
fn sixty_random_kernels_agree_with_the_interpreter() {
    let project = Project {
        root: repository().to_owned(),
        sources: repository().to_owned(),
        out: repository().join("target/fuzz/smoke"),
        seed: 2024,
        kernels: 60,
        per_module: 15,
        parts: 2,
        forms: Forms::All,
        all_schedules: false,
    };
    project.write().expect("the workspace is written");
    assert!(project.build().expect("cargo starts"), "a kernel does not compile");
    for program in project.programs() {
        let output = Command::new(program).output().expect("the program starts");
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.ends_with("30 passed, 0 failed\n"), "{report}");
    }
}

#[test]
fn the_same_seed_gives_the_same_kernel() {
    let source = |seed| fuzz::print::kernel(&fuzz::kernel(seed).0);
    assert_eq!(source(7), source(7));
    assert_ne!(source(7), source(8));
}
