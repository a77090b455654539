#!/usr/bin/env bash
# Runs packed tests on this machine's GPU under compute-sanitizer, side by side.
#
#   ./sanitize.sh               memcheck, then racecheck
#   ./sanitize.sh memcheck      bad addresses, in all suites that are listed below
#   ./sanitize.sh racecheck     hazards in shared memory, where kernels use it
#
# Fewer sequences than the suites have otherwise: the sanitizer makes kernels 10 to 50 times
# slower. A run may take MEERKAT_SANITIZE_SECONDS, 140 unless it is set. The last line is
# `N clean, N not`, and the exit status is 1 if anything was not clean or not done.
set -uo pipefail
pack=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=${MEERKAT_SANITIZE_SECONDS:-140}
logs=${MEERKAT_TEST_LOGS:-$pack/logs}

# A test program and the tests of it: parts of their names.
memcheck=(
    'graph sequences_without_weights_on_cuda'
    'graph sequences_of_u32_on_cuda'
    'graph slab_updates::'
    'graph an_exhausted_pool compaction_flushes an_incremental_build work_in_flight'
    'graph random_graph_200v exactly_full a_hub_of'
    'graph batches::'
    'language schedules::'
    'language blocks:: tiles:: warp::'
    'language operators:: lookups:: accumulations::'
    'algorithms search_streams::bfs'
    'algorithms search_streams::sssp_with_weights'
    'algorithms components_follow'
    'algorithms triangles_follow'
    'algorithms pagerank_of_small_graphs a_source_with_a_self_loop'
)
racecheck=(
    'graph sequences_without_weights_on_cuda'
    'graph random_graph_200v_3000e_with'
    'language schedules::'
    'language blocks::'
    'algorithms search_streams::bfs'
    'algorithms search_streams::sssp_with_weights_1'
    'algorithms components_follow'
    'algorithms triangles_follow'
    'algorithms pagerank_of_small_graphs a_source_with_a_self_loop'
)

export MEERKAT_REQUIRE_CUDA=1
export MEERKAT_MODEL_SEQUENCES=${MEERKAT_MODEL_SEQUENCES:-6}
export MEERKAT_SEQUENCES=${MEERKAT_SEQUENCES:-2}
export MEERKAT_TEST_ROOT=${MEERKAT_TEST_ROOT:-$pack/root}
export MEERKAT_CACHE_DIR=${MEERKAT_CACHE_DIR:-$pack/cache}

sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
if [ ! -x "$sanitizer" ]; then
    echo "error: compute-sanitizer is not there; it comes with the CUDA toolkit" >&2
    exit 2
fi

# sanitize TOOL PROGRAM TESTS...: one run, to its log; prints a line.
sanitize() {
    local tool=$1 program=$2 began=$SECONDS
    shift 2
    local log="$logs/$tool-$program-${1-all}.log"
    log=${log//::/}
    # The suites ask for what the driver refuses; that is no error of theirs.
    timeout "$seconds" "$sanitizer" --tool "$tool" --error-exitcode 9 --report-api-errors no \
        "$pack/tests/meerkat.test.$program" --test-threads=1 "$@" >"$log" 2>&1
    local status=$?
    local ran verdict
    ran=$(sed -n 's/^test result: .* \([0-9]* passed; [0-9]* failed\).*/\1/p' "$log")
    verdict=$(grep -E 'SUMMARY:' "$log" | tail -n 1 | sed 's/^=* *//')
    case $status in
        0) echo "clean     $tool $program $*: $ran, $((SECONDS - began)) s; $verdict" ;;
        124) echo "NOT DONE  $tool $program $*: stopped after $seconds s; ${verdict:-no verdict}" ;;
        *)
            echo "NOT CLEAN $tool $program $*: exit status $status; ${ran:-no result}; $verdict"
            grep -E '^========= |panicked' "$log" | head -n 12 | sed 's/^/    | /'
            ;;
    esac
}

tools=("$@")
[ $# -gt 0 ] || tools=(memcheck racecheck)
mkdir -p "$logs"
verdicts=$(mktemp)
cd "$MEERKAT_TEST_ROOT" || exit 2
for tool in "${tools[@]}"; do
    case $tool in
        memcheck | racecheck) ;;
        *)
            echo "error: no such tool: $tool; there are memcheck and racecheck" >&2
            exit 2
            ;;
    esac
    declare -n runs=$tool
    for run in "${runs[@]}"; do
        # shellcheck disable=SC2086  # a program and its tests
        sanitize "$tool" $run >>"$verdicts" &
    done
    wait
done
cat "$verdicts"
clean=$(grep -c '^clean' "$verdicts")
bad=$(grep -c '^NOT' "$verdicts")
rm -f "$verdicts"
echo "$clean clean, $bad not"
[ "$bad" -eq 0 ]
