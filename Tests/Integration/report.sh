#!/usr/bin/env bash
# Writes reports of the examples, and looks at them in a browser: at three widths, light and dark, version by version.
#
#   report.sh
#
# SCHEMAGEN  the binary; without it the checkout's own debug build
# CHROMIUM   a browser; without it one that is on the PATH, or Debian's
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
cd "$root"
schemagen=${SCHEMAGEN:-$(swift build --show-bin-path)/schemagen}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

report() { "$schemagen" report "$@"; }
# refuses STATUS WORDS COMMAND…
refuses() {
  local wanted=$1 words=$2 status=0
  shift 2
  "$@" >"$scratch/refused" 2>&1 || status=$?
  cat "$scratch/refused"
  [[ $status == "$wanted" ]] && grep -qF -- "$words" "$scratch/refused"
}

browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [[ -z $browser ]] && command -v apt-get >/dev/null; then
  apt_install chromium
  browser=$(command -v chromium)
fi

if ! command -v dot >/dev/null && command -v apt-get >/dev/null; then apt_install graphviz; fi

# looks_right PAGE WIDTH THEME
looks_right() {
  local page=$1 width=$2 theme=$3 title
  python3 - "$page" "$theme" "$scratch/copy.html" <<'PY'
import pathlib, sys
page, theme, copy = sys.argv[1:]
text = pathlib.Path(page).read_text()
# No switch of the browser's asks for a dark page, so the copy has no other style, or none for the dark.
dark = "@media(prefers-color-scheme:dark)"
assert text.count(dark) == 1
text = text.replace(dark, "@media all" if theme == "dark" else "@media not all")
check = pathlib.Path("Tests/Integration/report_check.js").read_text()
head, foot = text.split("</head>", 1)
pathlib.Path(copy).write_text(f"{head}<script>{check}</script></head>{foot}")
PY
  title=$("$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/browser" \
    --window-size="$width,900" --virtual-time-budget=20000 --dump-dom "file://$scratch/copy.html" 2>/dev/null |
    tee "$scratch/dom" | sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' | head -n 1)
  echo "$title" | sed 's/ | /\n/g'
  [[ $title == RIGHT* ]]
}

# Whether the page that was looked at last shows of each version what a drawing of that version alone has.
# shows_each EXAMPLE
shows_each() {
  python3 - "$scratch/dom" "$schemagen" "$1" <<'PY'
import json, re, subprocess, sys
import xml.etree.ElementTree as xml
dom, schemagen, example = sys.argv[1:]
seen = json.loads(re.search(r'<script id="texts"[^>]*>(.*?)</script>', open(dom).read(), re.S)[1])
assert len(seen) > 1, seen
for version, texts in seen.items():
    drawing = subprocess.run([schemagen, "report", "--schemas", f"Schemas/{example}", "--format", "svg", "--to", version],
                             check=True, capture_output=True).stdout
    groups = xml.fromstring(drawing).findall(".//*[@class='node']")
    alone = sorted(text.text for group in groups for text in group.iter() if text.tag.endswith("text"))
    assert texts == alone, f"{version}: {set(texts) ^ set(alone)}"
PY
}

# Everything comes along: nothing in it asks for another file.
stands_alone() {
  ! grep -nE '<(link|img|iframe|source)|@import|url\(' "$1" && ! grep -oE '(src|action)="[^"]*"' "$1"
}

for example in Ritualist Travel; do
  page=$scratch/$example.html
  check "$example: a page" report --schemas "Schemas/$example" --output "$page"
  check "$example: the same again, byte for byte" report --schemas "Schemas/$example" --output "$page.again"
  check "$example: is the same" cmp "$page" "$page.again"
  check "$example: needs no other file" stands_alone "$page"
  [[ -n $browser ]] || continue
  for width in 500 900 1400; do
    for theme in light dark; do check "$example: $width pixels, $theme" looks_right "$page" "$width" "$theme"; done
  done
  check "$example: each version as it was" shows_each "$example"
done
# Names and reasons that are markup.
mkdir -p "$scratch/hostile/Schemas"
cat >"$scratch/hostile/Schemas/V1.yaml" <<'YAML'
version: 1.0.0
summary: "</script><script>throw 1</script> \" onclick='throw 1' & <b>"
models:
  Note: { properties: { id: Int, text: { type: String, default: '"</svg><script>throw 1</script>"' }, old: String } }
YAML
cat >"$scratch/hostile/Schemas/V2.yaml" <<'YAML'
version: 2.0.0
summary: "<!-- ]]> --> {{summary}}"
drops: { Note.old: "</td></table><img src=x onerror='throw 1'>" }
models:
  Note: { properties: { id: Int, text: { type: String, default: '"</svg><script>throw 1</script>"' } } }
YAML
page=$scratch/hostile.html
check "texts that are markup: a page" report --root "$scratch/hostile" --output hostile.html
page=$scratch/hostile/hostile.html
if [[ -n $browser ]]; then
  check "texts that are markup are shown, not run" looks_right "$page" 900 light
fi
mkdir "$scratch/without"
ln -s "$(command -v git)" "$scratch/without/git"
check "without Graphviz: the same page" env PATH="$scratch/without" "$schemagen" report --schemas Schemas/Ritualist \
  -o "$scratch/without.html"
check "... is the same" cmp "$scratch/without.html" "$scratch/Ritualist.html"
check "... and no picture: 2" refuses 2 "install Graphviz" \
  env PATH="$scratch/without" "$schemagen" report --schemas Schemas/Ritualist --format svg
[[ -n $browser ]] || echo "SKIPPED: no Chromium, so nobody has looked at the pages"

is_xml() { report --schemas Schemas/Ritualist --format svg "$@" | python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.stdin.buffer)'; }
check "svg: one version" is_xml --to V3
check "... into a file" report --schemas Schemas/Ritualist --format svg --to V3 -o "$scratch/models.svg"
check "... with lines between its models" grep -q 'class="edge"' "$scratch/models.svg"

check "no such version: 2" refuses 2 "Schemas/Ritualist has no version V99" report --schemas Schemas/Ritualist --to V99
check "several folders: 2" refuses 2 "name one of these with '--schemas': " report
check "no folder: 2" refuses 2 "Schemas" report --root "$scratch"
echo '{' >"$scratch/none.json"
check "no store: 2" refuses 2 "none.json" report --schemas Schemas/Ritualist --store "$scratch/none.json"
check "a folder that cannot be written to: 2" refuses 2 "/proc/report.html" \
  report --schemas Schemas/Ritualist --output /proc/report.html

echo
echo "$passed passed, $failed failed"
((failed == 0))
