#!/usr/bin/env bash
# Does what the README, the pages and the skill for coding agents say, as a new user would, and holds them against the
# checkout.
#
#   Tests/Integration/pages.sh [PAGE…]
#
# Without a page: all of them.
# SCHEMAGEN    the binary to try; without it the checkout's own debug build
# PAGES_FULL   1: also run the blocks with `make` in a copy of the checkout (minutes; needs the network the first time)
#
# A comment before a block says what is done with it:
#   <!-- run: NAME -->         commands, in a temporary folder of the page; blocks of one name share it, in their order
#   <!-- fails: NAME -->       likewise, and they end with a status other than 0
#   <!-- output: NAME -->      text that must stand in what the blocks of NAME printed so far; a line `…` is any lines
#   <!-- file: NAME -->        a file; its first line is a comment with its path in the folder
#   <!-- diff: NAME -->        a change of a file, applied by apply_diff.py, whose head says how it is written
#   <!-- from: FILE -->        lines that must stand in FILE of the checkout, one after another
#   <!-- in: NAME FILE -->     lines that must stand in FILE of the folder, one after another
#   <!-- run in checkout -->   commands, in the checkout
#   <!-- make -->              commands, in a copy of the checkout with PAGES_FULL=1; else only their targets are looked for
#   <!-- elsewhere: FILE -->   commands, not run here: the test FILE runs them, and contains the first line
#   <!-- tests -->             a table; each of its rows ends with `<!-- SUITE/TEST … -->`, tests that show what it says
# A ```sh block without one fails, a ```diff block as well. `<!-- setup: NAME: COMMAND -->` stands by itself: a command
# that a reader need not see; $checkout is the checkout. `shipped LINE…` makes the app of a cookbook page, `two-releases`
# Examples/Plants with two tags, `renamed` the same with a version 2, and `compiles` compiles the app.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
cd "$root"
if [[ -z "${SCHEMAGEN:-}" ]]; then SCHEMAGEN="$(swift build --show-bin-path)/schemagen"; fi
if [[ ! -x "$SCHEMAGEN" ]]; then
  echo "pages.sh: no binary at '$SCHEMAGEN': run 'swift build', or set SCHEMAGEN" >&2
  exit 2
fi
work="$(mktemp -d "${TMPDIR:-/tmp}/schemagen-pages.XXXXXX")"
trap 'rm -rf "$work"' EXIT
scratch=$work
mkdir "$work/bin" "$work/blocks" "$work/folders" "$work/output" "$work/anchors" "$work/rehearsed"
# All rehearsals share the runtime. What each builds stays as well, by page and number: most have manifests of the same
# name, and one that comes after another one in its folder would be compiled in each run. As a shell that found it on the
# PATH, it gives the program its name alone.
rehearsals="$root/.build/integration/pages"
mkdir -p "$rehearsals"
[[ -L "$rehearsals/Schemas" ]] || rm -rf "$rehearsals/Schemas"
cat >"$work/bin/schemagen" <<EOF
#!/usr/bin/env bash
if [[ "\${1:-}" == rehearse ]]; then
  echo >>"$work/rehearsed/\${block_name:=checkout}"
  mapfile -t runs <"$work/rehearsed/\$block_name"
  mkdir -p "$rehearsals/of/\$block_name.\${#runs[@]}"
  ln -sfn "of/\$block_name.\${#runs[@]}" "$rehearsals/Schemas"
  set -- "\$@" --work "$rehearsals"
fi
exec -a schemagen "$(cd "$(dirname "$SCHEMAGEN")" && pwd)/$(basename "$SCHEMAGEN")" "\$@"
EOF
chmod +x "$work/bin/schemagen"
# DuckDB's own program, as far as pages use it: the module that the Python tools have, with SQL on standard input.
cat >"$work/bin/duckdb" <<EOF
#!$root/.build/tools/bin/python
import csv, sys, duckdb
assert sys.argv[1:] == ["-csv"], sys.argv
result = duckdb.sql(sys.stdin.read())
writer = csv.writer(sys.stdout, lineterminator="\\n")
writer.writerow(result.columns)
writer.writerows(["NULL" if value is None else value for value in row] for row in result.fetchall())
EOF
chmod +x "$work/bin/duckdb"
# Where the cookbook's pages begin: an app whose classes have these lines, adopted, with V1 shipped.
cat >"$work/bin/shipped" <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
mkdir App
printf '%s\n' 'import SwiftData' "$@" >App/Models.swift
schemagen adopt App
schemagen release V1
schemagen generate
EOF
# Examples/Plants with two releases, of which the first lacks a property.
cat >"$work/bin/two-releases" <<EOF
#!/usr/bin/env bash
set -euo pipefail
release() {
  git add .
  GIT_AUTHOR_DATE="\$3T12:00:00Z" GIT_COMMITTER_DATE="\$3T12:00:00Z" git commit --quiet --message "\$2"
  git tag "\$1"
}
plants="$root/Examples/Plants"
cp -R "\$plants/." .
git init --quiet --initial-branch main
sed '/^  var wateredAt/d' "\$plants/App/Models.swift" >App/Models.swift
release v1.0 "Begin" 2026-03-01
cp "\$plants/App/Models.swift" App/
release v1.1 "Remember when a plant was watered" 2026-03-10
EOF
# Examples/Plants, adopted, with a property renamed in version 2.
cat >"$work/bin/renamed" <<EOF
#!/usr/bin/env bash
set -euo pipefail
plants="$root/Examples/Plants"
cp -R "\$plants/." .
schemagen adopt App
schemagen generate
sed -e 's/wateredAt/lastWatered/g' \\
  -e 's/  var lastWatered: Date?/  @Attribute(originalName: "wateredAt") var lastWatered: Date?/' \\
  "\$plants/App/Models.swift" >App/Models.swift
