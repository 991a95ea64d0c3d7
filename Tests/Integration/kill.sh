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
threads=()
calls=(ftruncate write rename unlink mkdir fchmod)

# Folders without a file are nothing to git either.
prune() { find "$1" -mindepth 1 -type d -empty -not -path '*/.git/*' -delete; }

# truthful STATE: whether what a stopped command said fits the folder, which is as before or as after.
truthful() {
  if [[ $1 == before ]]; then
    grep -q "^schemagen[a-z-]*: stopped: nothing was written$" output
  else
    grep -q "^schemagen[a-z-]*: stopped; files written or removed before, each as a whole: [1-9]" output
  fi
}

# sound NAME LOOK COMMAND…: whether its folder is whole, wherever it is killed and wherever it is stopped.
sound() {
  signal=KILL ended=137
  whole_after "$@"
  signal=INT ended=130
  whole_after "$1, stopped" : "${@:3}"
}

# whole_after NAME LOOK COMMAND…: whether COMMAND leaves the folder `start` whole wherever the signal reaches it. LOOK is
# what is run afterwards, in the shell.
whole_after() {
  local name=$1 look=$2 call number kills=0 seen=" " state status
  shift 2
  rm -rf whole && cp -a start whole
  (cd whole && "$@") >output 2>&1 || true
  prune start
  prune whole
  if diff -r -x .git start whole >/dev/null; then
    failed=$((failed + 1))
    echo "FAIL  $name: a whole run changes nothing"
    sed 's/^/      /' output | tail -n 20
    return
  fi
  for call in "${calls[@]}"; do
    number=0
    while :; do
      number=$((number + 1))
      rm -rf killed temporary && cp -a start killed && mkdir temporary
      status=0
      # Where this script runs in the background, a shell has INT ignored. The system's word of the killed process is
      # not for the log.
      { (cd killed && TMPDIR=$PWD/../temporary env --default-signal=INT strace ${threads[@]+"${threads[@]}"} -qq -o /dev/null -e trace="$call" \
        -e inject="$call:signal=$signal:when=$number" "$@") >output 2>&1 || status=$?; } 2>/dev/null
      if ((status != ended)); then break; fi
      kills=$((kills + 1))
      (cd killed && eval "$look") >looked 2>&1 || true
      prune killed
      if diff -r -x .git killed start >before; then
        state=before
      elif diff -r -x .git killed whole >after; then
        state=after
      else
        failed=$((failed + 1))
        echo "FAIL  $name, killed at $call $number: neither as before nor as after"
        sed 's/^/      /' looked before after | tail -n 40
        return
      fi
      seen+="$state "
      if [[ $signal == INT ]] && ! truthful "$state"; then
        failed=$((failed + 1))
        echo "FAIL  $name at $call $number: it is as $state, and that is not what is said"
        sed 's/^/      /' output | tail -n 20
        return
      fi
      if [[ $signal == INT && -n $(ls -A temporary) ]]; then
        failed=$((failed + 1))
        echo "FAIL  $name at $call $number: leaves temporary files"
        find temporary | sed 's/^/      /' | tail -n 20
        return
      fi
    done
  done
  # Both have to be seen, or the kills hit nothing. What is stopped while it writes is always as after.
  if [[ $seen == *" after "* && ($seen == *" before "* || $signal == INT) ]]; then
    passed=$((passed + 1))
    echo "PASS  $name: $signal at $kills calls"
  else
    failed=$((failed + 1))
    echo "FAIL  $name: after $kills kills:$seen, then status $status"
    sed 's/^/      /' output | tail -n 20
  fi
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

cp -a "$root/Tests/Fixtures/Adoption/stages/Sources" start/Sources
# It works on a thread of its own.
threads=(-f)
sound "adopt" "$SCHEMAGEN lint" "$SCHEMAGEN-sources" adopt Sources

rm -rf start && mkdir -p start/App
cp "$root/Examples/Plants/App/Models.swift" start/App/
(
  cd start
  "$SCHEMAGEN" adopt App && "$SCHEMAGEN" release && "$SCHEMAGEN" generate
  sed -i 's/  var wateredAt: Date?/&\n  var note: String?/' App/Models.swift
) >made 2>&1 || { cat made; exit 1; }
sound "snapshot" "$SCHEMAGEN lint" "$SCHEMAGEN-sources" snapshot

threads=()
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
calls=(rename unlink fchmod)
sound "rebase" "$SCHEMAGEN lint" "$SCHEMAGEN" rebase --onto main

echo "$passed passed, $failed failed"
((failed == 0))
