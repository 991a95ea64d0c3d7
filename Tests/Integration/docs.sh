#!/usr/bin/env bash
# Builds the documentation site as `make docs` does, and looks at what a reader without a network gets.
#
#   docs.sh
#
# SCHEMAGEN  the binary; without it the checkout's own debug build
# CHROMIUM   a browser to try the site with; without it one that is on the PATH, and without that this is skipped
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
site=.build/site

fails() { ! "$@"; }

check "pictures: docs/pictures has what Scripts/pictures draws" python3 Scripts/pictures --check
check "pictures: schemagen does what they say" python3 Tests/Integration/pictures.py \
  "${SCHEMAGEN:-$(swift build --show-bin-path)/schemagen}"

SECONDS=0
check "the site builds, every link and anchor in it leads somewhere" Scripts/docs.sh
echo "      $SECONDS s, $(du -sh "$site" | cut -f1)"

# What a browser loads by itself. Links that a reader follows may lead anywhere.
loads_nothing_else() {
  ! grep -rnoE '<(script|link|img|iframe|source|video)[^>]*(src|href)="?(https?:)?//[^"> ]*' "$site" --include='*.html' &&
    ! grep -rnoE '(url\(|@import) *["'\'']?(https?:)?//[^)]*' "$site" --include='*.css'
}
check "no page and no style loads anything from another host" loads_nothing_else

in_search() { grep -qF -- "\"location\":\"$1\"" "$site/search/search_index.json"; }
for page in index.html manifest.html rules/shared-default.html decisions.html 'api.html#migrationcoordinator'; do
  check "the search knows $page" in_search "$page"
done

# Each page of docs/ is in the site, and so are the interfaces.
pages() {
  local page
  for page in $(cd docs && find . -name '*.md'); do
    page=${page%.md}.html
    [[ -f $site/${page/README.html/index.html} ]] || { echo "no page for $page"; return 1; }
  done
}
check "every page of docs/ is there" pages
for module in schemamigrationkit swiftdata; do
  check "the interface of $module is there" test -f "$site/api/documentation/$module/index.html"
done
has_no_address() { grep -rlE '(src|href)="\.' "$site/api" --include='*.html' >/dev/null && ! grep -rlE '(src|href)="/' "$site/api"; }
check "the interface works under any address" has_no_address

# Opened as a file, where a browser starts no worker.
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
dom() {
  "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" --virtual-time-budget=10000 \
    --dump-dom "$1" 2>/dev/null
}
finds() {
  dom "file://$root/$site/index.html?q=barrier" | grep -E '[0-9]+ matching documents'
}
# The way from api.html, on files and on a server, where the site is in a folder.
leads_back() { dom "file://$root/$site/api/documentation/swiftdata/index.html" | grep '<title>Libraries'; }
is_served() {
  local port status=0
  mkdir -p "$scratch/served"
  ln -sfn "$root/$site" "$scratch/served/folder"
  (cd "$scratch/served" && exec python3 -u -m http.server --bind 127.0.0.1 0 >"$scratch/server" 2>&1) &
  local server=$!
  for ((turn = 0; turn < 100; turn++)); do
    port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$scratch/server" 2>/dev/null) || true
    [[ -z $port ]] || break
    sleep 0.1
  done
  dom "http://127.0.0.1:$port/folder/api/documentation/swiftdata/index.html" | grep '<title>SwiftData' ||
    status=$?
  kill "$server"
  return "$status"
}
if [[ -n $browser ]]; then
  check "the search finds something without a server" finds
  check "the interface says that it needs one" leads_back
  check "the interface opens on a server" is_served
else
  echo "SKIPPED: no Chromium, so nobody has tried the search and the interface"
fi

# What must end it.
mkdir "$scratch/broken"
ln -s "$root"/* "$root/.build" "$scratch/broken/"
rm "$scratch/broken/docs" "$scratch/broken/Scripts" "$scratch/broken/.build"
cp -r docs Scripts "$scratch/broken/"
mkdir "$scratch/broken/.build"
ln -s "$root/.build/tools" "$scratch/broken/.build/tools"
broken() {
  local status=0
  (cd "$scratch/broken" && Scripts/docs.sh --no-interface) >"$scratch/built" 2>&1 || status=$?
  cat "$scratch/built"
  ((status)) && grep -qF -- "$1" "$scratch/built"
}
echo '[gone](gone.md) [no heading](lock.md#gone)' >>"$scratch/broken/docs/doctor.md"
check "a link that leads nowhere ends the build" broken "'gone.md'"
check "and so does an anchor" broken "'#gone'"
cat >"$scratch/some.symbols.json" <<'JSON'
{ "symbols": [ { "identifier": { "precise": "s:1" }, "pathComponents": ["Some", "thing"],
  "location": { "uri": "file://Some.swift", "position": { "line": 0, "character": 0 } } } ] }
JSON
check "and so does a public symbol without a comment" fails Scripts/site/interface.py "$scratch"

echo
echo "$passed passed, $failed failed"
((failed == 0))
