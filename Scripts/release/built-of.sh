#!/usr/bin/env bash
# Prints what build.sh makes schemagen of besides Swift packages, for the archive's share/doc/schemagen/built-of.txt: the
# digest of the sources, by which release.sh knows that an archive is of this checkout, and the libraries linked into it,
# for the SBOM: NAME VERSION PURL, a line each. Versions are those of this machine's packages.
#
#   built-of.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# debian NAME PACKAGE
debian() {
  local version system
  version=$(dpkg-query -W -f '${Version}' "$2") || fail "no Debian package '$2' is installed, and its version is asked for"
  # shellcheck source=/dev/null
  system=$(. /etc/os-release && echo "$ID&distro=$VERSION_CODENAME")
  echo "$1 $version pkg:deb/${system%%&*}/$2@${version//+/%2B}?arch=$(dpkg --print-architecture)&${system#*&}"
}

version=$(tool_version)
echo "sources $version $("$root/Scripts/release/download.sh" --sources)"
case $(uname -s) in
Linux)
  swift=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
  echo "swift $swift pkg:github/swiftlang/swift@swift-$swift-RELEASE"
  debian libyaml libyaml-dev
  debian sqlite libsqlite3-dev
  debian zlib zlib1g-dev
  library=$(realpath "$(clang -print-file-name=libstdc++.a)")
  debian libstdc++ "$(dpkg-query -S "$library" | sed 's/[:,].*//')"
  ;;
Darwin)
  version=$(brew list --versions libyaml | awk '{ print $2 }')
  echo "libyaml $version pkg:brew/libyaml@$version"
  ;;
esac
