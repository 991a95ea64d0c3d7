#!/usr/bin/env bash
# Tests the kit itself: every fixture in ok/ (a file, or a folder of files that belong together)
# must compile, in both shapes of the interface; every file in bad/ must fail, and say what its first line expects. One
# whose second line is '// sdk: 18' fails in the older shape only.
#
#   selftest.sh [--cache DIR]
set -uo pipefail

kit=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=("$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
surprises=0
# Once for all fixtures.
built=$("$kit/check.sh" ${cache[@]+"${cache[@]}"} --built) || exit 1

# Prints the outcome of the fixture $1: $2 is empty when all is as expected.
report() {
  if [[ -z $2 ]]; then
    passed=$((passed + 1))
    echo "as expected  $1"
  else
    surprises=$((surprises + 1))
    echo "SURPRISE     $1: $2"
    sed 's/^/    | /' "$scratch/output"
  fi
}

check() {
  "$kit/check.sh" --against "$built" "$@" >"$scratch/output" 2>&1
}

# The value of the comment `// $1: …` in the first two lines of the file $2.
header() {
  sed -n "1,2s,^// $1: ,,p" "$2"
}

for fixture in "$kit"/fixtures/ok/*; do
  files=("$fixture")
  [[ -d $fixture ]] && files=("$fixture"/*.swift)
  read -r -a flags <<<"$(header flags "${files[0]}")"
  for sdk in "" "--sdk 18"; do
    # shellcheck disable=SC2086 # An option and its value.
    if check $sdk "${files[@]}" -- ${flags[@]+"${flags[@]}"}; then
      report "ok/${fixture##*/}${sdk:+, $sdk}" ""
    else
      report "ok/${fixture##*/}${sdk:+, $sdk}" "should compile, but ended with status $?"
    fi
  done
done

for fixture in "$kit"/fixtures/bad/*.swift; do
  expected=$(header expect "$fixture")
  sdk=$(header sdk "$fixture")
  if [[ -n $sdk ]] && ! check "$fixture"; then
    report "bad/${fixture##*/}" "should compile with a newer SDK"
    continue
  fi
  check ${sdk:+--sdk "$sdk"} "$fixture"
  status=$?
  if [[ -z $expected ]]; then
    surprise="the first line does not say what to expect"
  elif ((status == 0)); then
    surprise="should fail, but compiled"
  elif ((status != 1)); then
    surprise="should be diagnosed, but ended with status $status"
  elif ! grep -F -- "$expected" "$scratch/output" | grep -Eq '(error|note): '; then
    surprise="does not say: $expected"
  else
    surprise=
  fi
  report "bad/${fixture##*/}" "$surprise"
done

# What has compiled is not compiled again: whatever the compiler is told has to tell two apart.
mkdir "$scratch/one" "$scratch/other"
first="import Imported
func number() -> Int { imported }"
# remembered NAME STATUS LINE FLAG…: after the first file has compiled with the first module.
remembered() {
  local name=$1 expected=$2 status=0
  echo "$3" >"$scratch/Remembered.swift"
  check "$scratch/Remembered.swift" -- "${@:4}" || status=$?
  if ((status == expected)); then report "$name" ""; else report "$name" "status $status, not $expected"; fi
}
for folder in one other; do
  echo "public let imported = $([[ $folder == one ]] && echo 1 || echo '""')" >"$scratch/Imported.swift"
  swiftc -emit-module -parse-as-library -module-name Imported -o "$scratch/$folder/Imported.swiftmodule" \
    "$scratch/Imported.swift"
done
remembered "compiled" 0 "$first" -I "$scratch/one"
remembered "compiled, again" 0 "$first" -I "$scratch/one"
remembered "another file of that name" 1 "${first/Int/String}" -I "$scratch/one"
remembered "with another flag" 1 "$first" -I "$scratch/one" -swift-version 3
cp "$scratch/other/Imported.swiftmodule" "$scratch/one/"
remembered "another module in that folder" 1 "$first" -I "$scratch/one"

# A toolchain without host SwiftSyntax: the kit must say so, not pass.
if [[ $(uname -s) != Darwin ]]; then
  mkdir "$scratch/bin"
  cat >"$scratch/bin/swiftc" <<'SHIM'
#!/bin/sh
echo '"runtimeResourcePath": "/nonexistent"'
SHIM
  chmod +x "$scratch/bin/swiftc"
  PATH=$scratch/bin:$PATH "$kit/check.sh" --cache "$scratch/cache" \
    "$kit/fixtures/ok/Schema.swift" >"$scratch/output" 2>&1
  status=$?
  if ((status == 3)) && grep -q "lacks the host SwiftSyntax" "$scratch/output"; then
    report "no host SwiftSyntax" ""
  else
    report "no host SwiftSyntax" "should end with status 3, but ended with $status"
  fi
fi

echo "$passed as expected, $surprises surprising"
((surprises == 0))
