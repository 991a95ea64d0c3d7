#!/usr/bin/env bash
# Scripts/apple.py --sdk, with folders that look like SDKs and a compiler that only notes what it is asked to compile: what
# is compiled for which system, and that a failure is told. Whether it compiles, only a real SDK says.
#
#   apple.sh
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -uo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
cd "$root" || exit 1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/schemagen-apple.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
cat >"$scratch/bin/swiftc" <<'EOF'
#!/bin/sh
if [ "$1" = --version ]; then echo "a compiler of $NOTES"; exit; fi
printf '%s ' "$@" >>"$NOTES"
echo >>"$NOTES"
case "$*" in
*"${REFUSED:-nothing is refused}"*) echo "a.swift:1:1: error: refused" >&2; exit 1 ;;
esac
EOF
cat >"$scratch/bin/xcrun" <<'EOF'
#!/bin/sh
if [ "$3" = --show-sdk-path ]; then echo "$(dirname "$NOTES")/${2}18.5.sdk"; exit; fi
shift
exec swiftc "$@"
EOF
chmod +x "$scratch"/bin/*

# sdk NAME: a folder that looks like the SDK of that canonical name.
sdk() {
  mkdir -p "$scratch/$1.sdk"
  echo "{\"CanonicalName\": \"$1\"}" >"$scratch/$1.sdk/SDKSettings.json"
}
# apple NAME [REFUSED]
apple() {
  status=0
  rm -f "$scratch/notes"
  NOTES=$scratch/notes REFUSED=${2:-nothing is refused} PATH=$scratch/bin:$PATH \
    Scripts/apple.py --sdk "$scratch/$1.sdk" >"$scratch/output" 2>&1 || status=$?
}
# told WORDS…: a call of the compiler has all of them.
told() {
  local calls
  calls=$(cat "$scratch/notes")
  for word in "$@"; do calls=$(grep -F -- "$word" <<<"$calls") || return 1; done
}

sdk iphoneos18.5
apple iphoneos18.5
check "what apps link is compiled for the oldest system" \
  told "-module-name SchemaMigrationKit" "-sdk $scratch/iphoneos18.5.sdk" "-target arm64-apple-ios17 "
check "nothing of the command is" not told "-module-name schemagen "
check "what is generated is compiled for the first that has all of it" \
  told "Schemas/Travel/Generated" "-target arm64-apple-ios18.0 " "-swift-version 5" "-strict-concurrency=minimal"
check "internal imports are compiled" told "Schemas/Travel/Generated" "-enable-upcoming-feature InternalImportsByDefault"
check "Xcode 16's compiler, which has no default isolation, is not asked for it" not told "-default-isolation"
check "models that inherit are not compiled with an older SDK" not told "Schemas/Recipes"
check "and that is told" says "Schemas/Recipes: not compiled, since SDK 18.5 is older than 26.0"
check "it ends with 0" exits 0

rm -f "$scratch/notes"
status=0
(
  export NOTES=$scratch/notes PATH=$scratch/bin:$PATH
  # As docs/mac.md has it.
  Scripts/apple.py --sdk "$(xcrun --sdk iphoneos --show-sdk-path)"
) >"$scratch/output" 2>&1 || status=$?
check "the page's command finds the SDK, and what has not changed is not compiled again" exits 0
check "that is, only what is generated" not told "-emit-module "

apple iphoneos18.5 Schemas/Travel
check "what does not compile is named" says "=== iOS 17: Schemas/Travel, internalImports"
check "it ends with 1" exits 1

sdk macosx26.2
apple macosx26.2
check "the command is compiled on a Mac" told "-module-name schemagen " "-target arm64-apple-macosx14 "
check "models that inherit are compiled with an SDK that has them" \
  told "Schemas/Recipes/Generated" "-target arm64-apple-macosx26.0 "
check "the main actor's modes are compiled with a compiler that has them" \
  told "Schemas/Travel/Generated" "-default-isolation MainActor"
check "and the experiments" told "Experiments/Sources/schemagen-experiments" "-D INHERITANCE"

sdk xros26.0
apple xros26.0
check "visionOS is compiled for too" told "-module-name SchemaMigrationKit" "-target arm64-apple-xros1 "

sdk driverkit24.0
apple driverkit24.0
check "an SDK without SwiftData is refused" says "is the SDK of no system"
apple nothing
check "a folder that is no SDK is refused" says "is no SDK: it has no SDKSettings.json"
rm -rf .build/apple/{iphoneos18.5,macosx26.2,xros26.0}

echo "$passed passed, $failed failed"
((failed == 0))
