#!/usr/bin/env bash
# Installs libyaml with its headers, where it is missing: manifests are read with it.
#
#   install-libyaml.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

has_libyaml() {
  local prefix
  for prefix in /usr /usr/local "$(brew --prefix 2>/dev/null || true)"; do
    if [[ -n $prefix && -f $prefix/include/yaml.h ]]; then return 0; fi
  done
  command -v pkg-config >/dev/null && pkg-config --exists yaml-0.1
}

if has_libyaml; then exit 0; fi
if command -v apt-get >/dev/null; then
  apt_install libyaml-dev
elif command -v brew >/dev/null; then
  retry brew install libyaml
else
  fail "libyaml with its headers is missing, and there is neither apt-get nor brew: install it" \
    "(often named libyaml-dev or libyaml-devel), then try again"
fi
has_libyaml || fail "libyaml was installed, but its header yaml.h is not to be found"
