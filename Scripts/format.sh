#!/usr/bin/env bash
# Formats our own Swift sources, or finds fault with them.
#
#   format.sh [lint]
#
# Generated files have tests of their own, and fixtures are wrong on purpose.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

files=()
while IFS= read -r -d '' file; do files+=("$file"); done < <(
  find Package.swift Plugins Sources Tests Benchmarks/Package.swift Benchmarks/Sources \
    Experiments/Package.swift Experiments/Sources Experiments/Interface Examples/*/Package.swift \
    \( -path '*/fixtures' -o -path '*/Fixtures' -o -path 'Benchmarks/Sources/*/Schemas' \) -prune \
    -o -type f -name '*.swift' -print0 | sort -zu
)

case ${1:-} in
lint) swift format lint --strict --parallel "${files[@]}" ;;
"") swift format --in-place --parallel "${files[@]}" ;;
*) fail "usage: format.sh [lint]" ;;
esac
