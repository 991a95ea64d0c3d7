# For scripts to source: what they share.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

fail() {
  echo "${0##*/}: error: $*" >&2
  exit 1
}

# The version of the schemagen that this checkout is.
tool_version() {
  sed -n 's/^ *package static let version = "\(.*\)"$/\1/p' "$root/Sources/Schema/SchemaModel/Rules/Project.swift"
}

# Runs a command that needs the network, up to four times.
retry() {
  local attempt
  for attempt in 1 2 3; do
    if "$@"; then return 0; fi
    echo "${0##*/}: attempt $attempt of 4 failed: $*" >&2
    sleep $((attempt * 5))
  done
  "$@"
}

# Installs Debian packages.
apt_install() {
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "run as root, or install sudo, to install: $*"
    as_root=(sudo)
  fi
  # A fresh container has no lists of packages at all.
  retry ${as_root[@]+"${as_root[@]}"} apt-get -q update
  retry ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get -qy --no-install-recommends install "$@"
}

passed=0
failed=0

# For commands that run before their checks: a test keeps what they said in $scratch/output, and what of it went to
# standard error in $scratch/errors where the two are told apart, and their exit status in $status.
exits() { ((status == $1)); }
says() { grep -qF -- "$1" "$scratch/output"; }
not() { ! "$@"; }
says_not() { not says "$1"; }
tell() {
  local file
  for file in "$scratch/output" "$scratch/errors"; do
    [[ -f $file ]] || continue
    echo "status ${status-}, and ${file##*/}:"
    tail -n 40 "$file"
  done
}

# check NAME COMMAND…: one line for a check of a test that passes when the command does, and what it said where it does
# not. Needs a folder $scratch.
check() {
  local name=$1
  shift
  if "$@" >"$scratch/said" 2>&1; then
    passed=$((passed + 1))
    echo "PASS  $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    {
      echo "not true: $*"
      tail -n 20 "$scratch/said"
      tell || true
    } 2>&1 | cut -c1-800 | sed 's/^/      | /'
  fi
}

# build_beside PACKAGE [OPTION…]: builds a package that depends on the checkout's, and prints the folder of its
# executables. The modules of the checkout's own build are used again.
build_beside() {
  local options=(--package-path "$1" --scratch-path .build "${@:2}")
  # With other versions of dependencies, both builds would check out and compile theirs in turns.
  if [[ -f Package.resolved ]]; then
    cp Package.resolved "$1/"
    options+=(--force-resolved-versions)
  fi
  # Packages keep what they have planned in one place, and with '--product' SwiftPM takes another's for its own.
  rm -f .build/debug/description.json .build/release/description.json
  # Where this is called in $(…), the shell does not end at a failure by itself.
  swift build "${options[@]}" --quiet >&2 || return
  swift build "${options[@]}" --show-bin-path || return
  rm -f .build/debug/description.json .build/release/description.json
}

# share_runtime FOLDER: lets rehearsals in a folder of their own use the runtime that Tests/Integration/rehearse.sh has
# built: several tests that rehearse the same package at once need a folder each, and building the runtime takes longer
# than most rehearsals. Where nothing is built yet, the first rehearsal in the folder builds it.
share_runtime() {
  local link built
  mkdir -p "$1"
  # A link whose runtime is gone would be in the way of another one.
  for link in "$1"/runtime-*; do
    if [[ -L $link && ! -e $link ]]; then rm "$link"; fi
  done
  for built in "$root"/.build/integration/rehearsal/runtime-*; do
    if [[ -d $built && ! -e $1/${built##*/} ]]; then ln -s "$built" "$1/"; fi
  done
}
