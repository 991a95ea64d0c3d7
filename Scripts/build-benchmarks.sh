#!/usr/bin/env bash
# Builds Benchmarks/ and prints the folder of its executables. The modules of the checkout's own build are used again.
#
#   build-benchmarks.sh [OPTION…]   options of `swift build`, such as `-c release --product schemagen-fuzz`
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

options=(--package-path Benchmarks --scratch-path .build "$@")
# With other versions of dependencies, both builds would check out and compile theirs in turns.
if [[ -f Package.resolved ]]; then
  cp Package.resolved Benchmarks/
  options+=(--force-resolved-versions)
fi
# Both packages keep what they have planned in one place, and with '--product' SwiftPM takes the other's for its own.
forget() { rm -f .build/debug/description.json .build/release/description.json; }

forget
swift build "${options[@]}" --quiet >&2
swift build "${options[@]}" --show-bin-path
forget
