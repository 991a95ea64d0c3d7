#!/usr/bin/env bash
# Tests what a model package tests on Linux.
#
#   swiftpm.sh
#
# Apart from rehearse.sh, because it builds into the checkout's .build: SwiftPM keeps there what it has planned for one
# package, and two at once take each other's plan. test.sh runs all that do so one after the other.
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"

if [[ $(uname -s) != Linux ]]; then
  echo "SKIPPED: a rehearsal runs on Linux; here SwiftData itself is the better proof"
  exit 0
fi

# Built into the checkout's own .build, with its versions of dependencies, since most of it is swift-syntax and our modules.
[[ -f Package.resolved ]] || swift package resolve
cp -r Examples/Consumer "$scratch/Consumer"
rm -rf "$scratch/Consumer/.build"
sed -i "s,path: \"../..\",path: \"$root\"," "$scratch/Consumer/Package.swift"
cp Package.resolved "$scratch/Consumer/"
status=0
swift test --package-path "$scratch/Consumer" --scratch-path .build --force-resolved-versions \
  >"$scratch/output" 2>"$scratch/errors" || status=$?
check "a model package's own tests run on Linux" exits 0
check "they are the generated ones, and its own" says "in whole metres, with their stops\" passed"
check "they are the generated ones, and its own" says "converts their values as the manifests say\" with 1 test case passed"

echo
echo "$passed passed, $failed failed"
((failed == 0))
