//! Every JSON object of the command is as docs/command.schema.json says, and docs/COMMAND.md
//! names every field of it.

use std::fs;
use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

use crate::support::command::{finish, meerkat};
use crate::support::root;

/// The file of the schema, compiled.
pub(crate) fn schema() -> (Schemas, SchemaIndex) {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let path = root().join("docs/command.schema.json");
    let path = path.to_str().expect("UTF-8");
    let index = compiler.compile(path, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
    (schemas, index)
}

/// The objects that a line prints, with `{folder}` as a folder of its own.
fn objects(line: &str, folder: &Path) -> Vec<Value> {
    let folder = folder.to_str().expect("UTF-8");
    let words = line.split_whitespace().map(|word| word.replace("{folder}", folder));
    let run = finish(meerkat().args(words));
    assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
    let printed = if line.contains("--output -") { run.stderr } else { run.stdout };
    printed.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// A line for each kind of object, and for each field that need not be there.
const LINES: [&str; 30] = [
    "run bfs -g tests/graphs/karate.mtx -d cpu --json --verify --trials 2",
    "run sssp -g tests/graphs/rome99.gr.gz -d cpu --json",
    "run sssp -g {folder}/t.csv -d cpu --json",
    "run wcc -g tests/graphs/example-directed.e -d cpu --json --output -",
    "run triangles -g {folder}/bipartite.txt -d cpu --json",
    "run pagerank -g tests/graphs/karate.mtx -d cpu --json --container compact",
    "run pagerank -g {folder}/t.csv -d cpu --json --precision f32",
    "run ktruss -g tests/graphs/karate.mtx -d cpu --json --k 4 --verify",
    "run ktruss -g {folder}/t.csv -d cpu --json --trials 2 --container compact",
    "run spmv -g tests/graphs/rome99.gr.gz -d cpu --json --verify --trials 2 --container rows",
    "run spmv -g {folder}/t.csv -d cpu --json --precision f32 --seed 1",
    "stream bfs -g {folder}/t.csv -d cpu --json -b 2 --compare-static",
    "stream sssp -g {folder}/t.csv -d cpu --json -b 2 --window 2 --weights synthetic -u",
    "stream wcc -g {folder}/t.csv -d cpu --json --time-unit ms",
    "stream triangles -g {folder}/t.csv -d cpu --json",
    "stream pagerank -g {folder}/t.csv -d cpu --json",
    "stream ktruss -g {folder}/t.csv -d cpu --json --k 3 -b 1",
    "bench updates -g rmat:5 -d cpu --json --batches 8 --vertices 4 --rounds 1 --weighted",
    "bench memory rmat:5 tests/graphs/karate.mtx -d cpu --json",
    "bench updates -g rmat:5 -d cpu --json --batches 8 --vertices 4 --rounds 1 --container blocks",
    "bench memory rmat:5 -d cpu --json --container compact",
    "bench algorithms -g rmat:5 -d cpu --json --repeat 1",
    "bench dynamic -g tests/graphs/karate.mtx -d cpu --json -b 5 --batches 1",
    "bench ranks -g rmat:6 --ranks 2 --json --batch 8 --followed 8 --rounds 1",
    "bench paper meerkat --figure 7a --graphs rmat:5 -d cpu --json --quick --out {folder}/figures",
    "tune --quick --graphs rmat:5,tests/graphs/karate.mtx -b 5 -d cpu --json",
    "generate uniform:50:600 --output {folder}/g.csv.gz -d cpu --json",
    "convert tests/graphs/rome99.gr.gz {folder}/r.csv --json",
    "stats tests/graphs/karate.mtx -d cpu --json",
    "info --json",
];

#[test]
fn every_object_fits_the_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("t.csv"), "1,2,3,10\n2,3,1,20.5\n3,1,4,30\n").expect("a file");
    let bipartite = "% bip unweighted\n1 1\n2 1\n";
    fs::write(folder.path().join("bipartite.txt"), bipartite).expect("a file");
    let (schemas, index) = schema();
    for line in LINES {
        for object in objects(line, folder.path()) {
            let fits = schemas.validate(&object, index);
            assert!(fits.is_ok(), "{line}: {object}\n{:#}", fits.unwrap_err());
        }
    }
}

/// It needs NVRTC, and compiles for some seconds.
#[test]
fn the_object_of_a_bundle_fits_the_schema_and_info_describes_the_file() {
    if !meerkat::testing::nvrtc_is_present() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (schemas, index) = schema();
    let line = "bundle --arch sm_90 --algorithms triangles --output {folder}/k.bundle --json";
    let bundle = objects(line, folder.path()).remove(0);
    let path = folder.path().join("k.bundle");
    let info = finish(meerkat().args(["info", "--json"]).env("MEERKAT_BUNDLE", &path)).json();
    for object in [&bundle, &info] {
        let fits = schemas.validate(object, index);
        assert!(fits.is_ok(), "{object}\n{:#}", fits.unwrap_err());
    }
    let result = &bundle["result"];
    assert_eq!(result["bytes"], fs::metadata(&path).expect("the file").len());
    assert_eq!(result["architectures"], serde_json::json!(["sm_90"]));
    assert!(result["kernels"].as_u64().is_some_and(|kernels| kernels > 20), "{result}");
    let description = info["result"]["bundle"]["description"].as_str().expect("a description");
    assert!(description.starts_with(&format!("{} kernels by", result["kernels"])), "{description}");
}

#[test]
fn the_schema_refuses_what_is_missing_or_unknown() {
    let folder = tempfile::tempdir().expect("a folder");
    let (schemas, index) = schema();
    let object = objects(LINES[0], folder.path()).remove(0);
    for change in [
        |object: &mut Value| object["schema"] = 2.into(),
        |object: &mut Value| object["result"]["reached"] = "34".into(),
        |object: &mut Value| object["result"]["unknown"] = 1.into(),
        |object: &mut Value| drop(object.as_object_mut().map(|object| object.remove("input"))),
    ] {
        let mut changed = object.clone();
        change(&mut changed);
        assert!(schemas.validate(&changed, index).is_err(), "{changed}");
    }
}

/// The names of all fields in a schema.
fn fields(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Object(properties)) = object.get("properties") {
                names.extend(properties.keys().cloned());
            }
            object.values().for_each(|value| fields(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, names)),
        _ => {}
    }
}

#[test]
fn the_manual_names_every_field() {
    let text = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let schema: Value = serde_json::from_str(&text("docs/command.schema.json")).expect("JSON");
    let manual = text("docs/COMMAND.md");
    let mut names = Vec::new();
    fields(&schema, &mut names);
    names.sort();
    names.dedup();
    assert!(names.len() > 50, "{names:?}");
    for name in names {
        assert!(manual.contains(&format!("`{name}`")), "docs/COMMAND.md does not name `{name}`");
    }
}
