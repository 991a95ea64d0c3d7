#!/usr/bin/env bash
# Commits to scratch repositories whose hooks are schemagen's: by the real pre-commit framework, and
# by the plain hook that `schemagen hook install` writes.
#
#   hooks.sh
#
# SCHEMAGEN   the binary that hooks run; without it the checkout's own debug build
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

# This may itself run in a hook.
# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
if [[ -z ${SCHEMAGEN:-} ]]; then SCHEMAGEN=$(cd "$root" && swift build --show-bin-path)/schemagen; fi
framework=$root/.build/tools/bin/pre-commit
for program in "$SCHEMAGEN" "$framework"; do
  if [[ ! -x $program ]]; then
    echo "hooks.sh: no program at '$program': run 'swift build' and Scripts/install-python-tools.sh" >&2
    exit 2
  fi
done
SCHEMAGEN=$(cd "$(dirname "$SCHEMAGEN")" && pwd)/$(basename "$SCHEMAGEN")
python=$root/.build/tools/bin/python
scratch=$(mktemp -d)
server=
trap 'if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$scratch"' EXIT
work=$(cd "$scratch" && pwd -P)/"a folder"
mkdir "$work"
status=0
: >"$scratch/output"

# Nothing of the machine's: neither git's configuration, nor hooks that pre-commit has fetched.
cat >"$scratch/gitconfig" <<'EOF'
[user]
  name = Integration test
  email = test@example.invalid
[init]
  defaultBranch = main
[commit]
  gpgsign = false
[core]
  autocrlf = false
[protocol "file"]
  allow = always
EOF
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
export PRE_COMMIT_HOME=$work/pre-commit PRE_COMMIT_COLOR=never NO_COLOR=1 SCHEMAGEN

# What a failed check prints besides.

# Runs a command in the folder $app; keeps status and output.
attempt() {
  status=0
  (cd "$app" && "$@" </dev/null) >"$scratch/output" 2>&1 || status=$?
}

commit() { attempt git commit --quiet --message "A commit" "$@"; }

# What a test does on its way, which must succeed.
in_app() { (cd "$app" && "$@") >"$scratch/way" 2>&1 || { cat "$scratch/way" >&2; exit 2; }; }
stage() { in_app git add --all; }
schemagen() { in_app "$SCHEMAGEN" "$@"; }
head_of() { git -C "$app" rev-parse --quiet --verify HEAD || true; }

# passes NAME: the commit of before was made, and nobody complained.
passes() {
  check "$1: passes" exits 0
  check "$1: is committed" test "$(head_of)" != "$before"
}

# is_stopped NAME TEXT…: the commit of before was not made, and each text was shown.
is_stopped() {
  local name=$1 text
  shift
  check "$name: is stopped" exits 1
  check "$name: is not committed" test "$(head_of)" = "$before"
  for text in "$@"; do check "$name: says '$text'" says "$text"; done
}

# --- Scratch repositories ------------------------------------------------------------------------

# The repository of the hooks: this checkout with what is not committed yet.
hooks=$work/schemagen
mkdir "$hooks"
git -C "$root" ls-files --cached --others --exclude-standard -z |
  (cd "$root" && while IFS= read -r -d '' file; do
    if [[ -e $file ]]; then printf '%s\0' "$file"; fi
  done | tar --null -T - -cf -) | tar -C "$hooks" -xf -
git -C "$hooks" init --quiet
git -C "$hooks" add --all
git -C "$hooks" commit --quiet --message "This checkout"
revision=$(git -C "$hooks" rev-parse HEAD)

# configure: .pre-commit-config.yaml as docs/ci.md shows it, with arguments where $1 has some.
configure() {
  cat >"$app/.pre-commit-config.yaml" <<EOF
repos:
  - repo: $hooks
    rev: $revision
    hooks:
      - id: schema-check
EOF
  if [[ -n ${1:-} ]]; then
    sed "s|^      - id: .*|&$1|" "$app/.pre-commit-config.yaml" | tr '~' '\n' >"$scratch/edited"
    cp "$scratch/edited" "$app/.pre-commit-config.yaml"
  fi
}