schemagen snapshot
EOF
# Compiles the app.
cat >"$work/bin/compiles" <<EOF
#!/usr/bin/env bash
exec "$root/Tests/Support/SwiftUIInterface/check.sh" --cache "$root/.build/integration/interface" App/*.swift App/*/*.swift
EOF
chmod +x "$work/bin/shipped" "$work/bin/two-releases" "$work/bin/renamed" "$work/bin/compiles"
"$root/Scripts/install-python-tools.sh"
share_runtime "$rehearsals"
export NO_COLOR=1
# Commits of the pages have one author.
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org

# Writes each fenced block of a document to $work/blocks/NNN.text, with a line `kind<TAB>language<TAB>line` in the
# file of that number. A kind is the comment before the block, `none` without one.
extract() {
  rm -f "$work"/blocks/*
  awk -v folder="$work/blocks" '
    /^```/ && !inside {
      inside = 1
      language = substr($0, 4)
      if (language == "") language = "plain"
      count += 1
      name = sprintf("%s/%03d", folder, count)
      printf "%s\t%s\t%d\n", (comment == "" ? "none" : comment), language, NR > name
      printf "" > (name ".text")
      comment = ""
      next
    }
    /^```/ { inside = 0; close(name); close(name ".text"); next }
    inside { print > (name ".text"); next }
    /^<!-- setup: .* -->$/ {
      count += 1
      name = sprintf("%s/%03d", folder, count)
      $0 = substr($0, 13, length($0) - 16)
      colon = index($0, ": ")
      printf "setup: %s\tsh\t%d\n", substr($0, 1, colon - 1), NR > name
      print substr($0, colon + 2) > (name ".text")
      close(name)
      close(name ".text")
      next
    }
    /^<!-- .* -->$/ { comment = substr($0, 6, length($0) - 9); next }
    NF { comment = "" }
  ' "$1"
}

# Whether lines of the first file stand in the second, one straight after another, spaces at the end aside. One line
# of it that is `…` stands for any lines.
stands_in() {
  awk '
    function trimmed(text) { sub(/[ \t\r]+$/, "", text); return text }
    NR == FNR { if (trimmed($0) == "…") { part[++parts] = "" } else { if (!parts) parts = 1
        part[parts] = part[parts] trimmed($0) "\n" } next }
    { whole = whole trimmed($0) "\n" }
    END {
      rest = "\n" whole
      for (index_ = 1; index_ <= parts; index_++) {
        if (part[index_] == "") continue
        place = index(rest, "\n" part[index_])
        if (!place) {
          printf "not there:\n%s", part[index_]
          exit 1
        }
        rest = "\n" substr(rest, place + 1 + length(part[index_]))
      }
      if (!parts) { print "nothing to look for"; exit 1 }
    }
  ' "$1" "$2"
}

run_block() {
  local name="$1" block="$2" folder="$work/folders/$1" checkout="$root" block_name="$1"
  export checkout block_name
  mkdir -p "$folder"
  (
    cd "$folder"
    PATH="$work/bin:$PATH" bash -euo pipefail "$block"
  ) >"$work/printed" 2>&1 || {
    local status=$?
    cat "$work/printed" | tee -a "$work/output/$name"
    echo "exit status $status"
    return 1
  }
  cat "$work/printed" >>"$work/output/$name"
}

fail_block() {
  run_block "$1" "$2" || return 0
  echo "it ends with status 0, and should not"
  return 1
}

# The path is in the comment of the first line.
write_file() {
  local path
  path="$(sed -n '1s,^[^A-Za-z.]*\([A-Za-z0-9_+./-]*\).*,\1,p' "$2")"
  [[ "$path" == *.* ]] || { echo "the first line names no file"; return 1; }
  mkdir -p "$work/folders/$1/$(dirname "$path")" && cp "$2" "$work/folders/$1/$path"
}

apply_diff() { (cd "$work/folders/$1" && "$root/Tests/Integration/apply_diff.py" "$2"); }

run_in_checkout() { (cd "$root" && PATH="$work/bin:$PATH" bash -euo pipefail "$1"); }

# Every target that a block makes exists; nothing is built.
make_targets() {
  local target
  for target in $(sed -n 's/^make \([a-z-]*\).*/\1/p' "$1"); do
    make -C "$root" --dry-run --silent "$target" >/dev/null || return 1
  done
}

