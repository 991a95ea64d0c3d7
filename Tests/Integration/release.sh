#!/usr/bin/env bash
# Makes releases of a copy of this checkout with Scripts/release.sh, from archives of shell scripts. Nothing is built, and
# nothing comes from the network.
#
#   release.sh
#
# SCHEMAGEN   the binary that the formula's test runs; without it the checkout's own debug build
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
SCHEMAGEN=${SCHEMAGEN:-$(cd "$root" && swift build --show-bin-path)/schemagen}
SCHEMAGEN=$(cd "$(dirname "$SCHEMAGEN")" && pwd)/$(basename "$SCHEMAGEN")
python=$root/.build/tools/bin/python
for program in "$SCHEMAGEN" "$python"; do
  [[ -x $program ]] || fail "no program at '$program': run 'swift build' and Scripts/install-python-tools.sh"
done
command -v ruby >/dev/null || apt_install ruby
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
printf '%s\n' '[user]' 'name = Integration test' 'email = test@example.invalid' '[init]' \
  'defaultBranch = main' '[commit]' 'gpgsign = false' >"$scratch/gitconfig"
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_NOSYSTEM=1 PYTHONDONTWRITEBYTECODE=1
stubs=$root/Tests/Integration/stub_release.py
if ! command -v sha256sum >/dev/null; then
  sha256sum() { shasum -a 256 "$@"; }
  export -f sha256sum
fi

holds() { grep -qF -- "$2" "$1" || { cat "$1"; return 1; }; }
same() { diff -r "$1" "$2"; }
is_clean() { test -z "$(git -C "$copy" status --porcelain)"; }
# release ARGUMENT…: keeps status and output.
release() {
  status=0
  "$copy/Scripts/release.sh" "$@" >"$scratch/output" 2>&1 </dev/null || status=$?
}
commit() {
  git -C "$copy" add --all
  git -C "$copy" commit --quiet --message "$1"
}

check "this checkout: one version and one owner" "$root/Scripts/release/versions.py" check

# --- A copy with a version to release --------------------------------------------------------------

copy=$scratch/copy
mkdir "$copy"
git -C "$root" ls-files --cached --others --exclude-standard -z |
  (cd "$root" && while IFS= read -r -d '' file; do
    if [[ -e $file || -L $file ]]; then printf '%s\0' "$file"; fi
  done | tar --null -T - -cf -) | tar -C "$copy" -xf -
# A build says that it was asked for; the two packages come without SwiftPM's help.
cat >"$copy/Scripts/release/build.sh" <<'END'
#!/usr/bin/env bash
echo "build $*"
END
cat >"$copy/Scripts/release/packages.py" <<'END'
#!/usr/bin/env python3
import pathlib, sys
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True)
(folder / "Package.swift").write_text(" ".join(sys.argv[3:]) + "\n")
END
chmod +x "$copy"/Scripts/release/{build.sh,bundle.py,packages.py}
cat >"$scratch/changelog" <<'END'
# Changelog

## [Unreleased]

### Added

- Something to release.

## [1.2.0] - 2026-01-01

### Added

- Something released.
END
cp "$scratch/changelog" "$copy/CHANGELOG.md"
git -C "$copy" init --quiet
"$copy/Scripts/release/versions.py" set 1.2.0 2026-01-01
GIT_COMMITTER_DATE=2026-05-06T12:00:00Z commit "Before"
start=$(git -C "$copy" rev-parse HEAD)

