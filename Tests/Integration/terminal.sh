#!/usr/bin/env bash
# What the commands show on a terminal: lines that fit its width, colours, the line of progress, and what Ctrl-C leaves.
#
#   terminal.sh
#
# SCHEMAGEN   the binary, with schemagen-sources beside it; without it the checkout's own debug build
# WORK        the folder of the rehearsal's builds; without it .build/integration/terminal
# PANES       a folder that keeps what each terminal showed, to look at
#
# Needs tmux and python3. Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
cd "$root"
if [[ $(uname) != Linux ]]; then
  echo "terminal.sh: skipped: rehearsals run on Linux"
  exit 0
fi
command -v tmux >/dev/null || apt_install tmux
schemagen=${SCHEMAGEN:-$(swift build --show-bin-path)/schemagen}
schemagen=$(cd "$(dirname "$schemagen")" && pwd)/$(basename "$schemagen")
work=${WORK:-$root/.build/integration/terminal}
share_runtime "$work"
scratch=$(mktemp -d)
panes=${PANES:-$scratch/panes}
mkdir -p "$panes"
export TMUX_TMPDIR=$scratch
trap 'tmux kill-server 2>/dev/null || true; rm -rf "$scratch"' EXIT
# A session that stays: with its last one a server ends, and the next session would race with that.
tmux -f /dev/null new-session -d -s stays 'sleep 3600'
unset NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS
holds() { grep -qF -- "$2" "$1"; }

# open NAME WIDTH WORDS…: a terminal in which a command runs, given as words for the shell. All that it is sent is kept
# in `$panes/NAME.raw`, what it shows in the end in `NAME` and, with styles, in `NAME.ansi`.
open() {
  pane=$1
  rm -f "$scratch/status"
  # The command waits until everything that it says is kept.
  tmux new-session -d -s "$pane" -x "$2" -y 400 \
    "trap : INT; until [ -e '$scratch/go' ]; do sleep 0.05; done; $3; echo \$? >'$scratch/status'; sleep 600"
  tmux pipe-pane -t "$pane" "cat >'$panes/$pane.raw'"
  touch "$scratch/go"
}
# ended: waits for the command; its status.
ended() {
  local turn
  for ((turn = 0; turn < 2400; turn++)); do
    if [[ -s $scratch/status ]]; then break; fi
    sleep 0.05
  done
  sleep 0.1
  tmux capture-pane -p -J -t "$pane" >"$panes/$pane"
  tmux capture-pane -p -e -J -t "$pane" >"$panes/$pane.ansi"
  tmux kill-session -t "$pane"
  rm -f "$scratch/go"
  status=$(cat "$scratch/status")
}
# shown NAME WIDTH WORDS…
shown() {
  open "$@"
  ended
}
# waits FOR: until the terminal has been sent some text.
waits() {
  local turn
  for ((turn = 0; turn < 1200; turn++)); do
    if grep -qaF -- "$1" "$panes/$pane.raw" 2>/dev/null; then return 0; fi
    sleep 0.05
  done
  echo "'$1' was never shown"
  return 1
}

# fits FILE WIDTH: whether each line fits; one that is a single word, such as a path, may be longer.
fits() {
  python3 - "$@" <<'PY'
import sys, unicodedata
path, width = sys.argv[1], int(sys.argv[2])
lines = [line.rstrip() for line in open(path, encoding="utf-8")]
assert len([line for line in lines if line]) > 3, "nothing is shown"
wide = [line for line in lines if len(line.split()) > 1 and sum(
    0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) > width]
assert not wide, "\n".join(wide)
PY
}

# A history with texts in which characters take two columns.
mkdir -p "$scratch/Wide"
cat >"$scratch/Wide/V1.yaml" <<'YAML'
version: 1
models:
  Place:
    properties:
      name: String = ""
      town: String = ""
      note: String?
