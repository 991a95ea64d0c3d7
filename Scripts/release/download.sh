#!/usr/bin/env bash
# Downloads the schemagen that belongs to this checkout, by its checksum: the action, the pre-commit hook and the GitLab
# job start with it.
#
#   download.sh PROGRAM     writes the executable to the path PROGRAM, and schemagen-sources beside it
#   download.sh --sources   prints the digest of what schemagen is built of
#
# SCHEMAGEN_DOWNLOADS   where the archives are (https://…, http://…, file://…), or `none` to download nothing; without it,
#                       the release on GitHub
#
# A checkout says by itself what it trusts: Scripts/release/checksums. That is no circle, although archives are built of
# a checkout: they are built of Package.swift, Sources and Templates, and the checksums stand elsewhere. The digest of
# those three stands beside them. So a checkout with other sources than the release's, such as a branch, never gets the
# release's program.
#
# Ends with 0 where PROGRAM is there; with 3 where nothing can be had, and says why in one line: build it; with 1 where
# what came is not what the checksum says: do not build then, but look. Proxies are as the environment says. Needs
# bash 3.2.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

cannot() {
  echo "download.sh: not downloaded: $*" >&2
  exit 3
}

if command -v sha256sum >/dev/null; then
  digest=(sha256sum)
elif command -v shasum >/dev/null; then
  digest=(shasum -a 256)
else
  cannot "there is neither sha256sum nor shasum to check it with"
fi

sources() {
  (cd "$root" && find Package.swift Sources Templates -type f ! -name .DS_Store | LC_ALL=C sort | tr '\n' '\0' |
    xargs -0 "${digest[@]}" | "${digest[@]}" | cut -d' ' -f1)
}

case ${1:-} in
--sources)
  sources
  exit
  ;;
"" | -*) fail "usage: download.sh PROGRAM | --sources" ;;
esac
program=$1

if [[ ${SCHEMAGEN_DOWNLOADS:-} == none ]]; then cannot "SCHEMAGEN_DOWNLOADS is 'none'"; fi
case "$(uname -s) $(uname -m)" in
"Linux x86_64") triple=x86_64-unknown-linux-gnu ;;
"Linux aarch64" | "Linux arm64") triple=aarch64-unknown-linux-gnu ;;
"Darwin arm64") triple=arm64-apple-macosx ;;
"Darwin x86_64") triple=x86_64-apple-macosx ;;
*) cannot "there is no archive for $(uname -s) on $(uname -m)" ;;
esac
version=$(tool_version)
repository=$(sed -n 's/^ *package static let repository = "\(.*\)"$/\1/p' "$root/Sources/Schema/SchemaModel/Rules/Project.swift")

expected=
built_of=
while read -r its_version its_name its_sum; do
  if [[ $its_version != "$version" ]]; then continue; fi
  case $its_name in
  "$triple") expected=$its_sum ;;
  sources) built_of=$its_sum ;;
  esac
done <"$root/Scripts/release/checksums"
if [[ -z $expected ]]; then cannot "Scripts/release/checksums knows no archive of $version for $triple"; fi
if [[ $(sources) != "$built_of" ]]; then cannot "these sources are not those of the release $version"; fi

name=schemagen-$version-$triple
base=${SCHEMAGEN_DOWNLOADS:-$repository/releases/download/v$version}
address=${base%/}/$name.tar.gz

# Beside the program: what is moved within a file system is there whole or not at all, whoever else does the same.
mkdir -p "$(dirname "$program")"
scratch=$(mktemp -d "$(dirname "$program")/download.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
archive=$scratch/$name.tar.gz

status=0
case $address in
file://*) cp "${address#file://}" "$archive" 2>"$scratch/log" || status=$? ;;
*)
  if command -v curl >/dev/null; then
    curl --fail --location --silent --show-error --retry 2 --connect-timeout 10 --speed-limit 1 --speed-time 30 \
      --output "$archive" "$address" 2>"$scratch/log" || status=$?
  elif command -v wget >/dev/null; then
    options=(-T 30)
    # GNU's would try twenty times, BusyBox's tries once and has no such option.
    # Read to its end: a wget whose reader has gone away fails.
    known=$(wget --help 2>&1 || true)
    if [[ $known == *--tries* ]]; then options+=(--tries=2); fi
    wget "${options[@]}" -O "$archive" "$address" 2>"$scratch/log" || status=$?
  else
    cannot "there is neither curl nor wget"
  fi
  ;;
esac
if ((status)); then cannot "$address: $(grep -v '^ *$' "$scratch/log" | tail -n 1)"; fi

found=$("${digest[@]}" "$archive" | cut -d' ' -f1)
if [[ $found != "$expected" ]]; then
  {
    echo "download.sh: error: $address has the SHA-256 $found, and Scripts/release/checksums says $expected"
    if head -c 200 "$archive" | grep -qi '<html\|<!doctype'; then
      echo "  note: what came is a web page: a proxy or a login may have answered"
    fi
    echo "  help: nothing of it was run; try again, and if it comes again, report it: $repository"
    echo "  help: to build schemagen instead: export SCHEMAGEN_DOWNLOADS=none"
  } >&2
  exit 1
fi

if ! tar -xzf "$archive" -C "$scratch" "$name/bin/schemagen" 2>"$scratch/log"; then
  cannot "$address cannot be unpacked: $(tail -n 1 "$scratch/log")"
fi
# A system may be too old for it, or have another C library.
if ! said=$("$scratch/$name/bin/schemagen" --version 2>&1 </dev/null); then
  cannot "$address does not run here: $(tail -n 1 <<<"$said")"
fi
# Beside it, what reads Swift; the program last, since who looks for it takes all for done.
if tar -xzf "$archive" -C "$scratch" "$name/bin/schemagen-sources" 2>/dev/null; then
  mv -f "$scratch/$name/bin/schemagen-sources" "$(dirname "$program")/schemagen-sources"
fi
mv -f "$scratch/$name/bin/schemagen" "$program"
