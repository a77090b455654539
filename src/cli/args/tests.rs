//! Lines that users type: what is accepted, and what is refused.

use clap::error::ErrorKind;

use super::*;

fn parsed(line: &str) -> Result<ArgMatches, ErrorKind> {
    let words: Vec<_> = line.split_whitespace().map(OsString::from).collect();
    matches(&words).map_err(|error| error.kind())
}

#[test]
fn the_command_definition_is_sound() {
    command().debug_assert();
}

#[test]
fn every_option_of_every_algorithm_is_accepted_in_long_and_in_short() {
    let files = "--format csv --columns -,source,target --undirected";
    let short = "-f csv -c -,source,target -u";
    let lines = [
        "run bfs --source 7 --tree --device cuda:1 --output out --json --trials 3 --verify",
        "run bfs -s max-degree -d cpu -o - -j -t 2",
        "run sssp --weights native --duplicates last --shift-weights -11.5 --tree",
        "run sssp -w unit -s lowest",
        "run wcc --device auto",
        "run components",
        "run cc",
        "run triangles --output corners.gz",
        "run tc",
        "run pagerank --precision f32 --norm linf --max-iterations 9 --damping 0.5 --dead-ends \
         self-loops --method nd",
        "run pr --iterations 26",
        "stream bfs --batch-size 500 --window 30d --compare-static --time-unit ms --source 3",
        "stream sssp -w synthetic -b 1 --output out-{batch}",
        "stream cc --window 1000",
        "stream tc -j",
        "stream pr --method df --tolerance 1e-9",
    ];
    for line in lines {
        for files in [files, short] {
            let line = format!("meerkat {line} --graph g {files}");
            assert!(parsed(&line).is_ok(), "{line}: {:?}", parsed(&line));
        }
        assert!(parsed(&format!("meerkat {line} -g -")).is_ok(), "{line}");
    }
}

#[test]
fn every_algorithm_has_a_name_of_its_own() {
    let names: Vec<_> = ALL
        .iter()
        .flat_map(|entry| [entry.name()].into_iter().chain(entry.aliases().iter().copied()))
        .collect();
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

#[test]
fn the_other_commands_are_accepted() {
    let lines = [
        "bench updates --graph g --batches 1,2 --vertices 3 --rounds 1 --load-factor 0.9 --weighted",
        "bench memory rmat:4 g --format csv",
        "bench algorithms -g g -a bfs,tc --repeat 2 --undirected",
        "bench dynamic -g g -a pr --kinds mixed --inserted 80 -b 1,2 --orientation out",
        "generate rmat:4 -o out --seed 7 --weighted --json",
        "convert a.csv b.mtx -u --time-unit ms",
        "stats a.csv --directed --json",
        "info --json",
        "show --list",
        "show visit --schedule hybrid --weight u32 --program",
        "show k --native",
        "completions zsh",
        "man stream bfs",
    ];
    for line in lines {
        let line = format!("meerkat {line}");
        assert!(parsed(&line).is_ok(), "{line}: {:?}", parsed(&line));
    }
}

#[test]
fn contradictions_and_gaps_are_refused() {
    use ErrorKind::{ArgumentConflict, MissingRequiredArgument, UnknownArgument, ValueValidation};
    let cases = [
        ("run bfs", MissingRequiredArgument),
        ("run bfs --graph g --directed --undirected", ArgumentConflict),
        ("run bfs --graph g --source highest", ValueValidation),
        ("run bfs --graph g --device gpu", ValueValidation),
        ("run bfs --graph g --format xml", ValueValidation),
        ("run bfs --graph g --columns source", ValueValidation),
        ("run bfs --graph g --time-unit ms", UnknownArgument),
        ("run bfs --graph g --threads 0", ValueValidation),
        ("run pagerank --graph g --iterations 3 --tolerance 1e-3", ArgumentConflict),
        ("stream bfs --graph g --time-unit weeks", ValueValidation),
        ("stream bfs --graph g --batch-size 0", ValueValidation),
        ("stream bfs --graph g --window=-3d", ValueValidation),
        ("stream bfs --graph g --verify", UnknownArgument),
        ("stream wcc --graph g --source 5", UnknownArgument),
        ("stream bfs --graph g --weights unit", UnknownArgument),
        ("stream sssp --graph g --tolerance 1e-3", UnknownArgument),
        ("show", MissingRequiredArgument),
        ("show k --list", ArgumentConflict),
        ("show --list --ptx", ArgumentConflict),
        ("show k --cuda --native", ArgumentConflict),
        ("show k --schedule fast", ValueValidation),
    ];
    for (line, kind) in cases {
        assert_eq!(parsed(&format!("meerkat {line}")).err(), Some(kind), "{line}");
    }
}
