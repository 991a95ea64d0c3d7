#!/usr/bin/env bash
# Builds Benchmarks/ and prints the folder of its executables. The modules of the checkout's own build are used again.
#
#   build-benchmarks.sh [OPTION…]   options of `swift build`, such as `-c release --product schemagen-fuzz`
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"
build_beside Benchmarks "$@"
