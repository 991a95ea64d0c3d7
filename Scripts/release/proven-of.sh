#!/usr/bin/env bash
# Prints a digest of all that Tests/Integration/packages.sh rests on, for Scripts/release/proven: what is packaged and
# how, and of our sources what only a static binary can get wrong.
#
#   proven-of.sh
#
# Whether the commands do what they should is tested in every run. Only the binary of a release can fail for want of a
# library (what sources import, C modules), of a part of ICU's data (what of Foundation needs a language, a calendar or a
# sort order), of a path that must not be in it, or of a dependency's new version. Another toolchain or another version
# of a library gives another digest, and so does anything that cannot be found out.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$root"
export LC_ALL=C

in_sources() { grep -rhoE "$1" Sources Templates --include='*.swift' | sed 's/^ *//' | sort -u || true; }

{
  swift --version 2>/dev/null | head -n 1
  for package in libyaml-dev libsqlite3-dev zlib1g-dev libc6; do
    dpkg-query -W -f '${Package} ${Version}\n' "$package" 2>/dev/null || echo "$package: unknown at $(date +%s%N)"
  done
  # Commits of the same version differ between mirrors.
  grep -E '"(identity|version)"' Package.resolved 2>/dev/null || echo "dependencies: unknown at $(date +%s%N)"
  find Package.swift Plugins Sources/System Examples/Plants Scripts/release Scripts/common.sh Scripts/manual.sh \
    Scripts/install-libraries.sh Tests/Integration/packages.sh Tests/Integration/plugin.sh Examples/Consumer/Package.swift \
    -type f ! -name proven ! -name checksums ! -path '*/.build/*' ! -path 'Plugins/VSCode/*' -print0 | sort -z | xargs -0 sha256sum
  in_sources '^ *(@[A-Za-z_]+ )*((public|package|internal|private) )?import .*'
  in_sources '.*\b(Locale|Calendar|TimeZone|[A-Za-z]*Formatter|[A-Za-z0-9]*FormatStyle|formatted|[A-Za-z0-9]*Format\(|NSRegularExpression|localized[A-Z]\w*|folding|applyingTransform|capitalized|enumerateSubstrings|caseInsensitive\w*|String\.Encoding|dlopen|dlsym|_silgen_name|_cdecl)\b.*'
  in_sources '.*#file(Path|ID)?\b.*'
} | sha256sum | cut -d ' ' -f 1
