#!/usr/bin/env bash
# Runs what the GitHub Action and the GitLab job run, in scratch repositories: their shell steps in
# their order, in an environment like theirs. What only GitHub and GitLab have is left out: the cache,
# the upload of reports.
#
#   ci.sh
#
# SCHEMAGEN   the binary to run; without it the checkout's own debug build
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
if [[ -z ${SCHEMAGEN:-} ]]; then SCHEMAGEN=$(cd "$root" && swift build --show-bin-path)/schemagen; fi
python=$root/.build/tools/bin/python
for program in "$SCHEMAGEN" "$python"; do
  if [[ ! -x $program ]]; then
    echo "ci.sh: no program at '$program': run 'swift build' and Scripts/install-python-tools.sh" >&2
    exit 2
  fi
done
binary=$(cd "$(dirname "$SCHEMAGEN")" && pwd)/$(basename "$SCHEMAGEN")
unset SCHEMAGEN
scratch=$(mktemp -d)
server=
trap 'if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$scratch"' EXIT
app="$scratch/an app"
status=0

printf '%s\n' '[user]' 'name = Integration test' 'email = test@example.invalid' '[init]' \
  'defaultBranch = main' '[commit]' 'gpgsign = false' >"$scratch/gitconfig"
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1
# This may itself run in a workflow or a pipeline.
for variable in $(env | sed -nE 's/^((GITHUB|RUNNER|CI|GITLAB|SCHEMAGEN)_[A-Z_]*)=.*/\1/p'); do unset "$variable"; done

# What a failed check prints besides.
in_app() { (cd "$app" && "$@") >"$scratch/way" 2>&1 || { cat "$scratch/way" >&2; exit 2; }; }

# --- An app with V1 released on main, and a branch -------------------------------------------------

mkdir -p "$app/Schemas"
in_app git init --quiet
cat >"$app/Schemas/V1.yaml" <<'EOF'
version: 1.0.0
models:
  Trip:
    properties:
      id: { type: UUID, unique: true }
      name: String = ""
EOF
in_app "$binary" generate
in_app "$binary" release
in_app git add --all
in_app git commit --quiet --message "V1"
in_app git update-ref refs/remotes/origin/main HEAD
in_app git checkout --quiet -b topic
first=$(git -C "$app" rev-parse HEAD)

good() {
  sed 's/1\.0\.0/2.0.0/' "$app/Schemas/V1.yaml" >"$app/Schemas/V2.yaml"
  echo "      note: String?" >>"$app/Schemas/V2.yaml"
  in_app "$binary" generate
}
bad() {
  good
  sed -i.old 's/note: String?/count: Int/' "$app/Schemas/V2.yaml"
  rm "$app/Schemas/V2.yaml.old"
}
edit_shipped() {
  sed -i.old 's/name: String = ""/name: String?/' "$app/Schemas/V1.yaml"
  rm "$app/Schemas/V1.yaml.old"
}
restore() {
  in_app git reset --quiet --hard "$first"
  in_app git clean -qfdx
}

# --- GitHub ----------------------------------------------------------------------------------------

echo "--- action.yml"
mkdir "$scratch/runner"
# github CONTEXT=VALUE…: keeps status and output; the step summary is in $scratch/summary.
github() {
  status=0
  : >"$scratch/summary"
  (cd "$app" && GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/summary \
    GITHUB_ACTION_PATH=${action_path:-$root} RUNNER_TEMP=$scratch/runner RUNNER_OS=Linux RUNNER_ARCH=X64 \
    "$python" "$root/Tests/Integration/ci_steps.py" github "$root/action.yml" "$@") \
    >"$scratch/output" 2>&1 || status=$?
}
pull_request() { github "inputs.schemagen=$binary" github.base_ref=main "$@"; }

good
pull_request
check "a good pull request: exits with 0" exits 0
check "a good pull request: is checked" says "step Check"
check "a good pull request: nothing is built" says_not "step Build"
check "a good pull request: names its base" says "output against=origin/main"
check "a good pull request: names its report" says "output sarif=schemagen.sarif"
check "a good pull request: the report is JSON" "$python" -m json.tool "$app/schemagen.sarif"
check "a good pull request: has a summary" test -s "$scratch/summary"
restore

bad
pull_request
check "a missing default: exits with 1" exits 1
check "a missing default: is an annotation" says "::error file=Schemas/V2.yaml,line=7,"
check "a missing default: with its rule" says "title=missing-default::"
check "a missing default: stands in the summary" grep -q "missing-default" "$scratch/summary"
check "a missing default: stands in the report" grep -q '"missing-default"' "$app/schemagen.sarif"
restore

