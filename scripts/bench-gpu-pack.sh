#!/usr/bin/env bash
# Measures updates of the slab graph on this machine's GPU, from a pack.
#
#   ./bench.sh FOLDER           writes a table and a JSON object a graph there
#
# Every figure of `docs/BENCHMARKS.md` that is about updates comes from here.
set -uo pipefail
pack=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?the folder to write to}
export MEERKAT_CACHE_DIR=${MEERKAT_CACHE_DIR:-$pack/cache}
mkdir -p "$out"
failed=0

# measure NAME ARGUMENTS...
measure() {
    local name=$1
    shift
    echo "== $name: meerkat bench updates $*"
    if "$pack/programs/meerkat" bench updates --device cuda:0 "$@" --json >"$out/updates-$name.json"; then
        python3 - "$out/updates-$name.json" <<'PYTHON' || cat "$out/updates-$name.json"
import json, sys
found = json.load(open(sys.argv[1]))["result"]
print("build %.2f ms, %.0f MEdge/s; %.1f bytes an arc (CSR %.1f), chains %.2f / %d" % (
    found["build"]["ms"], found["build"]["medge_per_s"], found["memory"]["bytes_per_edge"],
    found["memory"]["csr_bytes_per_edge"], found["memory"]["mean_chain"],
    found["memory"]["longest_chain"]))
names = ["insert", "query", "miss", "delete", "apply"]
print("%9s" % "MEdge/s", *("%8s" % name for name in names))
for row in found["batches"]:
    print("%9d" % row["updates"], *("%8.0f" % row[name]["medge_per_s"] for name in names))
for row in found["vertices"]:
    print("%d vertices, %d arcs: %.2f ms, %.1f MVertex/s" % (
        row["vertices"], row["edges"], row["delete"]["ms"], row["delete"]["mvertex_per_s"]))
PYTHON
    else
        failed=1
    fi
}

measure uniform --graph uniform:10000000:80000000
measure rmat --graph rmat:22:67108864
measure uniform-u32 --graph uniform:10000000:80000000 --weighted --vertices 65536
measure rmat-u32 --graph rmat:22:67108864 --weighted --vertices 65536
measure grid --graph grid:4096x4096:30:10 --batches 65536,1048576 --vertices 65536,1048576
for file in soc-Slashdot0902.txt.gz cnr-2000.mtx.gz USA-road-FLA.mtx.gz delaunay_n16.mtx.gz astro-ph.mtx.gz; do
    [ -e "$pack/shared/data/$file" ] || continue
    measure "${file%%.*}" --graph "$pack/shared/data/$file" --batches 65536 --vertices 1024 --rounds 3
done
exit "$failed"
