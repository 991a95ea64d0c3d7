#!/usr/bin/env bash
# Prints a digest of all that Tests/Integration/packages.sh rests on, for Scripts/release/proven: what is packaged and
# how, and of our sources what only a static binary can get wrong.
#
#   proven-of.sh [--list]   --list prints what the digest is of
#
# Whether the commands do what they should is tested in every run. Only the binary of a release can fail for want of a
# library (modules that are not ours, C modules), of a part of ICU's data (what of Foundation needs a language, a calendar
# or a sort order, and with which arguments), of a path that must not be in it, or of a dependency's new version. Another
# toolchain or another version of a library gives another digest, and so does anything that cannot be found out.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$root"
export LC_ALL=C

unknown() { echo "$1: unknown at $(date +%s%N)"; }
# What matches, up to the end of the argument; without comments.
in_sources() {
  grep -rhE "$1" Sources Templates --include='*.swift' | sed -E 's:^ *//.*::' | grep -oE "$1" | sed 's/^ *//' | sort -u || true
}
# All but tests, and settings of this run.
manifest() {
  env -u SCHEMAGEN_STRICT -u SCHEMAGEN_CHECK -u SCHEMAGEN_PLUGINS swift package dump-package 2>/dev/null | python3 -c '
import json, sys
package = json.load(sys.stdin)
package.pop("packageKind", None)
package["targets"] = [
    target for target in package["targets"]
    if target["type"] != "test" and not (target.get("path") or "").startswith("Tests/")]
package["products"] = [product for product in package["products"] if not product["name"].startswith("_")]
print(json.dumps(package, sort_keys=True, indent=1))' || unknown Package.swift
}

list() {
  swift --version 2>/dev/null | head -n 1
  for package in libyaml-dev libsqlite3-dev zlib1g-dev libc6; do
    dpkg-query -W -f '${Package} ${Version}\n' "$package" 2>/dev/null || unknown "$package"
  done
  # Commits of the same version differ between mirrors.
  grep -E '"(identity|version)"' Package.resolved 2>/dev/null || unknown dependencies
  manifest
  find Plugins Sources/System Scripts/release Scripts/common.sh Scripts/manual.sh Scripts/install-libraries.sh \
    Tests/Integration/packages.sh Tests/Integration/plugin.sh Examples/Consumer/Package.swift \
    -type f ! -name proven ! -name checksums ! -path '*/.build/*' ! -path 'Plugins/VSCode/*' -print0 | sort -z | xargs -0 sha256sum
  # Modules of others.
  grep -rhoE '^ *(@[A-Za-z_]+ )*((public|package|internal|private) )?import .*' Sources Templates --include='*.swift' |
    awk '{ print $NF }' | sort -u | comm -23 - <(basename -a Sources/*/* | sort)
  # Not names of types in quotes: what this tool knows of Swift.
  in_sources '(^|[^"A-Za-z0-9])(Locale|Calendar|TimeZone|[A-Za-z]*Formatter|[A-Za-z0-9]*FormatStyle|formatted|[A-Za-z0-9]*Format\(|NSRegularExpression|localized[A-Z]\w*|folding|applyingTransform|capitalized|enumerateSubstrings|caseInsensitive\w*|String\.Encoding|dlopen|dlsym|_silgen_name|_cdecl)\b[^,;{}]*'
  in_sources '.*#file(Path|ID)?\b.*'
}

case ${1:-} in
--list) list ;;
"") list | sha256sum | cut -d ' ' -f 1 ;;
*) fail "usage: proven-of.sh [--list]" ;;
esac
