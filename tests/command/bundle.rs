//! `meerkat bundle`, and what the command does with a bundle. There need be no GPU.

use std::fs;

use crate::support::command::{finish, meerkat, run};

#[test]
fn what_cannot_be_bundled_is_refused_before_anything_is_compiled() {
    let cases = [
        ("bundle", "--arch <LIST>"),
        ("bundle --arch 90", "write it as `sm_90`"),
        ("bundle --arch sm_90 --output /nonexistent/k.bundle", "/nonexistent/k.bundle"),
    ];
    for (line, part) in cases {
        if line.contains("--output") && !meerkat::testing::nvrtc_is_present() {
            continue;
        }
        run(line.split_whitespace()).assert_refused(2, &[part]);
    }
    if meerkat::testing::nvrtc_is_present() {
        let line = ["bundle", "--arch", "sm_91", "--output", "/dev/null"];
        run(line).assert_refused(2, &["does not compile for sm_91", "sm_90"]);
        let line = ["bundle", "--arch", "sm_90", "--output", "/dev/null", "--algorithms", "dfs"];
        run(line).assert_refused(2, &["no algorithm `dfs`", "bfs"]);
    }
}

/// The file of a damaged bundle is named, with the way out; what needs no bundle goes on.
#[test]
fn a_damaged_bundle_is_an_error_for_a_gpu_alone() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), "MKBUNDLE, but not what follows it").expect("written");
    let with_bundle = |line: &str| {
        let mut command = meerkat();
        finish(command.args(line.split_whitespace()).env("MEERKAT_BUNDLE", file.path()))
    };
    let path = file.path().display().to_string();
    let graph = "tests/graphs/karate.mtx";
    with_bundle(&format!("run bfs -g {graph} --device cuda"))
        .assert_refused(1, &[&path, "layout", "MEERKAT_BUNDLE", "meerkat bundle"]);
    assert_eq!(with_bundle(&format!("run bfs -g {graph} --device cpu")).code, Some(0));
    let info = with_bundle("info --json").json()["result"]["bundle"].clone();
    assert!(info["problem"].as_str().is_some_and(|problem| problem.contains("layout")), "{info}");
}
