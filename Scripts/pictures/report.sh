#!/usr/bin/env bash
# Takes docs/pictures/report.png: the report of Schemas/Ritualist in a browser.
#
#   report.sh
#
# SCHEMAGEN  the binary; without it the checkout's own debug build
# CHROMIUM   the browser; without it the one on the PATH
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$root"
schemagen=${SCHEMAGEN:-$(swift build --show-bin-path)/schemagen}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$schemagen" report --schemas Schemas/Ritualist --output "$scratch/report.html"
# What a reader would scroll to.
sed -i 's#</head>#<style>body{padding-top:0}header,\#versions,\#steps,\#findings,footer{display:none}h2{margin-top:.8rem}</style></head>#' "$scratch/report.html"
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/browser" \
  --window-size=1200,1240 --virtual-time-budget=3000 --screenshot=docs/pictures/report.png "file://$scratch/report.html"
