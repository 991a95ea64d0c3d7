#!/usr/bin/env bash
# Mutated manifests through the gate: a few thousand runs in the debug build that the tests made. `make fuzz` makes
# 200,000 in a release build.
#
#   fuzz.sh [runs]
#
# First it is seen that a crash, a hang and a leak in a run are told, with their inputs, and that the rest goes on.
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
cd "$root"
runs=${1:-4000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The other benchmarks too: nothing else compiles them.
fuzz=$(Scripts/build-benchmarks.sh)/schemagen-fuzz

# Puts the fault $1 into run 5 of 8; it has to be told with the words $2, the input kept, and all eight made.
planted() {
  local status=0
  "$fuzz" --runs 8 --plant "$1:5" --patience "$3" --output "$scratch/$1" \
    >"$scratch/output" 2>&1 || status=$?
  cat "$scratch/output"
  [[ $status == 1 ]] && grep -q "^run 5 of seed 1: .*$2" "$scratch/output" &&
    grep -q '^8 runs ' "$scratch/output" && grep -qx 'failures: 1' "$scratch/output" &&
    grep -q "$2" "$scratch/$1/1-5/problem.txt" && ls "$scratch/$1/1-5/"*.yaml >/dev/null
}

# Patience is by the clock: with less, a busy machine would be told of runs that wait for it.
check "a run that traps is a failure with its input" planted trap "Fatal error: planted" 120
check "a run that hangs is a failure with its input" planted hang "takes more than 20.0 s" 20
if [[ -r /proc/self/status ]]; then
  check "a run that takes memory without end is a failure with its input" \
    planted memory "takes more than 512 MiB" 120
fi

# Blocks of 500 runs: the third belongs to the third shard, and to no other.
sharded() {
  local number runs=0
  for number in 1 2 3 4; do
    "$fuzz" --runs 1200 --shard "$number/4" --output "$scratch/shard" >"$scratch/shard-$number"
    cat "$scratch/shard-$number"
    runs=$((runs + $(sed -n 's/^shard [0-9/]*: \([0-9]*\) runs .*/\1/p' "$scratch/shard-$number")))
  done
  [[ $runs == 1200 ]] && grep -q '^shard 3/4: 200 runs ' "$scratch/shard-3" &&
    grep -q '^shard 4/4: 0 runs ' "$scratch/shard-4" &&
    ! "$fuzz" --shard 0/4 --runs 1 2>"$scratch/refused" && grep -q 'are 1/4 to 4/4' "$scratch/refused"
}
check "shards make all runs together, and each its own" sharded

fuzzed() {
  "$fuzz" --runs "$runs" --output .build/fuzz | tee "$scratch/summary"
}
check "$runs mutated folders" fuzzed
sed 's/^/      /' "$scratch/summary"

echo "$passed passed, $failed failed"
[[ "$failed" == 0 ]]
