#!/usr/bin/env bash
# Compiles the experiments against both shapes of SwiftData's and Core Data's interface, without a Mac.
#
#   check-interface.sh
#
# Interface/fixtures shows that the shapes differ: one compiles with the newer alone, the others with the older alone.
# As for Tests/Support/SwiftDataInterface the toolchain must have its own SwiftSyntax; without it this ends with status 3.
set -euo pipefail

if [[ $(uname -s) != Linux ]]; then
  echo "SKIPPED: this runs on Linux; here the experiments compile against SwiftData itself"
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")"
experiments=()
while IFS= read -r -d '' file; do experiments+=("$file"); done < <(
  find Sources/schemagen-experiments -name '*.swift' -print0 | sort -z
)
# The macros, as a library that the compiler loads.
kit=$(../Tests/Support/SwiftDataInterface/check.sh --cache ../.build/integration/interface --built)
macros=$kit/libPortableSwiftDataMacros.so
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

# check SDK FILE… : SIL, not -typecheck, as values sent across isolation are found later than types.
check() {
  local sdk=$1 flags=()
  shift
  # Models that inherit come with SDK 26.
  if [[ $sdk == 26 ]]; then flags=(-D INHERITANCE); fi
  swiftc -emit-sil -Onone -o /dev/null -parse-as-library -whole-module-optimization -module-name Checked \
    -swift-version 6 -strict-concurrency=complete -warnings-as-errors -enable-upcoming-feature ExistentialAny \
    -I "$built/$sdk" -I Sources/SystemSQLite -load-plugin-library "$macros" \
    ${flags[@]+"${flags[@]}"} "$@"
}

failed=0
for sdk in 15 26; do
  mkdir "$built/$sdk"
  flags=()
  if [[ $sdk == 26 ]]; then flags=(-D SDK_26); fi
  swiftc -emit-module -parse-as-library -swift-version 6 -module-name SwiftData \
    -enable-upcoming-feature ExistentialAny -o "$built/$sdk/SwiftData.swiftmodule" \
    -load-plugin-library "$macros" \
    ${flags[@]+"${flags[@]}"} Interface/SwiftData.swift
  swiftc -emit-module -parse-as-library -swift-version 6 -module-name CoreData \
    -o "$built/$sdk/CoreData.swiftmodule" ${flags[@]+"${flags[@]}"} Interface/CoreData.swift
  if check "$sdk" "${experiments[@]}" 2>"$built/output"; then
    echo "as expected  the experiments compile with SDK $sdk"
  else
    echo "SURPRISE     the experiments do not compile with SDK $sdk"
    head -n 40 "$built/output"
    failed=1
  fi
  for fixture in Sdk26Only:26 BeforeSdk26Only:15 BeforeSdk26CoreData:15; do
    status=compiles
    check "$sdk" "Interface/fixtures/${fixture%:*}.swift" 2>"$built/output" || status="does not compile"
    expected="does not compile"
    if [[ ${fixture#*:} == "$sdk" ]]; then expected=compiles; fi
    if [[ $status == "$expected" ]]; then
      echo "as expected  ${fixture%:*} $status with SDK $sdk"
    else
      echo "SURPRISE     ${fixture%:*} $status with SDK $sdk"
      cat "$built/output"
      failed=1
    fi
  done
done
exit "$failed"