# A copy of what git knows and of what is not committed yet, without builds.
make_in_copy() {
  local copy="$work/checkout"
  mkdir -p "$copy" || return 1
  git -C "$root" ls-files --cached --others --exclude-standard -z |
    (cd "$root" && tar --null --files-from=- --create --file=-) | tar --extract --file=- --directory="$copy" ||
    return 1
  # `make test` may run this script again.
  (cd "$copy" && PAGES_FULL=0 SCHEMAGEN='' bash -euo pipefail "$1")
}

elsewhere() {
  [[ -f "$root/$1" ]] || { echo "there is no test '$1'"; return 1; }
  local line
  line="$(sed -n 1p "$2")"
  # The test may say more between the words: options, variables.
  local verb="${line##* }"
  grep -qF -- "$verb" "$root/$1" || { echo "'$1' does not contain '$verb'"; return 1; }
}

blocks_of() {
  local document="$1" number kind language line text
  extract "$document"
  for number in "$work"/blocks/???; do
    [[ -e "$number" ]] || continue
    IFS=$'\t' read -r kind language line <"$number"
    text="$number.text"
    local title="$document:$line" page="${document//\//-}"
    if [[ "$(uname -s)" != Linux ]] && grep -q "schemagen rehearse" "$text"; then
      echo "SKIPPED $title: a rehearsal runs on Linux"
      continue
    fi
    case "$kind" in
      "run: "*) check "$title runs: $(sed -n 1p "$text")" run_block "$page.${kind#run: }" "$text" ;;
      "setup: "*) check "$title is set up" run_block "$page.${kind#setup: }" "$text" ;;
      "fails: "*) check "$title fails: $(sed -n 1p "$text")" fail_block "$page.${kind#fails: }" "$text" ;;
      "file: "*) check "$title is written" write_file "$page.${kind#file: }" "$text" ;;
      "diff: "*) check "$title is applied" apply_diff "$page.${kind#diff: }" "$text" ;;
      "in: "*)
        local place="${kind#in: }"
        check "$title stands in ${place#* }" stands_in "$text" "$work/folders/$page.${place%% *}/${place#* }"
        ;;
      "run in checkout") check "$title runs in the checkout: $(sed -n 1p "$text")" run_in_checkout "$text" ;;
      "make")
        if [[ "${PAGES_FULL:-0}" == 1 ]]; then
          check "$title runs in a copy of the checkout" make_in_copy "$text"
        else
          check "$title has targets (PAGES_FULL=1 runs them)" make_targets "$text"
        fi
        ;;
      "elsewhere: "*) check "$title is run by ${kind#elsewhere: }" elsewhere "${kind#elsewhere: }" "$text" ;;
      "output: "*)
        touch "$work/output/$page.${kind#output: }"
        check "$title is what was printed" stands_in "$text" "$work/output/$page.${kind#output: }"
        ;;
      "from: "*)
        if [[ -f "${kind#from: }" ]]; then
          check "$title stands in ${kind#from: }" stands_in "$text" "${kind#from: }"
        else
          check "$title: there is a file ${kind#from: }" false
        fi
        ;;
      none)
        # Commands must say where they run; other blocks are illustrations.
        if [[ "$language" == sh || "$language" == diff ]]; then
          check "$title says what is done with it" false
        fi
        ;;
      *) check "$title: '$kind' is a mark that pages.sh knows" false ;;
    esac
  done
}

# The headings of a document as GitHub's anchors, and the anchors of facts. Many links lead to the same documents.
anchors() {
  local kept="$work/anchors/${1//\//%}"
  if [[ ! -e "$kept" ]]; then
    {
      grep -oE '<a id="[^"]+"' "$1" | sed 's/^<a id="//; s/"$//'
      sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
    } >"$kept"
  fi
  cat "$kept"
}

