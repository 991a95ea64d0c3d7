#!/usr/bin/env bash
# Compiles Swift files that import SwiftData, together as one module, in Swift 6 mode.
# On Apple's systems against SwiftData itself, elsewhere against the portable one in Sources.
#
#   check.sh [--cache DIR] [--sdk 18] [-module-name NAME] FILE.swift… [-- COMPILER-FLAG…]
#   check.sh [--cache DIR] --built            prints the folder that files are compiled against; nothing on Apple's
#   check.sh --against FOLDER FILE.swift…     as above, against a folder that --built printed: no sources are read
#
# --sdk 18: against the interface as Xcode 16.3 and 16.4 have it, in which fewer types are Sendable; without it, as Xcode
# 26 and later. On Apple's systems it says nothing.
# Diagnostics and exit status are the compiler's; 2 for wrong usage, 3 when the kit cannot be
# built. Of files that compile a digest is kept in that folder, and what is the same to the byte, with the same flags, is
# not compiled again: the folder's name stands for the compiler, for what is imported and for this script.
set -euo pipefail

kit=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${TMPDIR:-/tmp}/schemagen-swiftdata-interface
module=Checked
built=
sdk=
prints=false
files=()
flags=()

usage() {
  echo "usage: check.sh [--cache DIR] [--sdk 18] [-module-name NAME] FILE.swift… [-- COMPILER-FLAG…]" >&2
  exit 2
}

cannot() {
  echo "check.sh: error: $1" >&2
  exit 3
}

while (($#)); do
  case $1 in
  --cache | -module-name | --against | --sdk)
    (($# > 1)) || usage
    case $1 in
    --cache) cache=$2 ;;
    --against) built=$2 ;;
    --sdk)
      [[ $2 == 18 ]] || usage
      sdk=$2
      ;;
    *) module=$2 ;;
    esac
    shift 2
    ;;
  --built)
    prints=true
    shift
    ;;
  --)
    shift
    flags=("$@")
    break
    ;;
  *.swift)
    [[ -f $1 ]] || { echo "check.sh: error: no such file: $1" >&2; exit 2; }
    files+=("$1")
    shift
    ;;
  *) usage ;;
  esac