install_hook() {
  case $kind in
    framework) in_app "$framework" install ;;
    plain) schemagen hook install ;;
  esac
}

# The first version, in the folder $1 of the app.
write_v1() {
  mkdir -p "$app/$1"
  cat >"$app/$1/V1.yaml" <<'EOF'
version: 1.0.0
models:
  Trip:
    properties:
      id: { type: UUID, unique: true }
      # What people call it.
      name: String = ""
EOF
}

# Writes the second version, with one property more: $1.
write_v2() {
  sed 's/1\.0\.0/2.0.0/' "$app/Schemas/V1.yaml" >"$app/Schemas/V2.yaml"
  echo "      $1" >>"$app/Schemas/V2.yaml"
}

# good, bad: what the disk holds is to be committed, or is not. Nothing is staged.
good() {
  write_v2 "note: String?"
  schemagen generate
}
bad() { write_v2 "count: Int"; }
# What is said of the bad one: the rule, the place, the way out.
complaint=("[missing-default]" "Schemas/V2.yaml:8:7: error: 'Trip.count'"
  "help: for example: count: { type: Int, fill: 0 }")

# A repository in $work/$1 with V1 committed and released, and the hook of $kind.
new_app() {
  app=$work/$1
  mkdir -p "$app"
  in_app git init --quiet
  write_v1 Schemas
  schemagen generate
  schemagen release
  echo "An app" >"$app/README.md"
  if [[ $kind == framework ]]; then configure; fi
  stage
  in_app git commit --quiet --message "V1"
  install_hook
  before=$(head_of)
}

# Back to the first commit.
restore() {
  in_app git reset --quiet --hard "$before"
  in_app git clean -qfd
}

# --- What is stopped, and what passes ------------------------------------------------------------

same_for_both() {
  new_app "$kind app"

  good && stage && commit
  passes "$kind: a good commit"
  if [[ $kind == plain ]]; then
    check "$kind: a good commit: is silent" test ! -s "$scratch/output"
  else
    check "$kind: a good commit: no hook is skipped" says_not "Skipped"
  fi
  restore

  bad && stage && commit
  is_stopped "$kind: a missing default" "${complaint[@]}"
  restore

  in_app sed -i.old 's/name: String = ""/name: String?/' Schemas/V1.yaml
  rm "$app/Schemas/V1.yaml.old"
  stage && commit
  is_stopped "$kind: a shipped version edited" "[shipped-version-edited]" "Schemas/V1.yaml:7:7: error: V1 has shipped" \
    "help: restore V1.yaml: git checkout" "help: make the change in a new version: 'schemagen new-version'"
  restore

  write_v2 "note: String?" && stage && commit
  is_stopped "$kind: generated files not up to date" "'Schemas/Generated/SchemaV2.swift' is missing" \
    "1 error; run: schemagen generate, then 'git add' manifests and generated files"
  restore

  write_v2 "note: [" && stage && commit
  is_stopped "$kind: a broken manifest" "[yaml-syntax]" "Schemas/V2.yaml:9:1: error:"
  restore

  in_app git rm --quiet Schemas/V1.yaml
  commit
  is_stopped "$kind: a shipped version removed, and nothing else" "[shipped-version-missing]"
  restore

  good && stage && bad && commit
  passes "$kind: good staged, bad on disk"
  check "$kind: good staged, bad on disk: the disk stays" grep -q "count: Int" "$app/Schemas/V2.yaml"
  restore

  bad && stage && good && commit
  is_stopped "$kind: bad staged, good on disk" "${complaint[@]}"
  check "$kind: bad staged, good on disk: the disk stays" grep -q "note: String?" "$app/Schemas/V2.yaml"
  restore

  echo "More" >>"$app/README.md"
  stage && commit
  passes "$kind: nothing that matters"
  if [[ $kind == plain ]]; then
    check "$kind: nothing that matters: is silent" test ! -s "$scratch/output"
  fi
  restore

  other_commits
  other_repositories
}

