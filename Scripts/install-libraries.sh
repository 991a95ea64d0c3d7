#!/usr/bin/env bash
# Installs the C libraries with their headers, where they are missing: libyaml reads manifests, SQLite holds stores.
#
#   install-libraries.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# has HEADER MODULE: whether a library's header is to be found, or pkg-config knows the library.
has() {
  local prefix
  for prefix in /usr /usr/local "$(brew --prefix 2>/dev/null || true)"; do
    if [[ -n $prefix && -f $prefix/include/$1 ]]; then return 0; fi
  done
  command -v pkg-config >/dev/null && pkg-config --exists "$2"
}

# ensure HEADER MODULE DEBIAN-PACKAGE FORMULA
ensure() {
  if has "$1" "$2"; then return 0; fi
  if command -v apt-get >/dev/null; then
    apt_install "$3"
  elif command -v brew >/dev/null; then
    retry brew install "$4"
  else
    fail "$4 with its header $1 is missing, and there is neither apt-get nor brew: install it" \
      "(often named $3 or ${3%-dev}-devel), then try again"
  fi
  has "$1" "$2" || fail "$4 was installed, but its header $1 is not to be found"
}

ensure yaml.h yaml-0.1 libyaml-dev libyaml
# macOS brings SQLite and zlib with its SDK.
if [[ $(uname -s) != Darwin ]]; then
  ensure sqlite3.h sqlite3 libsqlite3-dev sqlite
  ensure zlib.h zlib zlib1g-dev zlib
fi
