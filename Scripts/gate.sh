#!/usr/bin/env bash
# Holds our own manifests against the gate, as users do: every rule, warnings included, and what has
# shipped against git. Reports go to .build/gate.
#
#   gate.sh
#
# GATE_AGAINST   what to compare with; `none` for nothing. Without it: origin/main, or on the main
#                branch itself the commit before
# SCHEMAGEN      the binary; without it the checkout's own debug build
#
# Two fixtures are left out: EveryChange and Stash are made of what the gate objects to.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

if [[ -z ${SCHEMAGEN:-} ]]; then
  swift build --product schemagen
  SCHEMAGEN=$(swift build --show-bin-path)/schemagen
fi

# A repository that git does not open is not one without commits.
git rev-parse --git-dir >/dev/null
commit() { git rev-parse --quiet --verify "$1^{commit}" || true; }

head=$(commit HEAD)
against=${GATE_AGAINST:-}
if [[ -z $against ]]; then
  main=$(commit origin/main)
  if [[ -n $main && $main != "$head" ]]; then
    against=origin/main
  elif [[ -n $(commit HEAD~1) ]]; then
    against=HEAD~1
  else
    against=none
  fi
fi

# In a shallow clone the two may have nothing in common that git has.
if [[ $against != none ]] && ! git merge-base HEAD "$against" >/dev/null 2>&1; then against=none; fi

options=(--strict --quiet)
if [[ $against == none ]]; then
  # Not an error: a first commit, or a clone of one commit. But nobody is to believe that it was done.
  echo "gate.sh: nothing is compared with: this clone has no commit that it could be" >&2
else
  echo "gate.sh: compared with $against"
  options+=(--against "$against")
fi

mkdir -p .build/gate
status=0
# lint NAME OPTION…: all folders are looked at, also after one with findings.
lint() {
  local name=$1
  shift
  echo "gate.sh: $name"
  "$SCHEMAGEN" lint "${options[@]}" "$@" \
    --report "sarif=$root/.build/gate/$name.sarif" --report "junit=$root/.build/gate/$name.xml" || status=$?
}

lint schemas
lint everything --schemas Tests/Support/Fixtures/Everything
lint benchmark --schemas Benchmarks/Sources/schemagen-rehearsal-benchmark/Schemas
lint consumer --root Examples/Consumer
exit "$status"