# Commits of another index than the repository's own.
other_commits() {
  good && in_app git add --intent-to-add Schemas && commit --all
  passes "$kind: git commit --all"
  restore
  bad && in_app git add --intent-to-add Schemas && commit --all
  is_stopped "$kind: git commit --all of a missing default" "${complaint[@]}"
  restore

  in_app sed -i.old 's/name: String = ""/name: String?/' Schemas/V1.yaml
  rm "$app/Schemas/V1.yaml.old"
  commit -- Schemas/V1.yaml
  is_stopped "$kind: git commit FILE of a shipped version edited" "[shipped-version-edited]"
  echo "More" >>"$app/README.md"
  in_app git add Schemas/V1.yaml
  commit -- README.md
  passes "$kind: git commit FILE, something bad staged beside it"
  check "$kind: git commit FILE: what is staged stays staged" \
    test "$(git -C "$app" diff --cached --name-only)" = Schemas/V1.yaml
  restore

  good && stage && commit
  check "$kind: before --amend" exits 0
  local first
  first=$(head_of)
  echo "# A comment" >>"$app/Schemas/V2.yaml"
  stage && before=$first && commit --amend
  passes "$kind: git commit --amend"
  before=$(head_of)
  bad && stage && commit --amend
  is_stopped "$kind: git commit --amend to a missing default" "${complaint[@]}"
  before=$first~1
  restore
  before=$(head_of)

  bad && stage
  status=0
  (cd "$app/Schemas" && git commit --quiet --message "From below") >"$scratch/output" 2>&1 || status=$?
  is_stopped "$kind: from a folder below" "${complaint[@]}"
  restore
}

other_repositories() {
  local main=$app

  in_app git worktree add --quiet "../$kind tree" -b "tree"
  app=$work/"$kind tree"
  bad && stage && commit
  is_stopped "$kind: in a worktree" "${complaint[@]}"
  good && stage && commit
  passes "$kind: in a worktree, a good commit"

  app=$work/"$kind outer"
  mkdir "$app"
  in_app git init --quiet
  in_app git submodule --quiet add "$main" "the app"
  in_app git commit --quiet --message "With a submodule"
  app="$app/the app"
  install_hook
  before=$(head_of)
  bad && stage && commit
  is_stopped "$kind: in a submodule" "${complaint[@]}"
  good && stage && commit
  passes "$kind: in a submodule, a good commit"

  app=$work/"$kind new"
  mkdir "$app"
  in_app git init --quiet
  if [[ $kind == framework ]]; then configure; fi
  install_hook
  before=
  write_v1 Schemas && stage && commit
  is_stopped "$kind: the first commit of all, not generated" "run: schemagen generate, then 'git add'"
  schemagen generate && stage && commit
  passes "$kind: the first commit of all"
}

echo "--- the pre-commit framework: $("$framework" --version)"
kind=framework
same_for_both

app=$work/"framework app"
attempt "$framework" run --all-files
check "framework: run --all-files: exits with 0" exits 0
check "framework: run --all-files: nothing is skipped" says_not "Skipped"
before=$(head_of)
bad && stage && commit
check "framework: the hook's own status is shown" says "- exit code: 1"
check "framework: the hook is told by its id" says "- hook id: schema-check"
restore
bad && stage && in_app git commit --quiet --no-verify --message "Past the hook"
attempt "$framework" run --all-files
check "framework: run --all-files: looks at what is committed" says "[missing-default]"
restore

# Another folder: `args` of the app's own configuration.
app=$work/"framework elsewhere"
mkdir "$app"
in_app git init --quiet
configure '~        args: [--schemas, "My App/Models"]'
write_v1 "My App/Models"
schemagen generate --schemas "My App/Models"
install_hook
before=
stage && commit
passes "framework: args for another folder"
before=$(head_of)
in_app sed -i.old 's/name: String = ""/name: String/' "My App/Models/V1.yaml"
rm "$app/My App/Models/V1.yaml.old"
stage && commit
is_stopped "framework: args for another folder, not generated" "run: schemagen generate --schemas 'My App/Models'"

echo "--- the plain hook"
kind=plain
same_for_both

