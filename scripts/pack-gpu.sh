#!/usr/bin/env bash
# Packs the tests, the benches, the examples and the `meerkat` command in one
# folder, to be run on a GPU host that has no Rust. There: `gpu-pack/run.sh`.
#
#   scripts/pack-gpu.sh               with the graphs of the repository
#   scripts/pack-gpu.sh --with-data   with the large graphs beside it as well
#
# The host needs the NVIDIA driver, libnvrtc on the loader's path and a C
# library no older than this machine's.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pack=gpu-pack
data=../shared/data
# The graphs beside the repository are 26 MiB of their own.
limit_mib=50
# Tests of no use on a GPU host: they test the compiler or compare files of the
# source tree, with rustc or cargo at hand. Patterns of package.kind.name.
excluded=(
    'meerkat-macros.*'
    '*.test.refused' '*.test.fuzz_smoke'
    '*.test.snapshots' '*.test.readers' '*.test.papers' '*.test.mutation_list' '*.test.rooms'
)

with_data=false
case "${1-}" in
    '') ;;
    --with-data) with_data=true ;;
    *)
        sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
if $with_data && [ ! -d "$data" ]; then
    echo "error: $data is not there" >&2
    exit 2
fi

$with_data && limit_mib=60

is_excluded() {
    local pattern
    for pattern in "${excluded[@]}"; do
        # shellcheck disable=SC2053  # a pattern, not a string
        [[ $1 == $pattern ]] && return 0
    done
    return 1
}

# Prints `package.kind.name<TAB>path` for every program that cargo reports.
programs() {
    python3 -c '
import json, subprocess, sys
metadata = subprocess.check_output(["cargo", "metadata", "--no-deps", "--format-version=1"])
packages = {package["id"]: package["name"] for package in json.loads(metadata)["packages"]}
for line in sys.stdin:
    message = json.loads(line)
    if message["reason"] != "compiler-artifact" or not message["executable"]:
        continue
    kind, name = message["target"]["kind"][0], message["target"]["name"]
    if message["profile"]["test"] and kind != "bench":
        kind = {"bin": "bin-test", "lib": "lib-test", "proc-macro": "lib-test"}.get(kind, kind)
    print(packages[message["package_id"]], kind, name, sep=".", end="\t")
    print(message["executable"])
'
}

build() {
    local only=(--no-run --message-format=json-render-diagnostics)
    cargo test --workspace --release "${only[@]}"
    cargo bench --workspace --bench '*' "${only[@]}"
}
found=$(build | programs | sort -u)

rm -rf "$pack"
mkdir -p "$pack"/{tests,programs,root/tests}
while IFS=$'\t' read -r name path; do
    if is_excluded "$name"; then
        echo "left out  $name"
        continue
    fi
    case "$name" in
        *.bin.*) target="$pack/programs/${name##*.}" ;;
        *.bench.* | *.example.*) target="$pack/programs/${name#*.}" ;;
        *) target="$pack/tests/$name" ;;
    esac
    strip -o "$target" "$path"
    echo "packed    ${target#"$pack"/}"
done <<<"$found"

cp -r tests/graphs "$pack/root/tests/"
if $with_data; then
    # Tests look for it beside their root, as beside the repository.
    mkdir -p "$pack/shared"
    cp -r "$data" "$pack/shared/data"
    chmod -R u+w "$pack/shared"
fi
cp scripts/run-gpu-pack.sh "$pack/run.sh"
cp scripts/bench-gpu-pack.sh "$pack/bench.sh"
cp scripts/sanitize-gpu-pack.sh "$pack/sanitize.sh"
chmod +x "$pack/run.sh" "$pack/bench.sh" "$pack/sanitize.sh"

size_mib=$(($(du -sk "$pack" | cut -f1) / 1024 + 1))
echo "$pack: $size_mib MiB"
if [ "$size_mib" -ge "$limit_mib" ]; then
    echo "error: the pack must stay under $limit_mib MiB" >&2
    exit 1
fi