YAML
cat >"$scratch/Wide/V2.yaml" <<'YAML'
version: 2
summary: 地図のための新しい名前と新しい項目、そして 🗺️ 🎯 の印
models:
  Place:
    properties:
      name: String = ""
      city: { type: String, default: '""', renamedFrom: town }
      mark: String = "地図の印 🗺️ 地図の印 🗺️ 地図の印 🗺️"
drops:
  Place.note: { reason: 誰も使わない 誰も使わない 誰も使わない 誰も使わない 誰も使わない, notCarriedTo: mark }
YAML
manifests="--schemas Tests/Support/Fixtures/Stash"
# The first rehearsal makes it.
store=$work/Tests-Support-Fixtures-Stash/stores/from-V1/base-0.store
rehearse="'$schemagen' rehearse --work '$work'"

# Widths. What is shown stays the same: only its lines are others.
declare -A commands=(
  [rehearse]="$rehearse --schemas Tests/Support/Fixtures/Stash"
  [diff]="'$schemagen' diff --schemas Schemas/Ritualist"
  [wide]="'$schemagen' diff --schemas '$scratch/Wide'"
  [measured]="'$schemagen' diff $manifests --store $store"
  [inspect]="'$schemagen' inspect $store $manifests"
  [doctor]="'$schemagen' doctor $store $manifests"
  [explain]="'$schemagen' explain"
)
for command in rehearse diff wide measured inspect doctor explain; do
  for width in 40 80 140; do
    shown "$command-$width" "$width" "${commands[$command]}"
    check "$command at $width columns: lines fit" fits "$panes/$pane" "$width"
  done
done
check "rehearse at 40 columns: the path stands in each part of the table" \
  test "$(grep -c '^✓ V1 → V2 ' "$panes/rehearse-40")" -ge 2
bash -c "${commands[rehearse]}" >"$scratch/file" 2>/dev/null || true
check "rehearse into a file: one table, whatever COLUMNS says" \
  env COLUMNS=40 grep -q '^  path .* kills$' "$scratch/file"
COLUMNS=40 bash -c "${commands[diff]}" >"$scratch/narrow"
bash -c "${commands[diff]}" >"$scratch/file"
check "diff into a file: the same, whatever COLUMNS says" cmp "$scratch/file" "$scratch/narrow"
shown columns 140 "COLUMNS=60 ${commands[diff]}"
check "COLUMNS counts more than the terminal's own width" fits "$panes/columns" 60

# Progress.
check "rehearse shows progress" holds "$panes/rehearse-80.raw" "rehearsing: 1 of"
check "rehearse takes the line away" not grep -q "rehearsing" "$panes/rehearse-80"
check "inspect shows progress" holds "$panes/inspect-80.raw" "counting rows: 0 of"
check "inspect takes the line away" not grep -q "counting" "$panes/inspect-80"
shown adopt 80 "'$schemagen' adopt Tests/Support/Fixtures/Adoption/stages/Sources --schemas '$scratch/Adopted' --dry-run"
check "adopt shows progress" holds "$panes/adopt.raw" "reading Swift files: "
check "adopt takes the line away" not grep -q "reading Swift files" "$panes/adopt"
shown narrow 20 "'$schemagen' adopt Tests/Support/Fixtures/Adoption/stages/Sources --schemas '$scratch/Adopted' --dry-run"
check "the line of progress fits 20 columns" holds "$panes/narrow.raw" "reading Swift fi…"
for command in rehearse measured inspect; do
  shown "quiet-$command" 80 "${commands[$command]} --quiet"
  check "$command --quiet shows none" not grep -q "rehearsing\|counting\|measuring" "$panes/$pane.raw"
  "$schemagen" ${command/measured/diff} --help >"$scratch/help"