archives=$scratch/archives
"$python" "$stubs" archives "$archives" 1.3.0
# The formula's test runs the real program.
name=schemagen-1.3.0-x86_64-unknown-linux-gnu
tar -xzf "$archives/$name.tar.gz" -C "$scratch"
cat >"$scratch/$name/bin/schemagen" <<END
#!/bin/sh
if [ "\$1" = --version ]; then echo 1.3.0; else exec '$SCHEMAGEN' "\$@"; fi
END
tar -czf "$archives/$name.tar.gz" -C "$scratch" "$name"
# built_of: what the archives say that they were built of, as the build would have it on that commit.
built_of() {
  local archive folder
  "$copy/Scripts/release/versions.py" set 1.3.0 2026-01-01
  for archive in "$archives"/*.tar.gz; do
    folder=$(basename "$archive" .tar.gz)
    tar -xzf "$archive" -C "$scratch"
    sed -i.old '/^sources/d' "$scratch/$folder/share/doc/schemagen/built-of.txt"
    rm "$scratch/$folder/share/doc/schemagen/built-of.txt.old"
    echo "sources 1.3.0 $("$copy/Scripts/release/download.sh" --sources)" >>"$scratch/$folder/share/doc/schemagen/built-of.txt"
    tar -czf "$archive" -C "$scratch" "$folder"
  done
  git -C "$copy" checkout --quiet .
}
built_of
pins() {
  printf '{"pins": ['
  local separator='' package
  for package in "$@"; do
    printf '%s{"identity": "%s", "location": "https://github.com/swiftlang/%s.git", "state": {"revision": "%040d", "version": "1.0.0"}}' \
      "$separator" "$package" "$package" 7
    separator=,
  done
  printf '], "version": 3}\n'
}
pins swift-argument-parser swift-mustache swift-syntax >"$archives/Package.resolved"

# --- Refused ---------------------------------------------------------------------------------------

mkdir "$scratch/few"
cp "$archives"/*linux* "$scratch/few/"
echo "edited" >>"$copy/README.md"
echo "new" >"$copy/new.txt"
release 1.2 --archives "$scratch/few" --date yesterday
check "refused: exits with 1" exits 1
check "refused: what is no version" says "'1.2' is no version as semver.org has them"
check "refused: what is no day" says "--date is 'yesterday': write it as 2026-12-31"
check "refused: without an owner" says "the repository has no owner yet (https://github.com/OWNER/schemagen): Scripts/release.sh --owner NAME"
check "refused: a checkout with changes" says "has what no commit has: README.md new.txt"
check "refused: a platform that is missing" says "few has no schemagen-1.2-arm64-apple-macosx.tar.gz"
git -C "$copy" checkout --quiet -- .
rm "$copy/new.txt"
release 1.2.0-beta.1 --dry-run
check "refused: an older version" says "1.2.0-beta.1 is not newer than 1.2.0"
sed -i.old '/Something to release/d; /### Added/d' "$copy/CHANGELOG.md"
rm "$copy/CHANGELOG.md.old"
commit "Nothing new"
release 1.3.0 --dry-run
check "refused: nothing new" says "CHANGELOG.md says nothing under [Unreleased]: write what is new"
sed -i.old 's|schemagen@v1.2.0|schemagen@v1.1.0|' "$copy/docs/ci.md"
rm "$copy/docs/ci.md.old"
commit "Disagree"
release 1.3.0 --dry-run
check "refused: a page that names another version" \
  says ": the version is 1.1.0, and 1.2.0 elsewhere: /schemagen@v1.1.0"
git -C "$copy" reset --quiet --hard "$start"
pins swift-argument-parser swift-mustache >"$scratch/few/Package.resolved"
cp "$archives"/*.tar.gz "$scratch/few/"
release 1.3.0 --archives "$scratch/few" --dry-run
check "refused: a dependency that nothing was resolved for" says "Package.resolved has no swift-syntax"
check "refused: nothing is changed" is_clean
release
check "no version: exits with 1" exits 1
release 1.3.0 --date
check "an option without its value: says the usage" says "usage: release.sh VERSION"

# --- A dry run -------------------------------------------------------------------------------------

release 1.3.0 --archives "$archives" --output "$scratch/dry" --dry-run
check "a dry run: exits with 0" exits 0
check "a dry run: changes nothing" is_clean
check "a dry run: shows the version" says '+  package static let version = "1.3.0"'
check "a dry run: shows the section of the commit's day" says "+## [1.3.0] - 2026-05-06"
check "a dry run: shows pages" says "+    rev: v1.3.0"
check "a dry run: shows the pinned archives" says "+1.3.0 sources "
cp -R "$scratch/dry" "$scratch/dry.first"
release 1.3.0 --archives "$archives" --output "$scratch/dry" --dry-run
check "a dry run again: the same bytes" same "$scratch/dry.first" "$scratch/dry"
assets=$scratch/dry/assets
check "a dry run: the sums are right" bash -c 'cd "$1" && sha256sum --check --strict SHA256SUMS' - "$assets"
check "a dry run: every asset has a sum" test "$(wc -l <"$assets/SHA256SUMS")" -eq "$(($(ls "$assets" | wc -l) - 1))"
check "a dry run: archives, bundle, SBOM, formula, what was resolved" test "$(ls "$assets" | tr '\n' ' ')" = \
  "Package.resolved SHA256SUMS schemagen-1.3.0-aarch64-unknown-linux-gnu.tar.gz schemagen-1.3.0-arm64-apple-macosx.tar.gz schemagen-1.3.0-x86_64-apple-macosx.tar.gz schemagen-1.3.0-x86_64-unknown-linux-gnu.tar.gz schemagen-1.3.0.cdx.json schemagen.artifactbundle.zip schemagen.rb "
check "a dry run: notes are the section" holds "$scratch/dry/notes.md" "- Something to release."
check "a dry run: notes are no other section" not grep -F "Something released" "$scratch/dry/notes.md"
bundle_sum=$(sha256sum "$assets/schemagen.artifactbundle.zip" | cut -d' ' -f1)
check "a dry run: the plugins package gets the bundle's address and checksum" \
  holds "$scratch/dry/packages/schemagen-plugins/Package.swift" \
  "--url https://github.com/OWNER/schemagen/releases/download/v1.3.0/schemagen.artifactbundle.zip --checksum $bundle_sum"
check "a dry run: the library's package is there" test -f "$scratch/dry/packages/SchemaMigrationKit/Package.swift"

# --- SBOM ------------------------------------------------------------------------------------------

sbom=$assets/schemagen-1.3.0.cdx.json
valid() { "$python" "$root/Tests/SchemaFiles/validate_sbom.py" "$1"; }
check "the SBOM: is CycloneDX 1.6" valid "$sbom"
check "the SBOM: has the packages" holds "$sbom" '"pkg:swift/github.com/swiftlang/swift-syntax@1.0.0"'
check "the SBOM: has what is linked" holds "$sbom" '"pkg:deb/ubuntu/libyaml-dev@0.2.5-1?arch=amd64&distro=jammy"'
check "the SBOM: has each archive with its checksum" \
  holds "$sbom" "$(sha256sum "$archives/$name.tar.gz" | cut -d' ' -f1)"
sed 's/"type": "library"/"type": "lib"/' "$sbom" >"$scratch/bad.json"
check "the SBOM's check: refuses a type that there is not" not valid "$scratch/bad.json"
sed 's/"expression": "MIT"/"license": {"id": "MITT"}/' "$sbom" >"$scratch/bad.json"
check "the SBOM's check: refuses a licence that there is not" not valid "$scratch/bad.json"

# --- The formula -----------------------------------------------------------------------------------

formula=$assets/schemagen.rb
check "the formula: is Ruby" ruby -c "$formula"
check "the formula's template: is Ruby" ruby -c "$root/Scripts/release/schemagen.rb"
check "the formula: is filled in" not grep '@[A-Za-z0-9_-]*@' "$formula"
install() { ruby "$root/Tests/Integration/formula.rb" "$formula" "$archives" "$scratch/brew" "$@"; }
check "the formula: installs, and its test passes" install linux intel
check "the formula: man pages" test -f "$scratch/brew/Cellar/schemagen/share/man/man1/schemagen.1"
check "the formula: completions" test -f "$scratch/brew/Cellar/schemagen/etc/bash_completion.d/schemagen"
for triple in aarch64-unknown-linux-gnu arm64-apple-macosx x86_64-apple-macosx; do
  sum=$(sha256sum "$archives/schemagen-1.3.0-$triple.tar.gz" | cut -d' ' -f1)
  check "the formula: $triple with its checksum" \
    bash -c 'grep -A1 -F "$1.tar.gz\"" "$2" | grep -qF "sha256 \"$3\""' - "$triple" "$formula" "$sum"
done

# --- A release -------------------------------------------------------------------------------------

release --owner "acme corp"
check "an owner that is none: is refused" says "'acme corp' is no name of an owner"
release --owner acme
check "an owner: exits with 0" exits 0
check "an owner: says what to do next" says "make references"
check "an owner: the old one stands nowhere" not grep -rE "OWNER/(schemagen|SchemaMigrationKit)" "$copy" --include='*.*' --exclude-dir=.git \
  --exclude=versions.py --exclude-dir=Integration --exclude=CHANGELOG.md
GIT_COMMITTER_DATE=2026-05-07T12:00:00Z commit "An owner"

release 1.3.0 --archives "$archives" --output "$scratch/out"
check "archives of other sources: are refused" \
  says "$name.tar.gz was built of other sources than this commit's: build it again"
built_of
release 1.3.0
check "without archives: exits with 0" exits 0
check "without archives: this machine's is built" says "build --output $copy/.build/release-1.3.0/archives"
check "without archives: says what is next" says "Scripts/release.sh 1.3.0 --archives FOLDER"
check "without archives: the version is set" test "$("$copy/Scripts/release/versions.py" check)" = \
  "every file names acme and 1.3.0"
release 1.3.0 --archives "$archives" --output "$scratch/out" --date 2026-05-07
check "a release: exits with 0, although its own changes are no commit yet" exits 0
check "a release: the section of the day" holds "$copy/CHANGELOG.md" "## [1.3.0] - 2026-05-07"
check "a release: an empty [Unreleased] stays" \
  bash -c 'sed -n "/Unreleased/,/1.3.0/p" "$1" | grep -v "^## \|^$"; ((PIPESTATUS[1] == 1))' - "$copy/CHANGELOG.md"
check "a release: says what is left" says "git tag v1.3.0"
cp -R "$scratch/out" "$scratch/out.first"
git -C "$copy" diff >"$scratch/diff.first"
release 1.3.0 --archives "$archives" --output "$scratch/out"
check "a release again: exits with 0" exits 0
git -C "$copy" diff >"$scratch/diff"
check "a release again: the same changes" same "$scratch/diff.first" "$scratch/diff"
check "a release again: the same bytes" same "$scratch/out.first" "$scratch/out"
echo "// edited" >>"$copy/Sources/Schema/SchemaModel/Rules/Rule.swift"
release 1.3.0 --archives "$archives" --output "$scratch/out"
check "a release beside other changes: is refused" says "has what no commit has: Sources/Schema/SchemaModel/Rules/Rule.swift"
git -C "$copy" checkout --quiet Sources/Schema/SchemaModel/Rules/Rule.swift

GIT_COMMITTER_DATE=2026-05-09T12:00:00Z commit "Release 1.3.0"
git -C "$copy" tag v1.3.0
# As the workflow holds the tag against the draft.
release 1.3.0 --archives "$scratch/out.first/assets" --output "$scratch/again"
check "at the tag: exits with 0" exits 0
check "at the tag: nothing to change" says "the checkout is that of 1.3.0: nothing to change"
check "at the tag: the assets are those of the draft" same "$scratch/out.first" "$scratch/again"
check "at the tag: what the checkout pins is downloaded" env "SCHEMAGEN_DOWNLOADS=file://$scratch/out/assets" \
  "$copy/Scripts/release/download.sh" "$scratch/downloaded"
check "at the tag: it runs" test "$("$scratch/downloaded" --version)" = 1.3.0

# Another machine's zlib: the same files in other bytes.
cp -R "$scratch/out.first/assets" "$scratch/repacked"
repack() {
  "$python" - "$scratch/repacked/schemagen.artifactbundle.zip" "$@" <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as file:
    entries = [(entry, file.read(entry)) for entry in file.infolist()]
with zipfile.ZipFile(sys.argv[1], "w") as file:
    for entry, data in entries:
        entry.compress_type = zipfile.ZIP_STORED
        file.writestr(entry, data + b"x" * len(sys.argv[2:]))
END
}
repack
release 1.3.0 --archives "$scratch/repacked" --output "$scratch/again"
check "a published bundle: is taken as it is" cmp "$scratch/repacked/schemagen.artifactbundle.zip" \
  "$scratch/again/assets/schemagen.artifactbundle.zip"
repack other
release 1.3.0 --archives "$scratch/repacked" --output "$scratch/again"
check "a published bundle of other files: is refused" says "is not made of the archives beside it"
printf x >>"$scratch/repacked/$name.tar.gz"
release 1.3.0 --archives "$scratch/repacked" --output "$scratch/again"
check "another archive at the tag: the checkout would change" not is_clean
git -C "$copy" checkout --quiet .

echo "// new" >>"$copy/Sources/Schema/SchemaModel/Rules/Rule.swift"
commit "After the release"
release 1.3.0 --archives "$archives" --output "$scratch/again"
check "after the release: the version is taken" says "v1.3.0 is a tag already, of another commit"
status=0
SCHEMAGEN_DOWNLOADS=file://$scratch/out/assets "$copy/Scripts/release/download.sh" "$scratch/downloaded.after" \
  >"$scratch/output" 2>&1 || status=$?
check "after the release: the sources are others, and nothing is downloaded" exits 3
release 1.3.1 --dry-run
check "after the release: nothing new to tell" says "CHANGELOG.md says nothing under [Unreleased]"

echo
echo "$passed passed, $failed failed"
((failed == 0))
