#!/usr/bin/env bash
# Compiles the Swift files of an app that imports SwiftUI, SwiftData and SchemaMigrationKit, as one module: against the
# part of SwiftUI's interface that is in this folder, and as Tests/Support/SwiftDataInterface/check.sh compiles, in both
# shapes of SwiftData's interface.
#
#   check.sh [--cache DIR] FILE.swift…
#
# On Apple's systems it does nothing: there Xcode compiles the app.
set -euo pipefail

kit=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ $(uname -s) == Darwin ]]; then
  echo "check.sh: not on Apple's systems"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swiftc -emit-module -parse-as-library -swift-version 6 -module-name SwiftUI \
  -o "$folder/SwiftUI.swiftmodule" "$kit/SwiftUI.swift"
for sdk in "" "--sdk 18"; do
  # shellcheck disable=SC2086 # An option and its value.
  "$kit/../SwiftDataInterface/check.sh" $sdk "$@" "$kit/SwiftDataViews.swift" -- -I "$folder"
done