done
for command in "inspect $store $manifests" "diff $manifests --store $store" "doctor $store $manifests" \
  "report $manifests --store $store --output $scratch/report.html" "detect Tests/Support/Fixtures/Stash $manifests"; do
  # shellcheck disable=SC2086
  "$schemagen" $command >/dev/null 2>"$scratch/errors" || true
  check "${command%% *} without a terminal: nothing for work that is short" not test -s "$scratch/errors"
done
# Names of versions that are not equally long.
eval "$rehearse --schemas Schemas/Habitto --steps-only" >/dev/null 2>"$scratch/rows"
sed -n 's/^[✓✗] \(V[0-9.]*\) → V[0-9.]*$/\1/p' "$scratch/rows" >"$scratch/order"
check "rehearse without a terminal: a row for each path, in their order" \
  diff <(printf '%s\n' V1 V1.1 V1.2) "$scratch/order"
check "rehearse without a terminal: kills stand below each other" \
  test "$(grep -o '^.*  killed' "$scratch/rows" | awk '{ print length }' | sort -u | wc -l)" = 1

# Colours: a row for each case, as whether colours are wanted, variables, and the option.
colored() { grep -q $'\e\\[[0-9]' "$1"; }
while read -r wanted where variables option; do
  if [[ $option == - ]]; then option=; fi
  words="env ${variables//,/ } '$schemagen' diff --schemas Schemas/Travel $option"
  if [[ $variables == - ]]; then words=${words/env -/}; fi
  if [[ $where == terminal ]]; then
    shown colours 80 "$words"
    file=$panes/colours.ansi
  else
    file=$scratch/colours
    bash -c "$words" >"$file"
  fi
  if [[ $wanted == yes ]]; then verdict=(colored); else verdict=(not colored); fi
  check "colours on a $where, $variables ${option:--}: $wanted" "${verdict[@]}" "$file"
done <<'CASES'
yes terminal - -
no file - -
no terminal NO_COLOR=1 -
yes terminal NO_COLOR= -
no terminal TERM=dumb -
no terminal CLICOLOR=0 -
yes terminal CLICOLOR=1 -
yes file CLICOLOR_FORCE=1 -
no file CLICOLOR_FORCE=0 -
no file CLICOLOR_FORCE= -
no file CLICOLOR_FORCE=1,NO_COLOR=1 -
yes file CLICOLOR_FORCE=1,TERM=dumb,CLICOLOR=0 -
yes file NO_COLOR=1 --color=always
no file CLICOLOR_FORCE=1 --color=never
no terminal - --color=never
yes terminal - --color=auto
CASES
"$schemagen" lint-code Tests/Support/Fixtures/SourceChecks --color always >"$scratch/colours" 2>&1 || true
check "--color reaches schemagen-sources" colored "$scratch/colours"
"$schemagen" lint --schemas Schemas/Ritualist --color always --format json >"$scratch/colours"
check "--color changes no format for machines" not colored "$scratch/colours"
"$schemagen" lint --schemas Tests/Support/Fixtures/Stash --color always --report "text=$scratch/colours" >/dev/null
check "--color is for what is shown: a report in a file has none" not colored "$scratch/colours"

