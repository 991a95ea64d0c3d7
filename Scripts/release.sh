#!/usr/bin/env bash
# Makes a release, as far as a script can. It commits, tags and pushes nothing: it says what is left to do.
#
#   release.sh VERSION [--date DAY] [--archives FOLDER] [--output FOLDER] [--dry-run]
#   release.sh --owner NAME
#
# --date       the day that CHANGELOG.md says; without it, the day of the commit
# --archives   a folder with the archives of all four platforms; without it, this machine's is built
# --output     where everything goes that is not in the checkout; without it, .build/release-VERSION
# --dry-run    changes nothing in the checkout but shows what would change, builds nothing, and takes OWNER for a name
# --owner      writes NAME everywhere where files of this checkout name the owner of the repository
#
# In the checkout it sets the version wherever it stands, makes CHANGELOG.md's [Unreleased] the section of VERSION, and pins
# the archives in Scripts/release/checksums. With all archives it also writes into --output: `assets`, what the release has
# on GitHub: archives, bundle, SBOM, formula, Package.resolved and SHA256SUMS; `packages`, the two packages that have
# repositories of their own; `notes.md`.
#
# Run again, on the same commit, on what it has changed itself, or on the commit of that, it writes the same bytes. A release
# counts on that: CONTRIBUTING.md, Releasing. Needs bash 3.2 and Python 3.9.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail "usage: release.sh VERSION [--date DAY] [--archives FOLDER] [--output FOLDER] [--dry-run] | --owner NAME"; }
version=
day=
archives=
output=
dry_run=
while (($#)); do
  case $1 in
  --date) day=${2:-} && shift ;;
  --archives) archives=${2:-} && shift ;;
  --output) output=${2:-} && shift ;;
  --dry-run) dry_run=1 ;;
  --owner)
    "$root/Scripts/release/versions.py" owner "${2:-}"
    "$root/Scripts/release/versions.py" check
    echo "now: make references; RECORD_SNAPSHOTS=1 swift test --filter CommentTests"
    exit
    ;;
  -*) usage ;;
  *)
    if [[ -n $version ]]; then usage; fi
    version=$1
    ;;
  esac
  # An option without its value leaves nothing to shift.
  shift || usage
done
if [[ -z $version ]]; then usage; fi
triples=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu arm64-apple-macosx x86_64-apple-macosx)
output=${output:-$root/.build/release-$version}
mkdir -p "$output"
output=$(cd "$output" && pwd)
if [[ -n $archives && -d $archives ]]; then archives=$(cd "$archives" && pwd); fi
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

