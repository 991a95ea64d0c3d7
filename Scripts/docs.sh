#!/usr/bin/env bash
# Builds the documentation site in .build/site: pages, search, and the interface of the libraries.
#
#   docs.sh [--no-interface]
#
# A link that leads nowhere ends it, and so does a public symbol without a comment. --no-interface leaves out what needs
# the Swift toolchain.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"
site=.build/site
modules=(SchemaMigrationKit PortableSwiftData)

Scripts/install-python-tools.sh --with-docs
PYTHONPATH=Scripts/site .build/tools/bin/mkdocs build --strict --clean --config-file Scripts/site/mkdocs.yml
[[ ${1:-} != --no-interface ]] || exit 0
if [[ $(uname -s) != Linux ]]; then
  echo "SKIPPED: the interfaces of the libraries, one of which there is on Linux only"
  exit 0
fi

# A module's symbols are in what a build leaves.
built=$(swift build --show-bin-path)
for module in "${modules[@]}"; do
  if [[ ! -e $built/Modules/$module.swiftmodule ||
    $(find "Sources/$module" -name '*.swift' -newer "$built/Modules/$module.swiftmodule") ]]; then
    swift build --quiet --target "$module"
  fi
done
triple=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
work=.build/interface
rm -rf "$work"
mkdir -p "$work"
archives=()
for module in "${modules[@]}"; do
  mkdir "$work/$module"
  swift symbolgraph-extract -module-name "$module" -target "$triple" -minimum-access-level public \
    -I "$built/Modules" -I Sources/CSQLite -I Sources/CZlib -output-dir "$work/$module"
  Scripts/site/interface.py "$work/$module"
  docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/$module" --warnings-as-errors \
    --fallback-bundle-identifier "schemagen.$module" --output-path "$work/$module.doccarchive"
  archives+=("$work/$module.doccarchive")
done
docc merge "${archives[@]}" --synthesized-landing-page-name schemagen --output-path "$site/api"
# An address that a web server and nobody else asks for, films and pictures for sharing.
rm -rf "$site"/api/{videos,downloads,images,metadata.json,developer-og*.jpg}
Scripts/site/relative.py "$site/api"