# The last line: a summary to quote. A command that is new has to stand here, with its own or with why it has none.
git() { command git -c user.name=Ada -c user.email=ada@example.org -c init.defaultBranch=main "$@"; }
app=$scratch/app
mkdir "$app"
cp -R Tests/Support/Fixtures/Adoption/stages/Sources "$app/Sources"
cp "$store" "$app/app.store"
cp -R Tests/Support/Fixtures/Stash "$app/Stash"
cp -R Schemas/Travel "$app/Travel"
declare -A summaries=(
  [init]="Begun: 2 files written; edit them, then run: schemagen generate --schemas Begun"
  [generate]="First: [0-9]+ written, 0 unchanged"
  [new-version]="wrote Second/V2.yaml, a copy of Second/V1.yaml"
  [release]="Third: released V1"
  [diff]="Travel: V1 → V2, 1 change: 1 defaulted"
  [report]="wrote   report.html: 2 versions"
  [export]="wrote   versions.json: [0-9]+ versions"
  [rehearse]="2 versions, 1 path, 6 kills: 1 kill test fails"
  [lint]="2 notes"
  [explain]="[0-9]+ rules, [0-9]+ kinds of change; schemagen explain ID explains one"
  [baseline write]="Known/lint-baseline.json: 2 can wait"
  [baseline prune]="Known/lint-baseline.json: 2 still wait"
  [approve]="Travel: no data of shipped versions is lost"
  [rebase]="Travel: nothing to rebase onto main"
  [hook install]="wrote .git/hooks/pre-commit: it runs 'schemagen .*' before each commit"
  [hook uninstall]="removed .git/hooks/pre-commit"
  [hook run]="1 error, 1 warning; correct them, 'git add' the files, and commit again"
  [adopt]="Adopted: [0-9]+ versions adopted"
  [snapshot]="Travel: nothing was written"
  [check]="[0-9]+ errors?(, [0-9]+ warnings?)?; correct them, and run again: schemagen check"
  [status]="  next: .*"
  [detect]="[0-9]+ errors?(, [0-9]+ warnings?)?"
  [lint-code]="[0-9]+ Swift files: no findings"
  [affected]="wrote places.md: [0-9]+ places to check"
  [inspect]="app.store: 8 rows in 1 entity, version V1"
  [anonymise]="safe.store: 8 rows in 1 model, [0-9]+ values changed, none of [0-9]+ left in [0-9]+ bytes"
  [doctor]="app.store: recognised as V1, 1 step behind the newest"
  [trace]="app.store: no commit is known to have written it"
  # Takes a store that Apple's framework wrote: Tests/StoreToolsTests/KeptStoreTests.swift has its summary.
  [stores add]=document
  [retire]="Travel: the plan would begin with V2; next: schemagen generate --schemas Travel"
  [cloud diff]="Travel: production has everything that V[0-9]+ writes: [0-9]+ record types?"
  [cloud schema]=document
  [cloud plan]=document
  [skill]="wrote .agents/skills/schemagen/SKILL.md, for schemagen [0-9.]+"
  [classification]=document
  [explain]=document
  [serve]=document
)
declare -A runs=(
  [init]="init Begun"
  [generate]="generate --schemas First"
  [new-version]="new-version --schemas Second"
  [release]="release V1 --schemas Third"
  [diff]="diff --schemas Travel"
  [report]="report --schemas Travel"
  [export]="export --schemas Travel --output versions.json"
  [rehearse]="rehearse --schemas Stash --work $work"
  [lint]="lint --schemas Travel"
  [baseline write]="baseline write --schemas Known"
  [baseline prune]="baseline prune --schemas Known"
  [approve]="approve --schemas Travel"
  [rebase]="rebase --onto HEAD --schemas Travel"
  [hook run]="hook run --schemas Staged"
  [adopt]="adopt Sources --schemas Adopted"
  [snapshot]="snapshot --schemas Travel"
  [check]="check Sources --schemas Travel"
  [status]="status --schemas Travel"
  [detect]="detect Sources --schemas Travel"
  [lint-code]="lint-code Sources --schemas Travel"
  [affected]="affected Sources --schemas Travel --output places.md"
  [inspect]="inspect app.store --schemas Stash"
  [anonymise]="anonymise app.store -o safe.store --schemas Stash"
  [doctor]="doctor app.store --schemas Stash"
  [trace]="trace app.store --schemas Stash"
  [retire]="retire --below V2 --schemas Travel --dry-run"
  [cloud diff]="cloud diff --schemas Travel --production travel.ckdb"
  [skill]="skill --into .agents/skills"
)
"$schemagen" --experimental-dump-help | python3 -c '
import json, sys
def names(command, path):
    below = [c for c in command.get("subcommands", []) if c["commandName"] != "help" and c.get("shouldDisplay", True)]
    for child in below: yield from names(child, path + [child["commandName"]])
    if not below: yield " ".join(path)