good
rm "$app/Schemas/Generated/SchemaV2.swift"
pull_request
check "a generated file missing: exits with 1" exits 1
check "a generated file missing: is an annotation" \
  says "::error file=Schemas/Generated/SchemaV2.swift,line=1,"
check "a generated file missing: says what to run" says "run: schemagen generate"
restore

edit_shipped
pull_request
check "a shipped version edited: exits with 1" exits 1
check "a shipped version edited: says so" says "title=shipped-version-edited::"
rm "$app/Schemas/schema.lock"
pull_request inputs.against=none
check "against none: shipped versions are not known" says_not "shipped-version-edited"
check "against none: says so" says "::notice title=schemagen::nothing is compared with"
check "against none: no output" grep -qx "output against=" "$scratch/output"
github "inputs.schemagen=$binary" "github.event.before=$first"
check "a push: is compared with the commit before" says "title=shipped-version-edited::"
github "inputs.schemagen=$binary" github.event.before=0000000000000000000000000000000000000000
check "a push of a new branch: is compared with nothing, and says so" says "::notice title=schemagen::nothing"
restore

pull_request github.base_ref=develop
check "a branch that was not fetched: exits with 2" exits 2
check "a branch that was not fetched: says so" says "there is no commit 'origin/develop' in this repository"
good
in_app git add --all
in_app git commit --quiet --message "V2"
git clone --quiet --depth 1 --branch topic "file://$app" "$scratch/shallow" 2>/dev/null
whole=$app app=$scratch/shallow
pull_request
check "a shallow clone: exits with 2" exits 2
check "a shallow clone: says the way out" says "actions/checkout with 'fetch-depth: 0'"
app=$whole
restore

good
mkdir -p "$app/Other Schemas"
in_app cp Schemas/V1.yaml "Other Schemas/V1.yaml"
in_app "$binary" generate --schemas "Other Schemas"
edit_shipped
pull_request "inputs.schemas=Other Schemas" inputs.sarif=
check "another folder: only that is looked at" exits 0
check "another folder: no report is written where none is wanted" test ! -e "$app/schemagen.sarif"
pull_request $'inputs.schemas=Other Schemas\nSchemas\n'
check "two folders: both are looked at" exits 1
restore
good
sed -i.old 's/note: String?/noted: Date = Date()/' "$app/Schemas/V2.yaml"
rm "$app/Schemas/V2.yaml.old"
in_app "$binary" generate
pull_request
check "a warning: exits with 0" exits 0
pull_request inputs.strict=true
check "a warning, strictly: exits with 1" exits 1
restore

# The app's own enum, which only Swift has.
printf '%s\n' 'version: 1.0.0' 'models:' '  Trip:' '    properties:' '      kind: Kind = Kind.city' 'types:' \
  '  Kind: { enum: String, cases: [city, beach], own: true }' >"$app/Schemas/V1.yaml"
rm -r "$app/Schemas/schema.lock" "$app/Schemas/Generated"
in_app "$binary" generate
mkdir -p "$app/App"
echo 'enum Kind: String, Codable { case city, beach }' >"$app/App/Kind.swift"
pull_request inputs.against=none
check "Swift that agrees: exits with 0" exits 0
echo 'enum Kind: String, Codable { case city = "town", beach }' >"$app/App/Kind.swift"
pull_request inputs.against=none inputs.sources=Schemas/Generated
check "Swift in folders that nobody named: is not looked at" exits 0
pull_request inputs.against=none
check "Swift that differs: exits with 1" exits 1
check "Swift that differs: is an annotation" says "::error file=App/Kind.swift,line=1,"
restore

for input in schemas sources against strict sarif; do
  pull_request "inputs.$input=\$(touch pwned)\`touch pwned\`\"; touch pwned; \"'; touch pwned; '"
  check "commands in '$input' are not run" test ! -e "$app/pwned"
  check "commands in '$input' change nothing" test -z "$(git -C "$app" status --porcelain -- Schemas README.md)"
  restore
done
pull_request $'inputs.sarif=a.sarif\nagainst=none\nschemagen=/bin/true'
check "a line break in an input adds no output" says "output against=origin/main"
restore

