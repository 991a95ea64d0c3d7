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
modules=(App/SchemaMigrationKit Rehearsal/SwiftData)

work=.build/interface
rm -rf "$work"

# What is read of a module is what a build leaves.
interface() {
  local built folder module triple archives=()
  built=$(swift build --show-bin-path)
  triple=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
  for folder in "${modules[@]}"; do
    module=${folder#*/}
    if [[ ! -e $built/Modules/$module.swiftmodule ||
      $(find "Sources/$folder" -name '*.swift' -newer "$built/Modules/$module.swiftmodule") ]]; then
      swift build --quiet --target "$module"
    fi
    mkdir -p "$work/$module"
    swift symbolgraph-extract -module-name "$module" -target "$triple" -minimum-access-level public \
      -I "$built/Modules" -I Sources/System/CStoreLibraries -I Sources/System/CSHA \
      -output-dir "$work/$module"
    Scripts/site/interface.py "$work/$module"
    docc convert "Sources/$folder/$module.docc" --additional-symbol-graph-dir "$work/$module" --warnings-as-errors \
      --fallback-bundle-identifier "schemagen.$module" --output-path "$work/$module.doccarchive"
    archives+=("$work/$module.doccarchive")
  done
  docc merge "${archives[@]}" --synthesized-landing-page-name schemagen --output-path "$work/api"
  # An address that a web server and nobody else asks for, films and pictures for sharing.
  rm -rf "$work"/api/{videos,downloads,images,metadata.json,developer-og*.jpg}
  Scripts/site/relative.py "$work/api"
}

Scripts/install-python-tools.sh --with-docs
if [[ ${1:-} != --no-interface ]]; then
  if [[ $(uname -s) == Linux ]]; then
    interface
  else
    echo "SKIPPED: the interfaces of the libraries, one of which there is on Linux only"
  fi
fi
# The page of the libraries lists what their interfaces have, so that the search finds it.
PYTHONPATH=Scripts/site .build/tools/bin/mkdocs build --strict --clean --config-file Scripts/site/mkdocs.yml
if [[ -d $work/api ]]; then cp -R "$work/api" "$site/api"; fi
