#!/usr/bin/env bash
# Kills each command that writes several files at every one of its writes, and lets another command look at the folder
# afterwards: it has to find all as it was before, or all as the whole run leaves it. Stops each with Ctrl-C's signal as
# well: then nobody has to look, and the command says truly whether it has written anything.
#
#   kill.sh
#
# SCHEMAGEN   the binary; without it the checkout's own debug build
#
# Needs strace and a system that lets processes be traced. Prints a line for each check, then `N passed, M failed`;
# exits 1 when one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
if [[ $(uname) != Linux ]]; then
  echo "kill.sh: skipped: strace is Linux's"
  exit 0
fi
command -v strace >/dev/null || apt_install strace
if ! strace -o /dev/null true; then
  echo "SKIPPED  kill.sh: this system lets no process be traced; WriteJournalTests kills in memory"
  exit 0
fi
if [[ -z ${SCHEMAGEN:-} ]]; then SCHEMAGEN=$(cd "$root" && swift build --show-bin-path)/schemagen; fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
passed=0
failed=0

# sound [OPTION…] NAME LOOK COMMAND…: whether the folder `start` is left whole, wherever the command is killed and
# wherever it is stopped.
sound() {
  local status=0
  "$root/Tests/Integration/kill_everywhere.py" "$@" || status=$?
  failed=$((failed + status))
  passed=$((passed + 2 - status))
}

v1='version: 1
models:
  Trip:
    properties:
      name: String = ""
      note: String?
'
v2='version: 2
models:
  Trip:
    properties:
      title: { type: String, default: '"'"'""'"'"', renamedFrom: name }
      note: String?
'
rm -rf start && mkdir -p start/Schemas
printf '%s' "$v1" >start/Schemas/V1.yaml
sound "generate, the first time" "$SCHEMAGEN generate --check" "$SCHEMAGEN" generate

(cd start && "$SCHEMAGEN" generate) >/dev/null
sound "release" "$SCHEMAGEN lint" "$SCHEMAGEN" release

printf '%s' "$v2" >start/Schemas/V2.yaml
printf 'output: Elsewhere\n' >start/Schemas/schemagen.yaml
sound "generate, with files that move" "$SCHEMAGEN lint" "$SCHEMAGEN" generate

(cd start && "$SCHEMAGEN" generate) >/dev/null
mv start/Schemas/V1.yaml start/Schemas/first.yaml
mv start/Schemas/V2.yaml start/Schemas/second.yaml
sound "lint --fix" "$SCHEMAGEN generate --check" "$SCHEMAGEN" lint --fix

rm -rf start && mkdir start
sound "init" "$SCHEMAGEN lint" "$SCHEMAGEN" init

cp -a "$root/Tests/Support/Fixtures/Adoption/stages/Sources" start/Sources
# It works on a thread of its own.
sound --threads "adopt" "$SCHEMAGEN lint" "$SCHEMAGEN-sources" adopt Sources

rm -rf start && mkdir -p start/App
cp "$root/Examples/Plants/App/Models.swift" start/App/
(
  cd start
  "$SCHEMAGEN" adopt App && "$SCHEMAGEN" release && "$SCHEMAGEN" generate
  sed -i 's/  var wateredAt: Date?/&\n  var note: String?/' App/Models.swift
) >made 2>&1 || { cat made; exit 1; }
sound --threads "snapshot" "$SCHEMAGEN lint" "$SCHEMAGEN-sources" snapshot

rm -rf start && mkdir -p start/Schemas
printf '%s' "$v1" >start/Schemas/V1.yaml
(
  cd start
  export GIT_AUTHOR_NAME=me GIT_AUTHOR_EMAIL=me@example.org GIT_COMMITTER_NAME=me
  export GIT_COMMITTER_EMAIL=me@example.org
  commit() { "$SCHEMAGEN" generate && git add --all && git commit -qm "$1"; }
  git init -qb main
  commit first
  git checkout -qb mine
  printf '%s' "$v2" >Schemas/V2.yaml
  commit mine
  git checkout -q main
  printf '%s      place: String?\n' "${v1/version: 1/version: 2}" >Schemas/V2.yaml
  commit theirs
  git checkout -q mine
) >made 2>&1 || { cat made; exit 1; }
# It asks git much before it writes, in files and pipes of its own.
sound --calls rename,unlink,fchmod "rebase" "$SCHEMAGEN lint" "$SCHEMAGEN" rebase --onto main

echo "$passed passed, $failed failed"
((failed == 0))
