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
runs=${1:-4200}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The other benchmarks too: nothing else compiles them.
fuzz=$(Scripts/build-benchmarks.sh)/schemagen-fuzz

# Puts the fault $1 into run 5 of 8; it has to be told with the words $2, the input kept, and all eight made.
planted() {
  local status=0 output=$scratch/$1.said
  "$fuzz" --runs 8 --plant "$1:5" --patience "$3" --output "$scratch/$1" >"$output" 2>&1 || status=$?
  cat "$output"
  [[ $status == 1 ]] && grep -q "^run 5 of seed 1: .*$2" "$output" &&
    grep -q '^8 runs ' "$output" && grep -qx 'failures: 1' "$output" &&
    grep -q "$2" "$scratch/$1/1-5/problem.txt" && ls "$scratch/$1/1-5/"*.yaml >/dev/null
}

# Patience is by the clock: with less, a busy machine would be told of runs that wait for it. Others run meanwhile.
planted hang "takes more than 20.0 s" 20 >"$scratch/hanging" 2>&1 &
hanging=$!
hung() {
  local status=0
  wait "$hanging" || status=$?
  cat "$scratch/hanging"
  return "$status"
}
check "a run that traps is a failure with its input" planted trap "Fatal error: planted" 120
if [[ -r /proc/self/status ]]; then
  check "a run that takes memory without end is a failure with its input" \
    planted memory "takes more than 512 MiB" 120
fi

fuzzed() {
  "$fuzz" --runs "$runs" --shard "$1/2" --output .build/fuzz | tee "$scratch/shard-$1"
}
for number in 1 2; do
  check "$runs mutated folders: shard $number of 2" fuzzed "$number"
  sed 's/^/      /' "$scratch/shard-$number"
done

# Blocks of 500 runs, dealt in turn.
sharded() {
  local start dealt=(0 0)
  for ((start = 0; start < runs; start += 500)); do
    ((dealt[start / 500 % 2] += runs - start < 500 ? runs - start : 500))
  done
  grep -q "^shard 1/2: ${dealt[0]} runs " "$scratch/shard-1" &&
    grep -q "^shard 2/2: ${dealt[1]} runs " "$scratch/shard-2" &&
    "$fuzz" --runs 1200 --shard 4/4 --output "$scratch/shard" | grep '^shard 4/4: 0 runs ' &&
    ! "$fuzz" --shard 0/4 --runs 1 2>"$scratch/refused" && grep -q 'are 1/4 to 4/4' "$scratch/refused"
}
check "shards make all runs together, and each its own" sharded
check "a run that hangs is a failure with its input" hung

echo "$passed passed, $failed failed"
[[ "$failed" == 0 ]]