app=$work/"plain app"
before=$(head_of)
in_app git rm --quiet Schemas/Generated/SchemaV1.swift
commit
is_stopped "plain: a generated file removed, and nothing else" \
  "'Schemas/Generated/SchemaV1.swift' is missing" "schemagen: the commit was stopped"
check "plain: a stopped commit: nobody is told the way around the hook" says_not "--no-verify"
commit --no-verify
passes "plain: --no-verify"

# Generated files need not lie below Schemas.
app=$work/"plain outside"
mkdir -p "$app/Schemas"
in_app git init --quiet
write_v1 Schemas
echo "output: ../Sources/Models" >"$app/Schemas/schemagen.yaml"
schemagen generate
install_hook
before=
stage && commit
passes "plain: output outside of Schemas"
before=$(head_of)
echo "// edited" >>"$app/Sources/Models/SchemaV1.swift"
stage && commit
is_stopped "plain: a generated file outside of Schemas edited" "'Sources/Models/SchemaV1.swift' does not match the manifests"

# --- A branch against the remote's, as README.md has it --------------------------------------------

echo "--- origin/main"
git clone --quiet "$work/plain outside" "$work/clone" 2>/dev/null
app=$work/clone
in_app git checkout --quiet -b topic
good && stage
attempt "$SCHEMAGEN" lint --strict --against origin/main
check "origin/main: lint: exits with 0" exits 0
attempt "$SCHEMAGEN" diff --against origin/main --staged
check "origin/main: diff: exits with 0" exits 0
check "origin/main: diff: shows the version that is staged" says "V1 → V2"
in_app git commit --quiet --message "V2"
attempt "$SCHEMAGEN" rebase --onto origin/main
check "origin/main: rebase: exits with 0" exits 0
check "origin/main: rebase: has nothing to do" says "nothing to rebase onto origin/main"

# --- hook install --------------------------------------------------------------------------------

echo "--- hook install"
app=$work/"install"
mkdir -p "$app/App/Schemas"
in_app git init --quiet
hook=$app/.git/hooks/pre-commit

attempt "$SCHEMAGEN" hook install
check "install: exits with 0" exits 0
check "install: says what it wrote" says "wrote .git/hooks/pre-commit: it runs 'schemagen hook run' before each commit"
check "install: the hook can be run" test -x "$hook"
attempt "$SCHEMAGEN" hook install
check "install again: exits with 0" exits 0
(cd "$app/App" && "$SCHEMAGEN" hook install >/dev/null)
check "install from a folder below: the hook starts there" grep -qF 'exec "$tool" hook run --root App' "$hook"
attempt "$SCHEMAGEN" hook install --schemas App/Schemas --schemas "App/My Schemas"
check "install --schemas: the hook has them" \
  grep -qF "hook run --schemas App/Schemas --schemas 'App/My Schemas'" "$hook"
attempt "$SCHEMAGEN" hook install --schemas "$scratch"
check "install --schemas outside: exits with 2" exits 2
check "install --schemas outside: says why" says "is outside the repository"
attempt "$SCHEMAGEN" hook uninstall
check "uninstall: exits with 0" exits 0
check "uninstall: the hook is gone" test ! -e "$hook"
attempt "$SCHEMAGEN" hook uninstall
check "uninstall again: exits with 0, and says so" says "there is no hook at .git/hooks/pre-commit"

printf '#!/bin/sh\nexit 0\n' >"$hook"
chmod +x "$hook"
attempt "$SCHEMAGEN" hook install --schemas App/Schemas
check "install beside another hook: exits with 2" exits 2
check "install beside another hook: says the line to add" \
  says "help: add this line to it: schemagen hook run --schemas App/Schemas || exit 1"
check "install beside another hook: leaves it" grep -qx "exit 0" "$hook"
attempt "$SCHEMAGEN" hook uninstall
check "uninstall of another hook: exits with 2" exits 2
check "uninstall of another hook: leaves it" grep -qx "exit 0" "$hook"
attempt "$SCHEMAGEN" hook install --force
check "install --force: replaces it" grep -q "Written by 'schemagen hook install'" "$hook"
attempt "$SCHEMAGEN" hook uninstall
in_app git commit --quiet --allow-empty --message "One"
echo "repos: []" >"$app/.pre-commit-config.yaml"
in_app "$framework" install
attempt "$SCHEMAGEN" hook install
check "install beside the framework: exits with 2" exits 2
check "install beside the framework: leads there" says "add schemagen's hook to .pre-commit-config.yaml"
in_app "$framework" uninstall
rm "$app/.pre-commit-config.yaml"