# Without a schemagen the action downloads one, or builds it: here with a Swift that only says what it sees.
action_path="$scratch/the action"
mkdir -p "$action_path/Scripts" "$scratch/programs"
cp -R "$root"/Scripts/*.sh "$root/Scripts/release" "$action_path/Scripts/"
cp -R "$root/Package.swift" "$root/Sources" "$root/Templates" "$action_path/"
cat >"$scratch/programs/swift" <<EOF
#!/bin/sh
if [ "\$1" = --version ]; then echo "Swift 6"; exit; fi
echo "swift \$* in \$PWD"
mkdir -p .build/release
for name in schemagen schemagen-sources; do
  printf '#!/bin/sh\necho "built: \$*"\n' >.build/release/\$name
  chmod +x .build/release/\$name
done
EOF
chmod +x "$scratch/programs/swift"
stubs=$root/Tests/Integration/stub_release.py
version=$("$binary" --version)
"$python" "$stubs" archives "$scratch/archives" "$version"
"$python" "$stubs" serve "$scratch/archives" "$scratch/port" "$scratch/requests" &
server=$!
until [[ -s $scratch/port ]]; do sleep 0.05; done
served=http://127.0.0.1:$(cat "$scratch/port")
# The loopback's server is asked without a proxy that the machine may have.
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
pin() { "$python" "$stubs" checksums "$1" "$scratch/archives"; }
unpin() { cp "$root/Scripts/release/checksums" "$1/Scripts/release/"; }
# without_schemagen DOWNLOADS CONTEXT=VALUE…
without_schemagen() {
  rm -rf "$scratch/runner/schemagen"
  SCHEMAGEN_DOWNLOADS=$1 PATH=$scratch/programs:$PATH github github.base_ref=main "${@:2}"
}
downloaded="downloaded schemagen $version: check --format github --against=origin/main"
# is_built NAME REASON: the run of before built, and said why in one line.
is_built() {
  check "$1: exits with 0" exits 0
  check "$1: builds" says "step Build"
  check "$1: says why" grep -qF "::notice title=schemagen::download.sh: not downloaded: $2" "$scratch/output"
  check "$1: what was built is run" says "built: check --format github --against=origin/main"
  check "$1: leaves nothing behind" test "$(ls "$scratch/runner/schemagen" | tr "\n" " ")" = "schemagen schemagen-sources "
}
# is_refused NAME TEXT: the run of before neither ran nor built anything.
is_refused() {
  check "$1: fails" exits 1
  check "$1: is an annotation" says "::error title=schemagen::what was downloaded is not what it should be"
  check "$1: says '$2'" says "$2"
  check "$1: builds nothing" says_not "step Build"
  check "$1: runs nothing" says_not "step Check"
  check "$1: leaves no program" test ! -e "$scratch/runner/schemagen/schemagen"
}

without_schemagen "$served/good"
is_built "no release" "Scripts/release/checksums knows no archive of $version"
for product in schemagen-sources schemagen; do
  check "no release: $product is built, where the action is" \
    says "swift build -c release --product $product in $action_path"
done
check "no release: nothing is asked for" test ! -e "$scratch/requests"
without_schemagen "$served/good" steps.cache.outputs.cache-hit=true
check "with a cache: builds nothing" says_not "step Build"

pin "$action_path"
without_schemagen "$served/good"
check "a release: exits with 0" exits 0
check "a release: is downloaded" says "schemagen was downloaded"
check "a release: is run" says "$downloaded"
check "a release: nothing is built" says_not "step Build"
check "a release: no library is installed" says_not "step Libraries"
check "a release: one archive is asked for" grep -qE "^/good/schemagen-$version-[a-z0-9_-]+\.tar\.gz$" "$scratch/requests"
check "a release: it is asked for once" test "$(wc -l <"$scratch/requests")" -eq 1
without_schemagen "file://$scratch/archives"
check "a release in a folder: is run" says "$downloaded"
without_schemagen "$served/half"
is_built "half a download" "$served/half/schemagen-"
without_schemagen "$served/missing"
is_built "a release without archives" "$served/missing/schemagen-"
# Nobody listens on port 1.
without_schemagen http://127.0.0.1:1
is_built "no network" "http://127.0.0.1:1/schemagen-"
without_schemagen none
is_built "downloads not wanted" "SCHEMAGEN_DOWNLOADS is 'none'"
without_schemagen "$served/cut"
is_refused "a cut archive" "and Scripts/release/checksums says"
without_schemagen "$served/page"
is_refused "a web page" "a proxy or a login may have answered"
check "a web page: says how to build" says "export SCHEMAGEN_DOWNLOADS=none"
cp -R "$scratch/archives" "$scratch/others"
for archive in "$scratch"/others/*; do printf x >>"$archive"; done
without_schemagen "file://$scratch/others"
is_refused "another archive" "nothing of it was run"
echo "// edited" >>"$action_path/Sources/Commands/CommandLineSupport/Tool.swift"
without_schemagen "$served/good"
is_built "other sources than the release's" "these sources are not those of the release $version"
cp "$root/Sources/Commands/CommandLineSupport/Tool.swift" "$action_path/Sources/Commands/CommandLineSupport/"
"$python" "$stubs" archives "$scratch/broken" "$version" 127
"$python" "$stubs" checksums "$action_path" "$scratch/broken"
without_schemagen "file://$scratch/broken"
is_built "an archive that does not run here" "file://$scratch/broken/schemagen-"
check "an archive that does not run here: says so" says "does not run here"
pin "$action_path"

# Programs of the machine, without swift, and some of them replaced.
mkdir "$scratch/few"
for tool in bash cat cut dirname env find git grep gzip head ln mkdir mktemp mv python3 rm sed sort tail tar tr uname \
  wget sha256sum shasum xargs; do
  if program=$(command -v "$tool"); then ln -sf "$program" "$scratch/few/$tool"; fi
done
# with_few DOWNLOADS
with_few() {
  rm -rf "$scratch/runner/schemagen"
  PATH=$scratch/few SCHEMAGEN_DOWNLOADS=$1 github github.base_ref=main
}
if command -v wget >/dev/null; then
  with_few "$served/good"
  check "wget: is downloaded, without Swift" says "$downloaded"
  with_few "$served/half"
  check "wget: half a download is none" says "not downloaded: $served/half/schemagen-"
else
  echo "SKIPPED: wget, which this machine has not"
fi
rm -f "$scratch/few/wget"
with_few "$served/good"
check "neither curl nor wget, nor Swift: exits with 1" exits 1
check "neither curl nor wget, nor Swift: says both" grep -qE \
  "::error title=schemagen::.*neither curl nor wget; and there is no Swift" "$scratch/output"
printf '#!/bin/sh\necho Plan9\n' >"$scratch/programs/uname"
chmod +x "$scratch/programs/uname"
without_schemagen "$served/good"
is_built "another system" "there is no archive for Plan9 on Plan9"
rm "$scratch/programs/uname"
restore

# --- GitLab ----------------------------------------------------------------------------------------

echo "--- ci/gitlab.yml"
printf '#!/bin/sh\necho "apt-get $*"\n' >"$scratch/programs/apt-get"
chmod +x "$scratch/programs/apt-get"
# gitlab VARIABLE=VALUE…
gitlab() {
  status=0
  mkdir -p "$app/.schemagen/bin"
  ln -sf "$binary" "$app/.schemagen/bin/schemagen"
  ln -sf "$root/ci/comment.py" "$app/.schemagen/bin/comment.py"
  (cd "$app" && env "PATH=$scratch/programs:$PATH" "$@" \
    "$python" "$root/Tests/Integration/ci_steps.py" gitlab "$root/ci/gitlab.yml" .schemagen) \
    >"$scratch/output" 2>&1 || status=$?
}
merge_request() { gitlab "CI_MERGE_REQUEST_DIFF_BASE_SHA=$first" "$@"; }

good
merge_request
check "a good merge request: exits with 0" exits 0
check "a good merge request: a cached schemagen is not asked for again" says_not "download.sh"
check "a good merge request: the quality report is JSON" "$python" -m json.tool "$app/schemagen-codequality.json"
check "a good merge request: the tests are XML" \
  "$python" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$app/schemagen-junit.xml"
restore
bad
merge_request
check "a missing default: exits with 1" exits 1
check "a missing default: is shown" says "[missing-default]"
check "a missing default: stands in the quality report" grep -q '"missing-default"' "$app/schemagen-codequality.json"
check "a missing default: stands in the tests" grep -q 'missing-default' "$app/schemagen-junit.xml"
restore
good
rm "$app/Schemas/Generated/SchemaV2.swift"
merge_request
check "a generated file missing: exits with 1" exits 1
check "a generated file missing: is named" says "'Schemas/Generated/SchemaV2.swift' is missing"
check "a generated file missing: the reports are there" test -s "$app/schemagen-codequality.json"
restore
edit_shipped
merge_request
check "a shipped version edited: exits with 1" exits 1
rm "$app/Schemas/schema.lock"
gitlab "CI_COMMIT_BEFORE_SHA=$first"
check "a push: is compared with the commit before" says "[shipped-version-edited]"
gitlab CI_COMMIT_BEFORE_SHA=0000000000000000000000000000000000000000
check "a push of a new branch: is compared with nothing, and says so" says "nothing is compared with"
restore
merge_request
check "Swift that agrees: exits with 0" exits 0
echo '@Model final class Mic { var name = "" }' >"$app/Mic.swift"
merge_request
check "Swift with a new model: exits with 1" exits 1
check "Swift with a new model: says so" says "'Mic' is in no manifest"
rm "$app/Mic.swift"
mkdir -p "$app/Other Schemas"
in_app cp Schemas/V1.yaml "Other Schemas/V1.yaml"
in_app "$binary" generate --schemas "Other Schemas"
merge_request $'SCHEMAGEN_SCHEMAS=Other Schemas\nSchemas'
check "two folders: both are looked at" exits 0
check "two folders: what is next is for the one that has not shipped" says "release V1 --schemas 'Other Schemas'"
merge_request 'SCHEMAGEN_SCHEMAS=$(touch pwned)`touch pwned`' 'SCHEMAGEN_FAIL_ON_WARNINGS="; touch pwned'
check "commands in variables are not run" test ! -e "$app/pwned"
restore
merge_request SCHEMAGEN_AGAINST=origin/develop
check "a branch that was not fetched: exits with 2" exits 2

# Without a cache: from a repository with a tag, by its archive or built. Only ci.sh's own programs are used.
cat >"$scratch/programs/swift" <<'EOF'
#!/bin/sh
echo "swift $*"
mkdir -p .schemagen/source/.build/release
for name in schemagen schemagen-sources; do
  printf '#!/bin/sh\necho "built: $*"\n' >.schemagen/source/.build/release/$name
  chmod +x .schemagen/source/.build/release/$name
done
EOF
origin=$scratch/origin
mkdir "$origin"
cp -R "$root/Package.swift" "$root/Sources" "$root/Templates" "$root/Scripts" "$root/ci" "$origin/"
git -C "$origin" init --quiet
# tag NAME: of what is in the folder.
tag() {
  git -C "$origin" add --all
  git -C "$origin" commit --quiet --message "$1"
  git -C "$origin" tag "$1"
}
tag unpinned
pin "$origin"
tag v1
# first_time REVISION DOWNLOADS
first_time() {
  rm -rf "$app/.schemagen"
  status=0
  (cd "$app" && env "PATH=$scratch/programs:$PATH" "CI_MERGE_REQUEST_DIFF_BASE_SHA=$first" \
    "SCHEMAGEN_REPOSITORY=file://$origin" "SCHEMAGEN_REVISION=$1" "SCHEMAGEN_DOWNLOADS=$2" \
    "$python" "$root/Tests/Integration/ci_steps.py" gitlab "$root/ci/gitlab.yml" .schemagen) \
    >"$scratch/output" 2>&1 || status=$?
}
first_time v1 "$served/good"
check "GitLab, a release: exits with 0" exits 0
check "GitLab, a release: is downloaded and run" says "downloaded schemagen $version: check --against=$first"
check "GitLab, a release: the comment's script is there" test -f "$app/.schemagen/bin/comment.py"
check "GitLab, a release: nothing is built" says_not "swift build"
first_time v1 http://127.0.0.1:1
check "GitLab, no network: exits with 0" exits 0
check "GitLab, no network: says why" says "not downloaded: http://127.0.0.1:1/schemagen-"
check "GitLab, no network: is built and run" says "built: check --against=$first"
first_time unpinned "$served/good"
check "GitLab, no release: is built and run" says "built: check --against=$first"
first_time v1 "$served/page"
check "GitLab, a web page: exits with 1" exits 1
check "GitLab, a web page: builds nothing" says_not "swift build"
check "GitLab, a web page: says so" says "a proxy or a login may have answered"
restore

# --- Xcode -----------------------------------------------------------------------------------------

echo "--- a Run Script phase"
bad
status=0
# As Xcode starts it: from the root folder, with what it builds in variables.
(cd / && PATH="$(dirname "$binary"):$PATH" SRCROOT=$app bash -c 'schemagen lint --format xcode --root "$SRCROOT"') \
  >"$scratch/output" 2>&1 || status=$?
check "Xcode: a missing default: exits with 1" exits 1
check "Xcode: a missing default: with an absolute path" \
  grep -qE "^$app/Schemas/V2\.yaml:7:7: error: .*\[missing-default\]" "$scratch/output"
restore

echo
echo "$passed passed, $failed failed"
((failed == 0))