print("\n".join(names(json.load(sys.stdin)["command"], [])))' >"$scratch/commands"
check "the commands are known" test "$(wc -l <"$scratch/commands")" -gt 15
(
  cd "$app"
  for folder in First Second Third; do "$schemagen" init "$folder"; done
  "$schemagen" generate --schemas Third
  cp -R Travel Known
  "$schemagen" cloud schema --schemas Travel | sed -e '1d' -e 's/\("___recordID" *REFERENCE\)/\1 QUERYABLE/' >travel.ckdb
  git init -q && git add --all && git commit -qm first
  "$schemagen" init Staged && "$schemagen" generate --schemas Staged && git add Staged
) >/dev/null 2>&1
# summarized COMMAND: whether its last line is the summary.
summarized() {
  if [[ -z ${summaries[$1]:-} ]]; then
    echo "'$1' is new: what is its last line? Say so in terminal.sh; Output.summary writes it"
    return 1
  fi
  if [[ ${summaries[$1]} == document ]]; then return 0; fi
  # shellcheck disable=SC2086
  (cd "$app" && "$schemagen" ${runs[$1]:-$1} 2>"$scratch/errors") >"$scratch/output" || true
  grep -v '^$' "$scratch/output" | tail -n 1 >"$scratch/last" || true
  tail -n 5 "$scratch/output" "$scratch/errors"
  grep -qxE -- "${summaries[$1]}" "$scratch/last"
}
while IFS= read -r command; do
  check "the last line of $command is its summary" summarized "$command"
done <"$scratch/commands"

# Ctrl-C, in a folder whose path fills the line of progress.
long=$scratch/a-folder-with-a-name-that-is-longer-than-a-line-of-the-terminal-in-which-it-is-shown
mkdir "$long"
cp -R Tests/Support/Fixtures/Stash "$long/Stopped"
find "$long/Stopped" -type f -exec sha256sum {} + | sort >"$scratch/before"
unharmed() { find "$long/Stopped" -type f -exec sha256sum {} + | sort | diff "$scratch/before" -; }
# Whether a program works in the scratch folder; tmux was only told of it.
left() {
  local process
  for process in $(grep -lazF "$long/rehearsal" /proc/[0-9]*/cmdline 2>/dev/null); do
    if ! grep -q '^tmux' "${process%/*}/comm" 2>/dev/null; then
      tr '\0' ' ' <"$process"
      return 0
    fi
  done
  return 1
}
# The compiler's own children are in groups of their own: its driver ends them, which takes it a moment.
all_gone() {
  local turn
  for ((turn = 0; turn < 40; turn++)); do
    if ! left; then return 0; fi
    sleep 0.05
  done
  return 1
}
for moment in "building the portable SwiftData" "compiling" "rehearsing"; do
  rm -rf "$long/rehearsal"
  # Only the first moment needs a runtime of its own.
  if [[ $moment != building* ]]; then
    mkdir -p "$long/rehearsal"
    for built in "$work"/runtime-*; do ln -s "$built" "$long/rehearsal/"; done
  fi
  open "stopped-${moment%% *}" 80 "'$schemagen' rehearse --schemas '$long/Stopped' --work '$long/rehearsal'"
  check "Ctrl-C while $moment: shown" waits "$moment"
  tmux send-keys -t "$pane" C-c
  ended
  check "… the status is that of the signal" test "$status" = 130
  check "… it says what was written" holds "$panes/$pane" \
    "schemagen: stopped: nothing was written outside $long/rehearsal"
  check "… the line of progress is gone" not holds "$panes/$pane" "$moment"
  check "… the manifests are as they were" unharmed
  check "… no program is left" all_gone
done

echo "$passed passed, $failed failed"
((failed == 0))