in_app git config core.hooksPath .hooks
attempt "$SCHEMAGEN" hook install
check "install with core.hooksPath in the worktree: goes there" test -x "$app/.hooks/pre-commit"
check "install with core.hooksPath in the worktree: says so" says "core.hooksPath is inside the worktree"
in_app git config core.hooksPath "$scratch/shared hooks"
attempt "$SCHEMAGEN" hook install
check "install with core.hooksPath elsewhere: exits with 2" exits 2
check "install with core.hooksPath elsewhere: says why" says "outside this repository"
attempt "$SCHEMAGEN" hook install --force
check "install --force with core.hooksPath elsewhere: goes there" test -x "$scratch/shared hooks/pre-commit"
in_app git config --unset core.hooksPath
app=$scratch
attempt "$SCHEMAGEN" hook install
check "install in no repository: exits with 2" exits 2
check "install in no repository: says so" says "is not in a git repository"

# A hook whose program is gone: nothing passes unseen.
app=$work/"plain app"
in_app sed -i.old 's|for tool in .*; do|for tool in schemagen /nowhere/schemagen; do|' .git/hooks/pre-commit
before=$(head_of)
bad && stage
attempt env -u SCHEMAGEN git commit --quiet --message "Without schemagen"
is_stopped "plain: without a schemagen" "the pre-commit hook finds no program '/nowhere/schemagen'" \
  "help: put schemagen on the PATH"

# --- The entry of the framework's hooks ----------------------------------------------------------

echo "--- schema-hook"
app=$work/"entry"
mkdir "$app" "$scratch/programs"
in_app git init --quiet
entry=$hooks/Scripts/hooks/schema-hook
version=$("$SCHEMAGEN" --version)
# Tools that the script needs, and neither swift nor schemagen: each case adds its own.
for tool in bash cat chmod cp curl cut dirname env find git grep gzip head kill mkdir mktemp mv rm sed sha256sum shasum \
  sleep sort tail tar tr uname xargs; do
  if program=$(command -v "$tool"); then ln -sf "$program" "$scratch/programs/$tool"; fi
done

# program NAME: its text is read from standard input.
program() {
  cat >"$scratch/programs/$1"
  chmod +x "$scratch/programs/$1"
}
run_entry() { attempt env -u SCHEMAGEN "PATH=$scratch/programs" "$@" bash "$entry" diff --staged; }
forget() { rm -rf "$scratch/programs/swift" "$scratch/programs/schemagen" "$hooks/.build"; }

run_entry SCHEMAGEN=/nowhere
check "entry: SCHEMAGEN that is not a program: exits with 2" exits 2
check "entry: SCHEMAGEN that is not a program: says so" says "SCHEMAGEN is '/nowhere', and that is not a program"
run_entry
check "entry: no Swift: exits with 2" exits 2
check "entry: no Swift: says so" says "no Swift to build it with"
check "entry: no Swift: shows a way out" says "put schemagen on the PATH"
check "entry: no Swift: says why nothing is downloaded" \
  says "not downloaded: Scripts/release/checksums knows no archive of $version"
echo "An app" >"$app/LICENSE"
stage
run_entry
check "entry: no Swift, nothing that matters staged: exits with 0" exits 0
write_v1 Schemas && stage
run_entry
check "entry: no Swift, a manifest staged: exits with 2" exits 2
in_app git commit --quiet --message "V1"
in_app git rm --quiet Schemas/V1.yaml
run_entry
check "entry: no Swift, a manifest removed: exits with 2" exits 2
in_app git reset --quiet --hard

