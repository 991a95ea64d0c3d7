#!/usr/bin/env bash
# Builds Experiments/ on Linux, runs them on the portable runtime, and holds their report against docs/facts: nothing is
# contradicted, no row and no fact is left out. Each planted fault must still fit its place; finding them all takes
# long, and Experiments/faults.py does it.
#
#   experiments.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

if [[ $(uname -s) != Linux ]]; then
  echo "SKIPPED: this runs on Linux; here 'swift run --package-path Experiments schemagen-experiments' is the better proof"
  exit 0
fi

Experiments/test_marks.py
Experiments/faults.py --check-patches
folder=$(build_beside Experiments)
report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$folder/schemagen-experiments" --report "$report" | grep -v '^confirmed'
Experiments/marks.py "$report" --check
