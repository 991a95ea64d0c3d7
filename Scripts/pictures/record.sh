#!/usr/bin/env bash
# Records what a terminal shows of the rehearsal in the picture of docs/rehearsal.md.
#
#   record.sh [--check]
#
# SCHEMAGEN   the binary; without it the checkout's own debug build
# WORK        the folder of the rehearsal's builds; without it .build/rehearsal
#
# With --check nothing is written, and a recording that differs in more than time and memory is an error.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$root"
recording=Scripts/pictures/rehearsal.ansi
command=(schemagen rehearse --schemas Tests/Support/Fixtures/Stash --quiet)

# A terminal of its own, or there would be no colours. The rehearsal ends with 1: it finds what it is there to find.
shown() {
  echo "$ ${command[*]}"
  env -u NO_COLOR -u CLICOLOR -u COLUMNS TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
    "${SCHEMAGEN:-.build/debug/schemagen}" "${command[@]:1}" --work "${WORK:-.build/rehearsal}" </dev/null | tr -d '\r'
}

unmeasured() { sed -E 's/[0-9.]+ s, at most [0-9]+ MiB/N s, at most N MiB/' "$@"; }

if [[ ${1:-} == --check ]]; then
  diff <(unmeasured "$recording") <(shown | unmeasured) >&2 ||
    fail "$recording is not what the command prints: run Scripts/pictures/record.sh, then 'make pictures'"
else
  shown >"$recording"
fi
