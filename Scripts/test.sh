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

# ended STATUS SECONDS COMMAND…
ended() {
  local status=$1 seconds=$2
  shift 2
  times+=("$((seconds / 60)):$(printf %02d $((seconds % 60)))  $*")
  ((status == 0)) || failures+=("$*")
}

step() {
  local start=$SECONDS status=0
  echo
  echo "=== $*"
  "$@" || status=$?
  ended "$status" $((SECONDS - start)) "$@"
}

step swift test
if [[ $(uname -s) == Linux ]]; then step Scripts/apple.py; fi

# These build nothing, and one core is enough for them: they run beside the others, and are shown at the end.
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT
besides=(Tests/Integration/{adopt,ci,comment,docs,hooks,kill,markdown,pages,release,report,terminal}.sh
  Tests/Attack/attack.py)
binary=$(swift build --show-bin-path)/schemagen
for script in "${besides[@]}"; do
  start=$SECONDS status=0
  SCHEMAGEN=${SCHEMAGEN:-$binary} "$script" >"$aside/${script##*/}" 2>&1 || status=$?
  echo "$status $((SECONDS - start))" >"$aside/${script##*/}.ended"
done &

step Tests/SwiftDataInterface/selftest.sh --cache .build/integration/interface
step .build/tools/bin/python Tests/SchemaFiles/validate.py
step .build/tools/bin/python Tests/SchemaFiles/validate_reports.py
for script in Tests/Integration/*.sh; do
  case " ${besides[*]} " in
  *" $script "*) ;;
  *) step "$script" ;;
  esac
done
step Scripts/experiments.sh
step Experiments/check-interface.sh
step Scripts/architecture.py --check
step Scripts/words.py --check
step Scripts/format.sh lint

wait
for script in "${besides[@]}"; do
  echo
  echo "=== $script"
  cat "$aside/${script##*/}"
  # Failed, if it did not come to its end.
  status=1 seconds=0
  read -r status seconds <"$aside/${script##*/}.ended"
  ended "$status" "$seconds" "$script"
done

echo
printf '%s\n' "minutes:" "${times[@]}"
if ((${#failures[@]})); then
  printf 'failed: %s\n' "${failures[@]}"
  exit 1
fi
echo "all tests passed"