printf '#!/bin/sh\n[ "$1" = --version ] && echo %s || echo "on the PATH: $*"\n' "$version" | program schemagen
run_entry
check "entry: the same version on the PATH: is run" says "on the PATH: diff --staged"
printf '#!/bin/sh\n[ "$1" = --version ] && echo 0.0.9 || echo "on the PATH: $*"\n' | program schemagen
run_entry
check "entry: another version on the PATH: is not run" says "they use their own"
check "entry: another version on the PATH: both are named" says "is 0.0.9, and these hooks are $version"
check "entry: another version on the PATH: says how to use it" says "export SCHEMAGEN=schemagen"
forget

# A Swift that says what it sees, and takes its time.
program swift <<'EOF'
#!/bin/sh
echo "$PWD $* GIT_DIR=${GIT_DIR:-} GIT_INDEX_FILE=${GIT_INDEX_FILE:-}" >>"$LOG"
sleep 2
mkdir -p .build/release
for name in schemagen schemagen-sources; do
  printf '#!/bin/sh\necho "built: $* GIT_INDEX_FILE=${GIT_INDEX_FILE:-}"\n' >.build/release/$name
  chmod +x .build/release/$name
done
EOF
index=$app/.git/index
run_entry "LOG=$scratch/swift.log" "GIT_INDEX_FILE=$index" "GIT_DIR=$app/.git"
check "entry: builds where there is none: exits with 0" exits 0
check "entry: builds where there is none: says so" says "building schemagen $version in release"
for product in schemagen-sources schemagen; do
  check "entry: $product is built, in the hooks' checkout" \
    grep -qF "$hooks build -c release --product $product " "$scratch/swift.log"
done
check "entry: the build sees nothing of git's" grep -q "GIT_DIR= GIT_INDEX_FILE=$" "$scratch/swift.log"
check "entry: schemagen sees the index" says "built: diff --staged GIT_INDEX_FILE=$index"
run_entry "LOG=$scratch/swift.log"
check "entry: the second time: builds nothing" test "$(wc -l <"$scratch/swift.log")" -eq 2
check "entry: the second time: runs what was built" says "built: diff --staged"

rm -rf "$hooks/.build"
: >"$scratch/swift.log"
# One that died in the middle leaves its lock.
mkdir -p "$hooks/.build/hooks.lock"
echo 999999999 >"$hooks/.build/hooks.lock/pid"
builders=()
for number in 1 2 3; do
  (cd "$app" && env -u SCHEMAGEN "PATH=$scratch/programs" "LOG=$scratch/swift.log" bash "$entry" diff) \
    >"$scratch/parallel.$number" 2>&1 </dev/null &
  builders+=($!)
done
status=0
for builder in "${builders[@]}"; do wait "$builder" || status=$?; done
cat "$scratch"/parallel.* >"$scratch/output"
check "entry: three at once: exit with 0" exits 0
check "entry: three at once: one builds" test "$(wc -l <"$scratch/swift.log")" -eq 2
check "entry: three at once: the others wait" says "waiting for another commit that downloads or builds schemagen"
check "entry: three at once: each runs" test "$(grep -c "^built: diff" "$scratch/output")" -eq 3
check "entry: three at once: no lock is left" test ! -e "$hooks/.build/hooks.lock"

rm -rf "$hooks/.build"
printf '#!/bin/sh\necho "fatal error: '"'yaml.h'"' file not found" >&2\nexit 1\n' | program swift
run_entry
check "entry: no libyaml: exits with 2" exits 2
check "entry: no libyaml: says what to install" says "apt-get install libyaml-dev libsqlite3-dev zlib1g-dev"
check "entry: no libyaml: shows what was said" says "'yaml.h' file not found"
check "entry: no libyaml: no lock is left" test ! -e "$hooks/.build/hooks.lock"
forget

# What is downloaded says so; a build would too.
stubs=$root/Tests/Integration/stub_release.py
"$python" "$stubs" archives "$scratch/archives" "$version"
"$python" "$stubs" serve "$scratch/archives" "$scratch/port" "$scratch/requests" &
server=$!
until [[ -s $scratch/port ]]; do sleep 0.05; done
served=http://127.0.0.1:$(cat "$scratch/port")
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
"$python" "$stubs" checksums "$hooks" "$scratch/archives"
program swift <<'EOF'
#!/bin/sh
echo "build" >>"$LOG"
mkdir -p .build/release
for name in schemagen schemagen-sources; do
  printf '#!/bin/sh\necho "built: $*"\n' >.build/release/$name
  chmod +x .build/release/$name
