//! `meerkat bench ranks` as a user meets it.

use crate::support::command::run;

#[test]
fn a_bench_over_ranks_has_every_figure_on_the_cpu() {
    let words = "bench ranks --graph rmat:8 --ranks 3 --batch 64 --followed 32 --rounds 1";
    let found = run(words.split_whitespace().chain(["--json"])).json();
    assert_eq!(found["graph"]["name"], "rmat:8:4096");
    let rows = found["result"]["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 7);
    for row in rows {
        let [one, ranks, times] = ["one_ms", "ranks_ms", "times"].map(|name| row[name].as_f64());
        let of = one.zip(ranks).map(|(one, ranks)| one / ranks);
        assert!(times > Some(0.0) && of.zip(times).is_some_and(|(a, b)| (a - b).abs() < 1e-9));
    }
    let table = run(words.split_whitespace().chain(["--ownership", "range"]));
    assert_eq!(table.code, Some(0), "{}", table.stderr);
    assert!(table.stdout.contains("3 ranks by ranges of ids"), "{}", table.stdout);
    assert!(table.stdout.contains("wcc follows"), "{}", table.stdout);
}

#[test]
fn a_bench_over_no_ranks_or_of_too_many_deletions_is_refused_with_the_way_out() {
    run("bench ranks --graph rmat:8".split_whitespace())
        .assert_refused(2, &["--ranks", "--devices"]);
    run("bench ranks --graph rmat:8 --ranks 2 --batch 4000".split_whitespace())
        .assert_refused(2, &["rmat:8:4096 has 4096 edges", "make --batch"]);
}
