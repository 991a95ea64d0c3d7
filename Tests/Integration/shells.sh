#!/usr/bin/env bash
# Types into real shells: completions in bash, zsh and fish; and reads the man pages.
#
#   shells.sh
#
# SCHEMAGEN  the binary; without it the checkout's own debug build
#
# Installs what is missing of tmux, zsh, fish and mandoc where there is apt-get. Prints a line for each check, then
# `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
cd "$root"
schemagen=${SCHEMAGEN:-$(swift build --show-bin-path)/schemagen}
missing=()
for program in tmux zsh fish mandoc; do
  command -v "$program" >/dev/null || missing+=("$program")
done
((${#missing[@]} == 0)) || apt_install "${missing[@]}" >/dev/null
scratch=$(mktemp -d)
tmux() { command tmux -L "schemagen-$$" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null || true; rm -rf "$scratch"' EXIT

# shown REGEX: waits until what is on the screen matches.
shown() {
  local screen=
  for _ in {1..100}; do
    screen=$(tmux capture-pane -p -t shell)
    if grep -Eq -- "$1" <<<"$screen"; then return 0; fi
    sleep 0.1
  done
  printf '%s\n' "nothing matches $1 in:" "$screen"
  return 1
}

# clean: waits until there is nothing but the prompt.
clean() {
  for _ in {1..100}; do
    if [[ $(tmux capture-pane -p -t shell | tr -d '[:space:]') == ready ]]; then return 0; fi
    sleep 0.1
  done
  echo "the screen is not clean:"
  tmux capture-pane -p -t shell
  return 1
}

# completes REGEX KEYS…: what a line becomes, on a clean line.
completes() {
  local wanted=$1
  shift
  tmux send-keys -t shell C-e C-u C-l
  clean || return 1
  tmux send-keys -t shell "$@"
  shown "$wanted"
}

folder=$scratch/app
mkdir -p "$folder" "$scratch/bin" "$scratch/zsh"
ln -s "$(realpath "$schemagen")" "$scratch/bin/schemagen"
(cd "$folder" && "$schemagen" init >/dev/null && touch Trips.store &&
  sed -e 's/1\.0\.0/2.0.0/' Schemas/V1.yaml >Schemas/V2.yaml)
for shell in bash zsh fish; do
  "$schemagen" --generate-completion-script "$shell" >"$scratch/$shell.completions"
done
cp "$scratch/zsh.completions" "$scratch/zsh/_schemagen"
printf '%s\n' "PS1='ready '; . $scratch/bash.completions" >"$scratch/bashrc"
printf '%s\n' "PS1='ready '; fpath=($scratch/zsh \$fpath); autoload -Uz compinit; compinit -u -d $scratch/zcompdump" \
  >"$scratch/zsh/.zshrc"
printf '%s\n' "function fish_prompt; echo -n 'ready '; end; function fish_greeting; end" \
  "source $scratch/fish.completions" >"$scratch/config.fish"

# A server without a session ends, while the next one begins.
tmux new-session -d -s keep cat
for shell in bash zsh fish; do
  case $shell in
  bash) command="bash --noprofile --rcfile $scratch/bashrc" ;;
  zsh) command="env ZDOTDIR=$scratch/zsh zsh -d" ;;
  fish) command="env HOME=$scratch fish --no-config --init-command='source $scratch/config.fish'" ;;
  esac
  tmux new-session -d -s shell -x 120 -y 40 -c "$folder" "env PATH=$scratch/bin:$PATH TERM=screen $command"
  check "$shell starts" shown "^ready"
  check "$shell completes a command" completes "schemagen diff" "schemagen dif" Tab
  check "$shell completes an option" completes "adopt --finish" "schemagen adopt --fin" Tab
  check "$shell completes a format" completes "--format markdown" "schemagen diff --format mark" Tab
  check "$shell completes a rule" completes "explain missing-default" "schemagen explain missing-defau" Tab
  check "$shell completes a file" completes "inspect Trips.store" "schemagen inspect Tri" Tab
  # The first inserts what all have in common.
  check "$shell lists the versions there are" completes "V1 .*V2" "schemagen diff --from " Tab Tab Tab
  tmux kill-session -t shell
done

# Man pages.
manual() (
  # For `~` alone: SwiftPM keeps what it has compiled of manifests in the real one.
  declare +x HOME
  HOME=$scratch
  Scripts/manual.sh ~/.local/share/man/man1
)
check "man pages are written" manual
manual=$scratch/.local/share/man/man1
names() {
  "$schemagen" --experimental-dump-help | python3 -c '
import json, sys
def walk(command, name):
    print(name)
    for one in command.get("subcommands", []):
        if one["commandName"] != "help" and one.get("shouldDisplay", True):
            walk(one, name + "-" + one["commandName"])
walk(json.load(sys.stdin)["command"], "schemagen")' | LC_ALL=C sort
}
pages() { find "$manual" -name '*.1' -exec basename {} .1 \; | LC_ALL=C sort; }
check "each command has its page" diff <(names) <(pages)
check "mandoc finds no error in them" mandoc -T lint -W error "$manual"/*.1
# bare NAME: a page as text.
bare() { MANWIDTH=200 mandoc -T ascii -O width=200 "$manual/$1.1" | col -b; }
# Not -q: what ends a pipe early fails it.
says() { bare "$1" | grep -F -- "$2"; }
check "the page of diff has its options" says schemagen-diff "--against"
check "the page of adopt has the options of both executables" says schemagen-adopt "--finish"
check "the page of adopt has --store" says schemagen-adopt "--store"
links() {
  local name
  for name in $(sed -n 's/^\.Xr \([^ ]*\) 1.*/\1/p' "$manual"/*.1); do
    [[ -f $manual/$name.1 ]] || { echo "no page: $name"; return 1; }
  done
}
check "what a page names is a page" links

echo
echo "$passed passed, $failed failed"
((failed == 0))
