#!/usr/bin/env bash
# Builds Benchmarks/ and prints the folder of its executables. The modules of the checkout's own build are used again.
#
#   build-benchmarks.sh [OPTION…]   options of `swift build`, such as `-c release --product schemagen-fuzz`
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

# With other versions of dependencies, both builds would check out and compile theirs in turns.
versions() { sed '/originHash/d' "$1" 2>/dev/null; }
if [[ -f Package.resolved && $(versions Package.resolved) != "$(versions Benchmarks/Package.resolved)" ]]; then
  cp Package.resolved Benchmarks/
fi
build=(swift build --package-path Benchmarks --scratch-path .build --skip-update "$@")
"${build[@]}" --quiet >&2
"${build[@]}" --show-bin-path
