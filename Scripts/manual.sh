#!/usr/bin/env bash
# Writes man pages from the commands' own help, with swift-argument-parser's tool: schemagen.1, schemagen-diff.1, …
#
#   manual.sh [FOLDER]   without a folder: .build/man
#
# SCHEMAGEN   the binary that is asked; without it the checkout's own debug build
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
folder=${1:-$root/.build/man}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$root"
if [[ -z ${SCHEMAGEN:-} ]]; then
  swift build --quiet --product schemagen
  SCHEMAGEN=$(swift build --show-bin-path)/schemagen
else
  swift package --quiet resolve
fi
# The package's plugin would build everything again, swift-syntax included.
parser=(--package-path .build/checkouts/swift-argument-parser --scratch-path "$root/.build/manual")
swift build "${parser[@]}" --quiet --product generate-manual
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
# The commit's day, not today's: the same commit gives the same pages.
date=$(git log -1 --format=%cs 2>/dev/null || date +%F)
"$(swift build "${parser[@]}" --show-bin-path)/generate-manual" "$SCHEMAGEN" \
  --multi-page --date "$date" --output-directory "$pages"
rm -f "$folder"/schemagen*.1
for page in "$pages"/*.1; do
  name=$(basename "$page" .1)
  # `man schemagen diff` looks for schemagen-diff. Commands have no page where the parser has its own: help.
  [[ $name != schemagen.help ]] || continue
  # macOS's sed has no `2g`.
  sed -e '/^\.Xr schemagen\.help 1/d' -e '/^\.Xr schemagen\./{s/\./-/g;s/^-/./;}' -e '/^\.Dt /{s/\./-/g;s/^-/./;}' \
    "$page" >"$folder/${name//./-}.1"
done
echo "wrote $folder: $(find "$folder" -name '*.1' | wc -l | tr -d ' ') pages"