# Not 'grep -q' in it: that stops reading, which pipefail takes for a failure.
# Every relative link of a document leads to a file or a folder, and its anchor to a heading or a fact.
links() {
  local link path anchor folder status=0
  folder="$(dirname "$1")"
  while IFS= read -r link; do
    case "$link" in
      http://* | https://* | mailto:*) continue ;;
    esac
    path="${link%%#*}"
    anchor=""
    if [[ "$link" == *#* ]]; then anchor="${link#*#}"; fi
    if [[ -n "$path" && ! -e "$folder/$path" ]]; then
      echo "no such file: $link"
      status=1
    elif [[ -n "$anchor" ]] && ! anchors "${path:+$folder/}${path:-$1}" | grep -xF -- "$anchor" >/dev/null; then
      echo "no such heading: $link"
      status=1
    fi
  done < <(awk '/^```/ { inside = !inside } !inside' "$1" | sed 's/`[^`]*`//g' |
    grep -oE '\]\([^)[:space:]]+\)' | sed 's/^](//; s/)$//')
  return "$status"
}

# Every rule, verb or option of words with hyphens that a document names in backquotes stands somewhere in the sources.
names_exist() {
  local name status=0
  # Looked for once, and asked for by every page.
  if [[ ! -e "$work/names" ]]; then
    grep -rhoE '"[a-z]+(-[a-z]+)+"' Sources Package.swift | tr -d '"' | sort -u >"$work/names"
  fi
  while IFS= read -r name; do
    if ! grep -qxF -- "$name" "$work/names"; then
      echo "nothing is called: $name"
      status=1
    fi
  done < <(grep -oE '`[a-z]+(-[a-z]+)+`' "$1" | tr -d '`' | sort -u)
  return "$status"
}

# Every row of a table below `<!-- tests -->` names tests, and they exist.
rows_have_tests() {
  local row names name status=0
  while IFS= read -r row; do
    names="$(sed -n 's/.*<!-- \([A-Za-z/ ]*\) -->.*/\1/p' <<<"$row")"
    if [[ -z "$names" ]]; then
      echo "names no test: $row"
      status=1
    fi
    for name in $names; do
      if ! has_test "${name%/*}" "${name#*/}"; then
        echo "there is no test $name: $row"
        status=1
      fi
    done
  done < <(awk '
    /^<!-- tests -->$/ { table = 1; lines = 0; next }
    table && /^\|/ { lines += 1; if (lines > 2) print; next }
    table && NF { table = 0 }
  ' "$1")
  return "$status"
}

# Whether a suite has a test: a function with a mark before it.
has_test() {
  local file
  for file in Tests/*/"$1".swift; do
    if [[ -f "$file" ]] && awk -v name="$2" '
      /@Test/ { mark = 1 }
      /func / { if (mark && $0 ~ "func " name "\\(") found = 1; mark = 0 }
      END { exit !found }
    ' "$file"; then return 0; fi
  done
  return 1
}

# Every command that the skill names within a sentence stands in a block or a setup of it, too: there it runs.
commands_run() {
  local command status=0
  awk '/^```/ { inside = !inside; next } inside || /^<!-- setup: /' "$1" >"$work/ran"
  while IFS= read -r command; do
    # Words in capitals stand for what the reader has.
    command="$(sed 's/ [A-Z][A-Z]*$//' <<<"$command")"
    if ! grep -qF -- "$command" "$work/ran"; then
      echo "never runs: $command"
      status=1
    fi
  done < <(grep -v '^<!-- ' "$1" | grep -oE '`schemagen [^`]*`' | tr -d '`' | sort -u)
  return "$status"
}

# What a coding agent is told is tried like a page for people; the command leaves the comments out.
skill=Sources/Schema/SchemaWorkspace/Skill/SKILL.md
pages=("$@")
if ((!$#)); then
  while IFS= read -r page; do pages+=("$page"); done < <(
    git ls-files --cached --others --exclude-standard -- ':(glob)*.md' ':(glob)docs/**/*.md' ':!docs/rules' "$skill" Plugins/VSCode/README.md)
  check "docs/llms.txt is what the pages give" Scripts/site/llms.py --check
fi
for page in "${pages[@]}"; do
  blocks_of "$page"
  check "$page: relative links" links "$page"
  if [[ "$page" == "$skill" ]]; then check "$page: commands within sentences run as well" commands_run "$page"; fi
  if grep -qx '<!-- tests -->' "$page"; then check "$page: rows and their tests" rows_have_tests "$page"; fi
  # Facts name what is Apple's.
  [[ "$page" == docs/facts/* ]] || check "$page: names of rules and commands" names_exist "$page"
done

echo "$passed passed, $failed failed"
[[ "$failed" == 0 ]]
