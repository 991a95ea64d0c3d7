#!/usr/bin/env bash
# Every test there is. `make test` runs it after installing what it needs.
#
#   test.sh
#
# Goes on after a failure, so that one run tells all; exits 1 when anything failed.
set -uo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root" || exit 1

failures=()
times=()

step() {
  local start=$SECONDS
  echo
  echo "=== $*"
  "$@" || failures+=("$*")
  times+=("$(((SECONDS - start) / 60)):$(printf %02d $(((SECONDS - start) % 60)))  $*")
}

step swift test
step Tests/SwiftDataInterface/selftest.sh --cache .build/integration/interface
step .build/tools/bin/python Tests/SchemaFiles/validate.py
step .build/tools/bin/python Tests/SchemaFiles/validate_reports.py
for script in Tests/Integration/*.sh; do step "$script"; done
step Scripts/architecture.py --check
step Scripts/format.sh lint

echo
printf '%s\n' "minutes:" "${times[@]}"
if ((${#failures[@]})); then
  printf 'failed: %s\n' "${failures[@]}"
  exit 1
fi
echo "all tests passed"