done
if $prints; then
  ((${#files[@]} == 0)) || usage
else
  ((${#files[@]})) || usage
fi

# Everything a client is compiled with but the way to SwiftData. SIL, not -typecheck: only the
# passes after type-checking find uninitialised properties and values sent across isolation.
compile=(
  -emit-sil -Onone -o /dev/null -parse-as-library -whole-module-optimization
  -module-name "$module" -swift-version 6 -strict-concurrency=complete -warnings-as-errors
  -enable-upcoming-feature ExistentialAny
)

if [[ $(uname -s) == Darwin ]]; then
  if $prints; then exit 0; fi
  # The oldest system with #Unique and #Index; a later -target among the flags takes precedence.
  exec xcrun --sdk macosx swiftc -target "$(uname -m)-apple-macosx15.0" \
    "${compile[@]}" ${flags[@]+"${flags[@]}"} "${files[@]}"
fi

command -v swiftc >/dev/null || cannot "there is no swiftc on the PATH"

sources=$(cd "$kit/../../../Sources" && pwd)
# The macros' main is for SwiftPM; loaded as a library they need none.
macros=()
for file in "$sources"/Rehearsal/PortableSwiftDataMacros/*.swift; do
  [[ $file == */MacroPlugin.swift ]] || macros+=("$file")
done
modules=(ManagedModels StoreFormat StoreEngine SwiftData SchemaMigrationKit)

libraries=("$sources/System/CStoreLibraries" "$sources/System/CSHA")
headers=("${libraries[@]/#/-I}")

# The Swift files of the module $1, also those in its folders.
sources_of() { find "$sources"/*/"$1" -name '*.swift' -type f -print0 | sort -z; }

# Builds the plugin and the modules into the folder $1, and in its folder sdk18 SwiftData of the older shape: interfaces
# only, for which functions' bodies need not be checked. `swift build` compiles them.
build() {
  local resources host library module files file older
  resources=$(swiftc -print-target-info |
    sed -n 's/.*"runtimeResourcePath": *"\(.*\)".*/\1/p' | head -n 1)
  host=$resources/host
  for library in SwiftSyntax SwiftSyntaxBuilder SwiftSyntaxMacros; do
    [[ -e $host/lib$library.so && -e $host/$library.swiftmodule ]] ||
      cannot "no $library in $host: this toolchain lacks the host SwiftSyntax that macros need"
  done
  swiftc -emit-library -parse-as-library -O -whole-module-optimization -swift-version 6 \
    -module-name PortableSwiftDataMacros -o "$1/libPortableSwiftDataMacros.so" \
    -I "$host" -L "$host" -lSwiftSyntax -lSwiftSyntaxBuilder -lSwiftSyntaxMacros \
    -Xlinker -rpath -Xlinker "$host" "${macros[@]}" >&2 || return 1
  mkdir "$1/sdk18"
  for module in "${modules[@]}" sdk18/SwiftData; do
    files=()
    while IFS= read -r -d '' file; do files+=("$file"); done < <(sources_of "${module#sdk18/}")
    older=()
    [[ $module == sdk18/* ]] && older=(-D SDK_18)
    swiftc -emit-module -parse-as-library -whole-module-optimization -swift-version 6 \
      -package-name schemagen -enable-upcoming-feature ExistentialAny \
      -enable-upcoming-feature InternalImportsByDefault \
      -enable-upcoming-feature MemberImportVisibility \
      -module-name "${module#sdk18/}" -o "$1/$module.swiftmodule" -I "$1" "${headers[@]}" \
      ${older[@]+"${older[@]}"} \
      -load-plugin-library "$1/libPortableSwiftDataMacros.so" \
      -Xfrontend -experimental-skip-non-inlinable-function-bodies "${files[@]}" >&2 ||
      return 1
  done
}

if [[ -z $built ]]; then
  key=$({
    swiftc --version 2>/dev/null
    command -v swiftc
    cat "${macros[@]}" "$kit/check.sh"
    find "${libraries[@]}" -type f -print0 | sort -z | xargs -0 cat
    for module in "${modules[@]}"; do sources_of "$module" | xargs -0 cat; done
  } | sha256sum | cut -c 1-16)
  built=$cache/$key

  # Built aside and moved into place whole, by one process at a time: the others find it when they have waited. Without
  # `flock` each builds it, and the first one's stays.
  if [[ ! -d $built ]]; then
    mkdir -p "$cache"
    exec 9>>"$cache/lock"
    if command -v flock >/dev/null; then flock 9; fi
  fi
  if [[ ! -d $built ]]; then
    aside=$(mktemp -d "$cache/building.XXXXXX")
    trap 'rm -rf "$aside"' EXIT
    build "$aside" || cannot "the portable SwiftData could not be built"
    mv -T "$aside" "$built" 2>/dev/null || [[ -d $built ]] || cannot "could not write $built"
  fi
  exec 9>&-
fi
if $prints; then
  echo "$built"
  exit 0
fi

# All that the compiler is told: names in their order, flags, what the folders of `-I` have, and each file.
told() {
  local flag before=
  printf '%s\n' "$module" "sdk $sdk" "${files[@]##*/}"
  for flag in ${flags[@]+"${flags[@]}"}; do
    if [[ $before == -I ]]; then
      (cd "$flag" && find . -type f -exec sha256sum {} + | sort) || return
    else
      printf '%s\n' "$flag"
    fi
    before=$flag
  done
  sha256sum -- "${files[@]}" | cut -c 1-64
}
digest=$(told | sha256sum | cut -c 1-32) || digest=
if [[ -n $digest && -e $built/compiled/$digest ]]; then exit 0; fi

status=0
shape=()
[[ -n $sdk ]] && shape=(-I "$built/sdk$sdk")
swiftc "${compile[@]}" ${shape[@]+"${shape[@]}"} -I "$built" "${headers[@]}" \
  -load-plugin-library "$built/libPortableSwiftDataMacros.so" \
  ${flags[@]+"${flags[@]}"} "${files[@]}" || status=$?
if ((status == 0)) && [[ -n $digest ]]; then
  mkdir -p "$built/compiled"
  : >"$built/compiled/$digest"
fi
exit "$status"
