#!/usr/bin/env bash
# Runs the real plugin on a copy of Examples/Consumer, as its users do.
#
#   plugin.sh             with the plugins package, as releases publish it, around the programs of the debug build
#   plugin.sh --source    with the checkout as a package: SwiftPM compiles the programs once more, for its plugins.
#                         packages.sh runs it, where that rests on something else than when it last passed
#
# SCHEMAGEN   the binary, without --source; else the checkout's own debug build
#
# The copy is a git repository of its own, in a folder with a space in its path: `git status` says
# what was written. With --source it is built into the checkout's own .build, from the checkout's path and
# with its versions of dependencies.
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

# git hooks export where their repository is, which would send git and SwiftPM there.
# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
work=$(cd "$scratch" && pwd -P)/"a folder"
consumer=$work/Consumer
is_source=false
options=()
if [[ ${1:-} == --source ]]; then
  is_source=true
  options=(--scratch-path "$root/.build" --force-resolved-versions)
fi
unset SCHEMAGEN_PLUGINS

mkdir "$work"

# Runs `swift package` in the folder $1; keeps status and output.
#
# SwiftPM itself can end with signal 11, in libdispatch (github.com/swiftlang/swift/issues/87033; seen once in CI). That
# is not what is tested here, and is told from what is: where a plugin or the tool crashes, SwiftPM exits with 1. So what
# it left is shown, and it runs once more.
package_in() {
  local folder=$1
  shift
  package_once "$folder" "$@"
  ((status >= 128)) || return 0
  echo "NOTE  swift package ended with signal $((status - 128)), and runs once more:"
  grep -m 1 -A 24 -F 'crashed:' "$scratch/output" | sed 's/^/      | /' || true
  package_once "$folder" "$@"
}

package_once() {
  local folder=$1
  shift
  status=0
  (cd "$folder" && swift package ${options[@]+"${options[@]}"} "$@" </dev/null) >"$scratch/output" 2>&1 || status=$?
}

generate_schema() {
  package_in "$consumer" --allow-writing-to-package-directory generate-schema "$@"
}

lint_schema() {
  package_in "$consumer" lint-schema "$@"
}

detect_schema_changes() {
  package_in "$consumer" detect-schema-changes "$@"
}

# What a failed check prints besides: not what SwiftPM compiled on the way.
tell() {
  echo "status $status, and said:"
  grep -Ev '^\[[0-9]+/[0-9]+\]' "$scratch/output" | tail -n 40
}

in_git() { git -C "$consumer" "$@"; }
is_clean() { [[ -z $(in_git status --porcelain) ]]; }
only_changed() { [[ $(in_git status --porcelain) == " M $1" ]]; }
has_changed() { [[ $(in_git status --porcelain) == *" M $1"* ]]; }
restore() {
  in_git reset -q --hard
  in_git clean -qfd
}

# edit FILE SED-SCRIPT: `sed -i` is not the same everywhere.
edit() {
  sed "$2" "$consumer/$1" >"$scratch/edited"
  if cmp -s "$scratch/edited" "$consumer/$1"; then
    echo "plugin.sh: error: '$2' changes nothing in $1" >&2
    exit 2
  fi
  cp "$scratch/edited" "$consumer/$1"
}

compiles() {
  local files=()
  while IFS= read -r -d '' file; do files+=("$file"); done \
    < <(find "$consumer/Sources/TripModels" -name '*.swift' -print0)
  "$root/Tests/Support/SwiftDataInterface/check.sh" --cache "$root/.build/integration/interface" \
    -module-name TripModels "${files[@]}"
}

# --- The copy ------------------------------------------------------------------------------------

tar -C "$root/Examples" --exclude .build --exclude .swiftpm -cf - Consumer | tar -C "$work" -xf -
if $is_source; then
  package=$root
  [[ -f $root/Package.resolved ]] || swift package --package-path "$root" resolve
  cp "$root/Package.resolved" "$consumer/"
