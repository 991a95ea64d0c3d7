#!/usr/bin/env bash
# Rehearses with what SwiftPM builds, and tests what a model package tests on Linux.
#
#   swiftpm.sh
#
# Apart from rehearse.sh, because it builds into the checkout's .build: SwiftPM keeps there what it has planned for one
# package, and two at once take each other's plan. test.sh runs all that do so one after the other.
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
shared=$root/.build/integration/swiftpm
schemagen=${SCHEMAGEN:-$root/.build/debug/schemagen}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$shared/Schemas-Travel"
cd "$root"

if [[ $(uname -s) != Linux ]]; then
  echo "SKIPPED: a rehearsal runs on Linux; here SwiftData itself is the better proof"
  exit 0
fi

# What a failed check prints besides.

# swift build builds the scratch package too, and a model package tests itself on Linux: both into the checkout's own
# .build, with its versions of dependencies, since most of them is swift-syntax and our modules.
[[ -f Package.resolved ]] || swift package resolve
cp Package.resolved "$shared/Schemas-Travel/"
[[ -L $shared/swiftpm ]] || rm -rf "$shared/swiftpm"
ln -sfn "$root/.build" "$shared/swiftpm"
mkdir "$scratch/bin"
# SwiftPM compiles anew what it is shown through a link.
cat >"$scratch/bin/swift" <<EOF
#!/usr/bin/env bash
exec "$(command -v swift)" "\${@/#"$shared/swiftpm"/"$root/.build"}"
EOF
chmod +x "$scratch/bin/swift"
status=0
PATH=$scratch/bin:$PATH "$schemagen" rehearse --work "$shared" --schemas Schemas/Travel --quiet --builder package \
  </dev/null >"$scratch/output" 2>"$scratch/errors" || status=$?
check "built by swift build" exits 0
check "built by swift build: the same result" says "no unexpected data loss"
cp -r Examples/Consumer "$scratch/Consumer"
rm -rf "$scratch/Consumer/.build"
sed -i "s,path: \"../..\",path: \"$root\"," "$scratch/Consumer/Package.swift"
cp Package.resolved "$scratch/Consumer/"
status=0
swift test --package-path "$scratch/Consumer" --scratch-path .build --force-resolved-versions \
  >"$scratch/output" 2>"$scratch/errors" || status=$?
check "a model package's own tests run on Linux" exits 0
check "they are the generated ones, and its own" says "in whole metres, with their stops\" passed"
check "they are the generated ones, and its own" says "makes of their values what the manifests say\" with 1 test case passed"

echo
echo "$passed passed, $failed failed"
((failed == 0))
