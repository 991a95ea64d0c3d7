#!/usr/bin/env bash
# Makes a Python environment in .build/tools with what the tests need. A system's own Python is not
# to be installed into (PEP 668).
#
#   install-python-tools.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Pinned: a new release must not fail a build that changed nothing.
requirement=check-jsonschema==0.39.0
tools=$root/.build/tools
python=$tools/bin/python

if [[ -x $python && $(cat "$tools/requirement" 2>/dev/null) == "$requirement" ]]; then exit 0; fi
rm -rf "$tools"
mkdir -p "$root/.build"

# On Debian, python3 comes without what makes environments.
if ! python3 -c 'import venv, ensurepip' >/dev/null 2>&1; then
  if command -v apt-get >/dev/null; then
    apt_install python3 python3-venv
  elif command -v brew >/dev/null; then
    retry brew install python
  else
    fail "python3 with its module venv is missing: install it, then try again"
  fi
fi
python3 -m venv "$tools"
retry "$python" -m pip install --quiet --disable-pip-version-check "$requirement"
echo "$requirement" >"$tools/requirement"
