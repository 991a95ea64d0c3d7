#!/usr/bin/env bash
# Every test there is. `make test` runs it after installing the libraries that it needs.
#
#   test.sh [--record]   --record writes what each took into the table of CONTRIBUTING.md
#
# First all is built, then three run at a time: most of them wait for programs more than they compute. What builds with
# SwiftPM is one after the other, since SwiftPM lets nobody else into its folder. So the tests are run without it, as
# `swift test` would run them: that locks the folder to its end where it is the first, with --ignore-lock too.
# Goes on after a failure, so that one run tells all; exits 1 when anything failed.
set -uo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root" || exit 1

python=.build/tools/bin/python
binary=$(swift build --show-bin-path)/schemagen
export SCHEMAGEN=${SCHEMAGEN:-$binary}

# The longest first, so that nothing waits for it at the end.
beside=(
  ".build/debug/schemagenPackageTests.xctest --testing-library swift-testing"
  "Tests/Integration/rehearse.sh"
  "Tests/Integration/fuzz.sh; Tests/Integration/swiftpm.sh; Scripts/experiments.sh; Tests/Integration/docs.sh; Tests/Integration/packages.sh --if-changed"
  "Tests/Integration/pages.sh"
  "Tests/Integration/kill.sh"
  "Tests/Integration/release.sh"
  "Tests/Integration/adopt.sh"
  "Tests/Attack/attack.py"
  "Tests/Integration/comment.sh"
  "Scripts/apple.py"
  "Tests/Integration/apple.sh"
  "Tests/Integration/plugin.sh"
  "Tests/Integration/hooks.sh"
  "Tests/Integration/markdown.sh"
  "Tests/Integration/shells.sh"
  "Tests/Integration/terminal.sh"
  "Tests/Integration/serve.sh"
  "Tests/Integration/ci.sh; Tests/Integration/vscode.sh"
  "Tests/Integration/report.sh"
  "Tests/Integration/rules.sh"
  "Experiments/check-interface.sh"
  "Tests/Support/SwiftDataInterface/selftest.sh --cache .build/integration/interface"
  "$python Tests/SchemaFiles/validate.py"
  "$python Tests/SchemaFiles/validate_reports.py"
  "Scripts/architecture.py --check"
  "Scripts/rules.py --check"
  "Scripts/keys.py --check"
  "Scripts/words.py --check"
  "Scripts/format.sh lint"
)
if [[ $(uname -s) != Linux ]]; then
  beside[0]="swift test --skip-build --ignore-lock"
  beside=("${beside[@]/Scripts\/apple.py/true}")
fi

# run FOLDER COMMANDS: each of them, to its end. In the folder: what it said, its status, its seconds by the clock and on
# the processor.
if [[ ${1:-} == --run ]]; then
  folder=$2
  while IFS= read -r -d ';' command; do
    command=${command# }
    log=$folder/$(tr -c 'A-Za-z0-9\n' _ <<<"$command")
    TIMEFORMAT='%R %U %S'
    status=0
    # Its words are the list's above: none has a space in it.
    # shellcheck disable=SC2086
    { time $command >"$log.said" 2>&1 </dev/null; } 2>"$log.times" || status=$?
    awk -v status="$status" '{ print status, $1, $2 + $3 }' "$log.times" >"$log.ended"
    echo "$((status ? 1 : 0)) ${command}" | sed 's/^0/    ended /; s/^1/    FAILED/' >&2
  done <<<"$3;"
  exit 0
fi

# A function, which bash reads whole: the script may be edited while it runs.
main() {
  # In memory where there is room: thousands of small files are made, and on a disk that alone takes minutes.
  if (($(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }') + 0 > 4000000)); then TMPDIR=/dev/shm; fi
  TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/schemagen-test.XXXXXX")
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
  # Itself, where it is called by way of pyenv: that takes a tenth of a second for each of hundreds of calls.
  PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
  logs=$TMPDIR/logs
  mkdir "$logs"
  scripts=(Tests/Integration/*.sh)
  for script in "${scripts[@]}"; do
    [[ " ${beside[*]} " == *"$script"* ]] || fail "$script is in none of the lists of test.sh"
  done

  # Beside the build, for it waits for the network.
  Scripts/install-python-tools.sh --with-docs >"$TMPDIR/tools" 2>&1 &
  local tools=$!
  # As in .ci/run. Without it all that a plugin's program is made of is compiled a second time.
  export SCHEMAGEN_PLUGINS=0
  swift build --build-tests || exit 1
  if ! wait "$tools"; then
    cat "$TMPDIR/tools" >&2
    fail "Python's tools could not be installed"
  fi
  printf '%s\0' "${beside[@]}" | xargs -0 -n 1 -P 3 "$0" --run "$logs"

  failures=()
  rows=()
  IFS=';' read -r -a commands <<<"$(IFS=';' && echo "${beside[*]}")"
  for command in "${commands[@]}"; do
    command=${command# }
    log=$logs/$(tr -c 'A-Za-z0-9\n' _ <<<"$command")
    echo
    echo "=== $command"
    cat "$log.said"
    # Failed, if it did not come to its end.
    status=1 seconds=0 processor=0
    read -r status seconds processor <"$log.ended"
    rows+=("$(printf '%6.0f %6.0f  %s' "$seconds" "$processor" "$command")")
    ((status == 0)) || failures+=("$command")
  done

  echo
  echo "seconds by the clock, of the processor:"
  printf '%s\n' "${rows[@]}" | sort -rn
  echo "$((SECONDS / 60)):$(printf %02d $((SECONDS % 60))) min"
  if [[ ${1:-} == --record ]]; then Scripts/checks.py <<<"$(printf '%s\n' "${rows[@]}")"; fi
  if ((${#failures[@]})); then
    printf 'failed: %s\n' "${failures[@]}"
    exit 1
  fi
  echo "all tests passed"
}

main "$@"
