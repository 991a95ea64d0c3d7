#!/usr/bin/env bash
# Times a rehearsal of the example: with nothing built, and with all of it built. Prints a table in Markdown.
#
#   Scripts/benchmark-rehearsal.sh [RUNS]
#
# Processor time is that of all processes, compilers included.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"
runs=${1:-3}
swift build --quiet -c release --product schemagen >&2
schemagen=$(swift build -c release --show-bin-path)/schemagen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# NAME TARGET: a row with the medians of what `$work/NAME` has.
row() {
  local wall processor
  wall=$(cut -d' ' -f1 "$work/$1" | sort -n | sed -n "$(((runs + 1) / 2))p")
  processor=$(awk '{ print $2 + $3 }' "$work/$1" | sort -n | sed -n "$(((runs + 1) / 2))p")
  echo "| $1 | $wall | $2 | $processor |"
}
for ((run = 0; run < runs; run++)); do
  rm -rf "$work/cache"
  for name in first again; do
    env time -f '%e %U %S' -o "$work/$name" -a \
      "$schemagen" rehearse --quiet --schemas Schemas/Ritualist --work "$work/cache" >"$work/report" ||
      fail "the rehearsal failed: $(cat "$work/report")"
  done
done
echo "| rehearsal | seconds | target | processor seconds |"
echo "|---|---|---|---|"
row first 15
row again 5
