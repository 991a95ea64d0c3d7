#!/usr/bin/env bash
# Reads comments of `schemagen diff --format markdown` as GitHub does, by its own Markdown parser: those that the
# tests keep, one with every kind of change, too large ones.
#
#   markdown.sh
#
# SCHEMAGEN  the binary; without it the checkout's own debug build
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
cd "$root"
schemagen=${SCHEMAGEN:-$(swift build --show-bin-path)/schemagen}
python=$root/.build/tools/bin/python
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
read_comments() { "$python" Tests/Integration/markdown.py "$@"; }

# What is broken must be found, or nothing that is found sound is.
mkdir "$scratch/broken" "$scratch/sound"
printf 'for @ada, see #12\n' >"$scratch/broken/mention.md"
printf '| A | B |\n|---|---|\n| a |\n' >"$scratch/broken/cell.md"
printf '<details>\n\nfolded\n' >"$scratch/broken/open.md"
printf '<script>x</script> <img src=x>\n' >"$scratch/broken/tag.md"
printf 'https://example.org\n' >"$scratch/broken/link.md"
printf 'x%.0s' {1..65537} >"$scratch/broken/long.md"
passed=0
failed=0
for comment in "$scratch"/broken/*.md; do
  if read_comments "$comment" >"$scratch/said" 2>&1; then
    failed=$((failed + 1))
    echo "FAIL  a broken comment passes: ${comment##*/}"
  else
    passed=$((passed + 1))
    echo "PASS  a broken comment is found: $(sed -n '2s/ *| //p' "$scratch/said" | cut -c1-80)"
  fi
done

# comment NAME ARGUMENTS…: one of the command's own, whatever it ends with.
comment() {
  local name=$1 status=0
  shift
  "$schemagen" diff --format markdown "$@" >"$scratch/sound/$name.md" || status=$?
  ((status < 2)) || { echo "markdown.sh: $name: status $status" >&2; exit 2; }
}

cp Tests/SchemaWorkspaceTests/Comments/*.md "$scratch/sound"
# Every kind of change that there is a way to make, all of them new.
mkdir "$scratch/first"
cp Tests/Support/Fixtures/EveryChange/{V1.yaml,schemagen.yaml} "$scratch/first"
comment every-change --schemas Tests/Support/Fixtures/EveryChange --against "$scratch/first"
for example in Ritualist Travel; do
  mkdir "$scratch/$example"
  cp Schemas/$example/V1.yaml "$scratch/$example"
  comment "$example" --schemas "Schemas/$example" --against "$scratch/$example"
done
# Thousands of changes; a hundred.
"$python" - "$scratch" <<'PY'
import pathlib, sys
def write(name, models, drops):
    for after in (False, True):
        folder = pathlib.Path(sys.argv[1], name + ("" if after else "-before"))
        folder.mkdir()
        for version in (1, 2) if after else (1,):
            kept = range(drops) if version == 1 else ()
            lines = [f"version: {version}.0.0", "models:"]
            for model in range(models):
                lines += [f"  Model{model}:", "    properties:", "      id: Int"]
                lines += [f"      dropped{index}: Int?" for index in kept]
            if version == 2:
                lines.append("drops:")
                reason = "👩🚀 | `nobody` <b>reads</b> @it " * 20
                lines += [f"  Model{model}.dropped{index}: '{reason if models > 9 else 'x'}'"
                          for model in range(models) for index in range(drops)]
            (folder / f"V{version}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
write("huge", 150, 10)
write("hundred", 1, 100)
PY
for name in huge hundred; do
  comment "$name" --schemas "$scratch/$name" --against "$scratch/$name-before"
done
check "thousands of changes: most of the room is used" test "$(wc -c <"$scratch/sound/huge.md")" -gt 60000
check "thousands of changes: what is missing is told" grep -q 'Not everything fits in a comment' "$scratch/sound/huge.md"
check "a hundred changes: all fits" grep -q 'dropped99' "$scratch/sound/hundred.md"

# Each of its own, so that one line tells of one comment.
for file in "$scratch"/sound/*.md; do
  if read_comments "$file"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done

echo
echo "$passed passed, $failed failed"
((failed == 0))
