#!/usr/bin/env bash
# Runs every packed test on this machine's GPU and says what ran.
#
#   ./run.sh                    every test program
#   ./run.sh graph command      the programs whose names contain one of these
#   ./run.sh --list             the names alone
#
# A missing GPU is a failure. The last line is `N passed, N failed`, and the
# exit status is 1 if anything failed.
set -uo pipefail
pack=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=${MEERKAT_TEST_SECONDS:-600}
logs=${MEERKAT_TEST_LOGS:-$pack/logs}

chosen=()
for test in "$pack"/tests/*; do
    name=$(basename "$test")
    wanted=false
    [ $# -eq 0 ] || [ "$1" = --list ] && wanted=true
    for part in "$@"; do
        [[ $name == *"$part"* ]] && wanted=true
    done
    $wanted && chosen+=("$test")
done
if [ "${1-}" = --list ]; then
    printf '%s\n' "${chosen[@]##*/}"
    exit 0
fi
if [ ${#chosen[@]} -eq 0 ]; then
    echo "error: no test has a name with: $*" >&2
    exit 2
fi

export MEERKAT_REQUIRE_CUDA=1
export MEERKAT_REQUIRE_NVRTC=1
export MEERKAT_TEST_ROOT="$pack/root"
export MEERKAT_TEST_BINARY="$pack/programs/meerkat"
export MEERKAT_CACHE_DIR=${MEERKAT_CACHE_DIR:-$pack/cache}

echo "GPU:"
nvidia-smi -L 2>&1 || echo "nvidia-smi is not there or fails"
"$MEERKAT_TEST_BINARY" info
echo

mkdir -p "$logs"
all="$logs/all.log"
{ date -u; nvidia-smi -L; } >"$all" 2>&1
cd "$MEERKAT_TEST_ROOT"
passed=0 failed=0 skipped=0

# The sum of the numbers before a word, such as `5 passed`, in the log's results.
count() {
    grep '^test result:' "$2" | grep -o "[0-9]* $1" | awk '{sum += $1} END {print sum + 0}'
}

for test in "${chosen[@]}"; do
    name=$(basename "$test")
    log="$logs/$name.log"
    # These compare with files of the source tree.
    timeout "$seconds" "$test" --test-threads=4 --skip snapshots:: --skip readers:: --skip mutated_files:: >"$log" 2>&1
    status=$?
    { printf '\n== %s\n' "$name"; cat "$log"; } >>"$all"
    ok=$(count passed "$log")
    bad=$(count failed "$log")
    left_out=$(($(count ignored "$log") + $(grep -c '^SKIPPED:' "$log")))
    # A crash or the time limit leaves no result: it counts as one failure.
    [ "$status" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
    echo "$name: $((ok + bad)) ran, $bad failed, $left_out skipped (exit status $status)"
    sed -n 's/^\(SKIPPED:.*\)/    \1/p; s/^\(test .* FAILED\)$/    \1/p' "$log"
    # What the tests themselves report, such as the device they ran on.
    grep -E ' on (cpu|cuda:[0-9]+)' "$log" | sed 's/^/    /'
    if [ "$bad" -gt 0 ]; then
        echo "    the end of $log:"
        tail -n 40 "$log" | sed 's/^/    | /'
    fi
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + left_out))
done

echo
echo "${#chosen[@]} test programs, $skipped tests skipped, every test's name in $all"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