digest() { python3 -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$1"; }

# --- Reasons not to, all of them -------------------------------------------------------------------

reasons=()
if [[ -n $day ]] && ! python3 -c 'import datetime, sys; datetime.date.fromisoformat(sys.argv[1])' "$day" 2>/dev/null; then
  reasons+=("--date is '$day': write it as 2026-12-31")
fi
# What HEAD has, and what it is to have.
before=$scratch/before
after=$scratch/after
mkdir "$before" "$after"
git archive HEAD | tar -xf - -C "$before"
cp -R "$before/." "$after"
problems=$(Scripts/release/versions.py --root "$before" problems "$version")
while IFS= read -r reason; do
  if [[ -n $reason ]]; then reasons+=("$reason"); fi
done <<<"$problems"
releasable=$((${#reasons[@]} == 0))
repository=$(sed -n 's/^ *package static let repository = "\(.*\)"$/\1/p' Sources/Schema/SchemaModel/Rules/Project.swift)
if [[ $repository == */OWNER/* && -z $dry_run ]]; then
  reasons+=("the repository has no owner yet ($repository): Scripts/release.sh --owner NAME")
fi
if ! disagreements=$(Scripts/release/versions.py --root "$before" check); then
  while IFS= read -r reason; do reasons+=("$reason: make them agree in a commit of its own"); done <<<"$disagreements"
fi
tagged=$(git rev-parse --quiet --verify "refs/tags/v$version^{commit}" || true)
if [[ -n $tagged && $tagged != $(git rev-parse HEAD) ]]; then
  reasons+=("v$version is a tag already, of another commit: what is released does not change; take a higher version")
fi
resolved=Package.resolved
found=()
if [[ -n $archives ]]; then
  if [[ -f $archives/Package.resolved ]]; then resolved=$archives/Package.resolved; fi
  for triple in "${triples[@]}"; do
    if [[ -f $archives/schemagen-$version-$triple.tar.gz ]]; then
      found+=("$archives/schemagen-$version-$triple.tar.gz")
    else
      reasons+=("$archives has no schemagen-$version-$triple.tar.gz: Scripts/release.sh $version builds it there")
    fi
  done
fi

changed=()
if ((releasable)); then
  Scripts/release/versions.py --root "$after" set "$version" "${day:-$(git log -1 --format=%cs)}"
  day=$(sed -n "s/^## \[$version\] - //p" "$after/CHANGELOG.md")
  sources=$("$after/Scripts/release/download.sh" --sources)
  {
    sed -n '/^#/p' "$before/Scripts/release/checksums"
    if ((${#found[@]} == ${#triples[@]})); then
      for triple in "${triples[@]}"; do
        echo "$version $triple $(digest "$archives/schemagen-$version-$triple.tar.gz")"
      done
      echo "$version sources $sources"
    elif grep -q "^$version " "$before/Scripts/release/checksums"; then
      # Pinned before.
      sed '/^#/d' "$before/Scripts/release/checksums"
    fi
  } >"$after/Scripts/release/checksums"
  while IFS= read -r path; do changed+=("${path#"$after/"}"); done < <(
    git diff --no-index --name-only "$before" "$after" || true)
  if ((${#found[@]} == ${#triples[@]})); then
    mkdir "$scratch/assets"
    if ! "$after/Scripts/release/sbom.py" "$version" "$day" "$sources" "$resolved" "${found[@]}" \
      >"$scratch/assets/schemagen-$version.cdx.json" 2>"$scratch/problems"; then
      while IFS= read -r reason; do reasons+=("$reason"); done <"$scratch/problems"
    fi
  fi
fi

# Its own changes do not count: this may have run before.
dirty=()
while IFS= read -r -d '' entry; do
  path=${entry:3}
  if ! cmp -s "$path" "$after/$path"; then dirty+=("$path"); fi
done < <(git status --porcelain --no-renames -z)
if ((${#dirty[@]})); then
  reasons+=("the checkout has what no commit has: ${dirty[*]}: commit it, or take it away")
fi

if ((${#reasons[@]})); then
  printf 'release.sh: error: %s\n' "${reasons[@]}" >&2
  exit 1
fi

# --- The checkout ----------------------------------------------------------------------------------

if ((${#changed[@]} == 0)); then
  echo "the checkout is that of $version: nothing to change"
elif [[ -n $dry_run ]]; then
  (cd "$scratch" && git --no-pager diff --no-index --no-color before after || true)
else
  for path in "${changed[@]}"; do cp "$after/$path" "$path"; done
  printf 'changed %s\n' "${changed[@]}"
fi

if ((${#found[@]} == 0)); then
  if [[ -n $dry_run ]]; then
    echo "a dry run builds nothing: with --archives FOLDER it makes what follows from archives"
    exit
  fi
  Scripts/release/build.sh --output "$output/archives"
  cat <<END

With the archives of all four platforms in one folder (the workflow 'Release' builds them; or this script, on each):
  Scripts/release.sh $version --archives FOLDER
END
  exit
fi

# --- What follows from the archives ----------------------------------------------------------------

assets=$scratch/assets
release=$repository/releases/download/v$version
cp "${found[@]}" "$assets/"
cp "$resolved" "$assets/Package.resolved"
"$after/Scripts/release/bundle.py" --output "$assets" "${found[@]}" >/dev/null
bundle=$assets/schemagen.artifactbundle.zip
# Another machine's zlib may have packed the same files in other bytes, and what is published is what counts.
published=$archives/schemagen.artifactbundle.zip
if [[ -f $published ]]; then
  python3 - "$published" "$bundle" <<'END' || fail "$published is not made of the archives beside it: take it away, then try again"
import sys, zipfile
def contents(path):
    with zipfile.ZipFile(path) as file:
        return [(entry.filename, entry.external_attr, file.read(entry)) for entry in file.infolist()]
sys.exit(contents(sys.argv[1]) != contents(sys.argv[2]))
END
  cp "$published" "$bundle"
fi
edits=(-e "1s|.*|# A formula for Homebrew, written by Scripts/release.sh.|")
edits+=(-e "s|@VERSION@|$version|g" -e "s|@RELEASE@|$release|g" -e "s|@REPOSITORY@|$repository|g")
for triple in "${triples[@]}"; do
  edits+=(-e "s|@$triple@|$(digest "$assets/schemagen-$version-$triple.tar.gz")|")
done
sed "${edits[@]}" "$after/Scripts/release/schemagen.rb" >"$assets/schemagen.rb"
(
  cd "$assets"
  for file in *; do
    if [[ $file != SHA256SUMS ]]; then echo "$(digest "$file")  $file"; fi
  done
) >"$scratch/sums"
mv "$scratch/sums" "$assets/SHA256SUMS"

mkdir "$scratch/packages"
"$after/Scripts/release/packages.py" kit "$scratch/packages/SchemaMigrationKit"
"$after/Scripts/release/packages.py" plugins "$scratch/packages/schemagen-plugins" \
  --url "$release/schemagen.artifactbundle.zip" --checksum "$(digest "$bundle")"

# --archives may be a folder in here.
rm -rf "$output/assets" "$output/packages"
mv "$assets" "$scratch/packages" "$output/"
Scripts/release/versions.py --root "$after" notes "$version" >"$output/notes.md"

owner=${repository%/*}
cat <<END

$output has assets, packages and notes.md. What is left, in this order:
  git commit --all --message "Release $version" && git tag v$version && git push origin HEAD v$version
    the workflow 'Release' holds the tag against the draft, and publishes it; without that workflow:
    gh release create v$version --title $version --notes-file $output/notes.md $output/assets/*
  the contents of packages/SchemaMigrationKit into $owner/SchemaMigrationKit, with the tag $version
  the contents of packages/schemagen-plugins into $owner/schemagen-plugins, with the tag $version
  assets/schemagen.rb into $owner/homebrew-tap as Formula/schemagen.rb
END
