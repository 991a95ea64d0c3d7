#!/usr/bin/env bash
# Prints what build.sh links into schemagen besides Swift packages, for the archive's share/doc/schemagen/linked.txt and so
# for the SBOM: NAME VERSION PURL, a line each. Versions are those of this machine's packages.
#
#   linked.sh
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