else
  package=$scratch/schemagen-plugins
  bundle=$package/schemagen.artifactbundle
  schemagen=${SCHEMAGEN:-$root/.build/debug/schemagen}
  mkdir -p "$bundle/bin"
  triple=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
  artifacts=
  for name in schemagen schemagen-sources; do
    ln -s "$(dirname "$schemagen")/$name" "$bundle/bin/$name"
    artifacts+="${artifacts:+, }\"$name\": { \"type\": \"executable\", \"version\": \"1.0.0\", \"variants\": [
      { \"path\": \"bin/$name\", \"supportedTriples\": [\"$triple\"] }] }"
  done
  echo "{ \"schemaVersion\": \"1.0\", \"artifacts\": { $artifacts } }" >"$bundle/info.json"
  "$root/Scripts/release/packages.py" plugins "$package" --path "$(basename "$bundle")"
  # What its own tests need on Linux is schemagen itself, and with it the same plugins once more.
  edit Package.swift '/product(name: "SwiftData"/d'
fi
edit Package.swift "s|path: \"../..\"|path: \"$package\"|"
printf '%s\n' .build/ .swiftpm/ Package.resolved >"$consumer/.gitignore"
in_git init -q
in_git config user.name "Integration test"
in_git config user.email test@example.invalid
in_git config commit.gpgsign false
in_git config core.autocrlf false
in_git add -A
in_git commit -qm "As checked in"

# --- What is checked in --------------------------------------------------------------------------

if $is_source; then echo "building the tool (minutes, unless the checkout is built)"; fi
started=$SECONDS
package_in "$consumer" plugin --list
check "plugin --list: exits with 0" exits 0
check "plugin --list: shows the verb" says "generate-schema"
cp "$scratch/output" "$scratch/plugins"

generate_schema --check
echo "      first run: $((SECONDS - started)) s"
check "--check of the checked-in files: exits with 0" exits 0
check "--check of the checked-in files: says so" says "Schemas: up to date"
check "--check of the checked-in files: paths are relative to the package" says_not "$consumer"

started=$SECONDS
generate_schema
echo "      second run: $((SECONDS - started)) s"
check "generation of what is current: exits with 0" exits 0
check "generation of what is current: changes nothing" is_clean

# --- The gate ------------------------------------------------------------------------------------

check "plugin --list: shows the gate's verb" grep -qF "lint-schema" "$scratch/plugins"
lint_schema --strict
check "lint-schema: exits with 0" exits 0
lint_schema explain missing-default
check "lint-schema explain: exits with 0" exits 0
check "lint-schema explain: tells of the rule" says "134110"
lint_schema lint --nonsense
check "lint-schema with wrong usage: exits with 1, as swift package does" exits 1
check "lint-schema with wrong usage: says what it was" says "wrong usage"
printf '      budget: Int\n' >>"$consumer/Schemas/V2.yaml"
lint_schema
check "lint-schema of a mistake: exits with 1" exits 1
check "lint-schema of a mistake: says it, with its rule" says "[missing-default]"
check "lint-schema of a mistake: with a path relative to the package" says "Schemas/V2.yaml:"
check "lint-schema of a mistake: says where more is told" says "lint-schema explain RULE"
restore

# --- What reads Swift ----------------------------------------------------------------------------

check "plugin --list: shows the verb of what reads Swift" \
  grep -qF "detect-schema-changes" "$scratch/plugins"
if $is_source; then echo "building what reads Swift (minutes, unless the checkout is built)"; fi
started=$SECONDS
detect_schema_changes help
echo "      first run: $((SECONDS - started)) s"
check "detect-schema-changes help: exits with 0" exits 0
check "detect-schema-changes help: lists the commands" says "affected"
started=$SECONDS
detect_schema_changes affected
echo "      second run: $((SECONDS - started)) s"
check "detect-schema-changes affected: exits with 0" exits 0
check "detect-schema-changes affected: lists places" \
  says "Tests/TripModelsTests/TripStoreTests.swift:"
check "detect-schema-changes affected: with paths relative to the package" says_not "$consumer"
detect_schema_changes
check "detect-schema-changes: exits with 0 where models are as generated" exits 0
check "detect-schema-changes: says so" says "Models match latest schema"
printf 'import SwiftData\n\n@Model final class Extra { init() {} }\n' \
  >"$consumer/Sources/TripModels/Extra.swift"
detect_schema_changes
check "detect-schema-changes of a new model: exits with 1" exits 1
check "detect-schema-changes of a new model: names it as the guide does" says "NEW MODELS DETECTED"
check "detect-schema-changes of a new model: with its place" \
  says "Sources/TripModels/Extra.swift:3:20: error"
restore
detect_schema_changes affected --nonsense
check "detect-schema-changes with wrong usage: exits with 1, as swift package does" exits 1
check "detect-schema-changes with wrong usage: says whose" says "schemagen-sources affected could not"
check "detect-schema-changes: changes nothing" is_clean

rm -rf "$consumer/Sources/TripModels/Generated" "$consumer/Sources/TripModels/Migrations"
rm "$consumer/Schemas/MIGRATIONS.md"
generate_schema
check "fresh generation: exits with 0" exits 0
check "fresh generation: names what it wrote" says "wrote   Sources/TripModels/Generated/"
check "fresh generation: equals the checked-in files" is_clean
check "the generated files compile" compiles
restore

package_in "$consumer/Sources" --allow-writing-to-package-directory generate-schema --check
check "from a folder below: exits with 0" exits 0
package_in "$work" --package-path Consumer --allow-writing-to-package-directory \
  generate-schema --check
check "from a folder above: exits with 0" exits 0
check "from a folder above: paths start there" says "Consumer/Schemas: up to date"

# --- Drift ---------------------------------------------------------------------------------------

edit Schemas/V2.yaml 's/isArchived: Bool = false/isArchived: Bool = true/'
generate_schema --check
check "--check after an edit: exits with 1" exits 1
check "--check after an edit: names the file" \
  says "would update Sources/TripModels/Generated/TripSchemaV2.swift"
check "--check after an edit: says what to do" says "brings them up to date"
check "--check after an edit: writes nothing" only_changed Schemas/V2.yaml

generate_schema --dry-run
check "--dry-run: exits with 0" exits 0
check "--dry-run: shows the new text" says "isArchived: Bool = true"
check "--dry-run: writes nothing" only_changed Schemas/V2.yaml

package_in "$consumer" generate-schema
check "without permission: exits with 1" exits 1
check "without permission: names the option" says "--allow-writing-to-package-directory"
check "without permission: writes nothing" only_changed Schemas/V2.yaml

generate_schema --target TripModels
check "generation after an edit: exits with 0, and Xcode's --target is not an obstacle" exits 0
check "generation after an edit: updates the file" \
  has_changed "Sources/TripModels/Generated/TripSchemaV2.swift"
generate_schema --check
check "generation after an edit: then --check exits with 0" exits 0
check "generation after an edit: the files compile" compiles
restore

# --- Mistakes ------------------------------------------------------------------------------------

edit Schemas/V2.yaml 's/^models:/models: [/'
generate_schema
check "a manifest that is not YAML: exits with 1" exits 1
check "a manifest that is not YAML: names the place" says "Schemas/V2.yaml:"
check "a manifest that is not YAML: says what kind of failure it is" says "a broken manifest"
check "a manifest that is not YAML: writes nothing" only_changed Schemas/V2.yaml
restore

edit Schemas/V2.yaml 's/from: kilometres/from: kilometers/'
generate_schema
check "an error in a step: exits with 1" exits 1
check "an error in a step: names the place" says "Schemas/V2.yaml:16:15: error:"
check "an error in a step: says what kind of failure it is" says "found errors in the manifests"
check "an error in a step: writes nothing" only_changed Schemas/V2.yaml
restore

generate_schema --no-such-option
check "an unknown option: exits with 1" exits 1
check "an unknown option: is named" says "--no-such-option"

# --- Other folders, other commands ---------------------------------------------------------------

generate_schema --schemas Other
check "--schemas, a folder that is not there: exits with 1" exits 1
mkdir "$consumer/Other"
cp "$consumer/Schemas/V1.yaml" "$consumer/Other/"
generate_schema --schemas Other
check "--schemas: exits with 0" exits 0
check "--schemas: generates there" test -f "$consumer/Other/Generated/SchemaV1.swift"
check "--schemas: and nowhere else" in_git diff --quiet
restore

generate_schema diff --from V1
check "diff: exits with 0" exits 0
check "diff: shows the change" says "title → name"
generate_schema new-version
check "new-version: exits with 0" exits 0
check "new-version: writes the next manifest" test -f "$consumer/Schemas/V3.yaml"
restore
generate_schema init Started
check "init: exits with 0" exits 0
check "init: writes a manifest into the package" test -f "$consumer/Started/V1.yaml"
restore
generate_schema help
check "help: exits with 0" exits 0
check "help: lists the commands" says "new-version"

# Another SDK has a plugin with the same verb. A package is known by the name of its folder.
identity=$(basename "$package" | tr '[:upper:]' '[:lower:]')
package_in "$consumer" --package "$identity" --allow-writing-to-package-directory \
  generate-schema --check
check "--package with our name: exits with 0" exits 0
package_in "$consumer" --package another --allow-writing-to-package-directory \
  generate-schema --check
check "--package with another name: does not find it" says "generate-schema"
check "--package with another name: fails" exits 64

echo
echo "$passed passed, $failed failed"
((failed == 0))
