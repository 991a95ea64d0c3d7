#!/usr/bin/env bash
# Times whole commands of a release build, and prints a table in Markdown.
#
#   benchmark.sh lint [MODELS]               beside `buf breaking`, and other commands that read a whole history
#   benchmark.sh rehearsal [RUNS]            of the example: with nothing built, and with all of it built
#   benchmark.sh serve [MODELS [VERSIONS]]   from a keystroke to the findings
#   benchmark.sh sources [FILES]             `lint-code` beside ripgrep and ast-grep, and `snapshot`
#   benchmark.sh stores [STORE [RUNS]]       backing up, restoring and inspecting a store of 1 GB beside `.backup`
#   benchmark.sh trace [COMMITS [MODELS]]    in a long history
#
# CONFIGURATION   debug for that build; `sources` measures both without it
# SCHEMAGEN       a binary with its sisters beside it: it is measured, and nothing is built
#
# The programs are in Benchmarks/Commands. Needs python3; `stores` also sqlite3, GNU time, and 4 GB where TMPDIR is.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"
name=${1:-}
configuration=${CONFIGURATION:-release}
work=$(mktemp -d)
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT

# built PRODUCT…: the folder in which they are.
built() {
  local product
  if [[ -n ${SCHEMAGEN:-} ]]; then
    (cd "$(dirname "$SCHEMAGEN")" && pwd)
    return
  fi
  for product in "$@"; do swift build --quiet -c "$configuration" --product "$product" >&2; done
  swift build -c "$configuration" --show-bin-path
}
synthetic() { "$(Scripts/build-benchmarks.sh --product schemagen-benchmark)/schemagen-benchmark" "$@"; }
python() { .build/tools/bin/python "Benchmarks/Commands/$1.py" "${@:2}"; }

lint() {
  Scripts/install-python-tools.sh --with-buf
  local models=${1:-200} folder
  folder=$(built schemagen)
  synthetic --write "$work" "$models"
  python lint "$folder/schemagen" .build/tools/bin/buf "$work" "$models" "$configuration"
}

rehearsal() {
  local runs=${1:-3} folder run name
  folder=$(built schemagen)
  for ((run = 0; run < runs; run++)); do
    rm -rf "$work/cache"
    for name in first again; do
      # Processor time is that of all processes, compilers included.
      env time -f '%e %U %S' -o "$work/$name" -a \
        "$folder/schemagen" rehearse --quiet --schemas Schemas/Ritualist --work "$work/cache" >"$work/report" ||
        fail "the rehearsal failed: $(cat "$work/report")"
    done
  done
  echo "| rehearsal | seconds | target | processor seconds |"
  echo "|---|---|---|---|"
  row first 15
  row again 5
}
# NAME TARGET: a row with the medians of what `$work/NAME` has.
row() {
  echo "| $1 | $(cut -d' ' -f1 "$work/$1" | median) | $2 | $(awk '{ print $2 + $3 }' "$work/$1" | median) |"
}
median() { sort -n | awk '{ values[NR] = $1 } END { print values[int((NR + 1) / 2)] }'; }

serve() {
  python3 Benchmarks/Commands/serve.py "$(built schemagen schemagen-sources)/schemagen" "$work" "${1:-200}" "${2:-20}"
}

sources() {
  Scripts/install-python-tools.sh --with-search
  local files=${1:-5000} commands=()
  for configuration in ${CONFIGURATION:-release debug}; do
    commands+=("$configuration=$(built schemagen-sources)/schemagen-sources")
  done
  synthetic --sources "$files" --write "$work"
  python lint_code "$root/.build/tools/bin" "$work" "$files" "${commands[@]}"
  python snapshot "$work" "$files" "${commands[@]}"
}

stores() {
  local store=${1:-Examples/Plants/Stores/plants.store}
  runs=${2:-5} binaries=$(built schemagen backup-stand-in)
  cp "$store" "$work/big.store"
  chmod u+w "$work/big.store"
  python3 Benchmarks/Commands/fill.py "$work/big.store"
  echo "store: $(stat -c %s "$work/big.store") bytes"
  plain=0
  measure .backup - sqlite3 "$work/big.store" ".backup '$work/x.sqlite'"
  measure sha256sum - sha256sum "$work/big.store"
  measure create 2.5 "$binaries/backup-stand-in" create "$work/big.store"
  measure restore - "$binaries/backup-stand-in" restore "$work/big.store"
  measure inspect - "$binaries/schemagen" inspect "$work/big.store"
}
# NAME TARGET COMMAND…: the median time of `runs` runs, how often that of `.backup` it is and is to be at most, and the
# greatest peak memory.
measure() {
  local name=$1 target=$2 run
  shift 2
  for ((run = 0; run < runs; run++)); do
    rm -rf "$work/x.sqlite" "$work/Backups"
    if [[ $name == restore ]]; then "$binaries/backup-stand-in" create "$work/big.store" >"$work/made"; fi
    /usr/bin/time -f '%e %M' -o "$work/time" -a "$@" >"$work/out" 2>&1 || [[ $name == inspect ]]
    rm -f "$work"/big_replaced_*
  done
  sort -n "$work/time" | awk -v name="$name" -v plain="$plain" -v target="$target" '
    !/^[0-9]/ { next }
    { times[++count] = $1; if ($2 > memory) memory = $2 }
    END {
      median = times[int((count + 1) / 2)]
      printf "%-10s %6.2f s   %4d MB", name, median, memory / 1024
      if (plain > 0) printf "   %4.1f × .backup", median / plain
      if (target != "-") printf " (target: %s)", target
      printf "\n"
    }' | tee "$work/line"
  if [[ $name == .backup ]]; then plain=$(awk '{ print $2 }' "$work/line"); fi
  rm "$work/time"
}

trace() {
  python3 Benchmarks/Commands/trace.py "$(built schemagen-sources)/schemagen-sources" "$work" "${1:-1000}" "${2:-40}"
}

case $name in
lint | rehearsal | serve | sources | stores | trace) "$name" "${@:2}" ;;
*) fail "usage: benchmark.sh lint|rehearsal|serve|sources|stores|trace [ARGUMENT…]" ;;
esac