done
EOF
: >"$scratch/swift.log"
run_entry "LOG=$scratch/swift.log" "SCHEMAGEN_DOWNLOADS=$served/good" "GIT_INDEX_FILE=$index"
check "entry: a release: exits with 0" exits 0
check "entry: a release: says so" says "schemagen $version was downloaded"
check "entry: a release: is run" says "downloaded schemagen $version: diff --staged"
check "entry: a release: builds nothing" test ! -s "$scratch/swift.log"
run_entry "LOG=$scratch/swift.log" "SCHEMAGEN_DOWNLOADS=$served/good"
check "entry: a release, the second time: is run" says "downloaded schemagen $version: diff --staged"
check "entry: a release, the second time: nothing is asked for" test "$(wc -l <"$scratch/requests")" -eq 1

rm -rf "$hooks/.build"
: >"$scratch/requests"
builders=()
for number in 1 2 3; do
  (cd "$app" && env -u SCHEMAGEN "PATH=$scratch/programs" "LOG=$scratch/swift.log" "SCHEMAGEN_DOWNLOADS=$served/good" \
    bash "$entry" diff) >"$scratch/parallel.$number" 2>&1 </dev/null &
  builders+=($!)
done
status=0
for builder in "${builders[@]}"; do wait "$builder" || status=$?; done
cat "$scratch"/parallel.* >"$scratch/output"
check "entry: a release, three at once: exit with 0" exits 0
check "entry: a release, three at once: one downloads" test "$(wc -l <"$scratch/requests")" -eq 1
check "entry: a release, three at once: each runs" test "$(grep -c "^downloaded schemagen" "$scratch/output")" -eq 3
# Without the hook's lock, as two jobs on one machine.
rm -rf "$hooks/.build/hooks"
builders=()
for number in 1 2 3; do
  (cd "$app" && SCHEMAGEN_DOWNLOADS=$served/good "$hooks/Scripts/release/download.sh" "$hooks/.build/hooks/schemagen" &&
    "$hooks/.build/hooks/schemagen" --version) >"$scratch/parallel.$number" 2>&1 </dev/null &
  builders+=($!)
done
status=0
for builder in "${builders[@]}"; do wait "$builder" || status=$?; done
check "download.sh, three at once: exit with 0" exits 0
check "download.sh, three at once: each runs" test "$(cat "$scratch"/parallel.* | grep -cx "$version")" -eq 3
check "download.sh, three at once: nothing else is left" \
  test "$(ls "$hooks/.build/hooks" | tr "\n" " ")" = "schemagen schemagen-sources "

rm -rf "$hooks/.build"
run_entry "LOG=$scratch/swift.log" "SCHEMAGEN_DOWNLOADS=$served/half"
check "entry: half a download: exits with 0" exits 0
check "entry: half a download: says why" says "not downloaded: $served/half/schemagen-"
check "entry: half a download: is built" says "built: diff --staged"
rm -rf "$hooks/.build"
run_entry "LOG=$scratch/swift.log" SCHEMAGEN_DOWNLOADS=http://127.0.0.1:1
check "entry: no network: is built" says "built: diff --staged"
for kind in cut page; do
  rm -rf "$hooks/.build"
  : >"$scratch/swift.log"
  run_entry "LOG=$scratch/swift.log" "SCHEMAGEN_DOWNLOADS=$served/$kind"
  check "entry: another checksum, $kind: exits with 2" exits 2
  check "entry: another checksum, $kind: says so" says "and Scripts/release/checksums says"
  check "entry: another checksum, $kind: shows ways out" says "export SCHEMAGEN_DOWNLOADS=none"
  check "entry: another checksum, $kind: builds nothing" test ! -s "$scratch/swift.log"
  check "entry: another checksum, $kind: no lock and no program is left" test -z "$(ls "$hooks/.build/hooks")"
done
forget

echo
echo "$passed passed, $failed failed"
((failed == 0))
