#!/usr/bin/env bash
# Builds what a release publishes, and uses it as its users do: the archive in an empty Debian, the artifact bundle
# through the plugins package, the launch library by itself.
#
#   packages.sh [--built | --if-changed]
#
# --built       with the archive that is in .build/dist
# --if-changed  not at all where all that this rests on is as it was when this last passed: a static build takes a
#               quarter of an hour. Scripts/release/proven has the digest of that, by Scripts/release/proven-of.sh; a run
#               that passes writes it, to be committed. A release runs this in any case.
#
# Prints a line for each check, the table of docs/install.md, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
cd "$root"
scratch=$(mktemp -d)
as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }
trap 'as_root rm -rf "$scratch"' EXIT
dist=$root/.build/dist
export NO_COLOR=1

if [[ $(uname -s) != Linux ]]; then
  echo "SKIPPED: packages.sh tells what a Linux binary is linked with, and starts it in an empty Debian"
  exit 0
fi

proven=Scripts/release/proven
now=$(Scripts/release/proven-of.sh)
if [[ ${1:-} == --if-changed && $(cat "$proven" 2>/dev/null) == "$now" ]]; then
  echo "PROVEN before: nothing that a release's packages rest on has changed since ($proven)"
  exit 0
fi

megabytes() { awk -v bytes="$(cat "$@" | wc -c)" 'BEGIN { printf "%.1f", bytes / 1e6 }'; }
smaller_than() { (($(wc -c <"$2") < $1)); }
# seconds COMMAND…: how long it takes by the clock, and on the processor: another load does not change the latter.
seconds() {
  local TIMEFORMAT='%1R %1U %1S'
  { time "$@" >"$scratch/said" 2>&1; } 2>"$scratch/times" || return
  awk '{ print $1, $2 + $3 }' "$scratch/times"
}

# It keeps how long its file's path is, which tells builds in two folders apart.
check "nothing that is built keeps the length of a path" test -z "$(grep -rl withoutActuallyEscaping Sources || true)"

if [[ ${1:-} != --built ]]; then
  rm -rf "$dist"
  Scripts/release/build.sh --output "$dist"
fi
archives=("$dist"/schemagen-*-linux-gnu.tar.gz)
((${#archives[@]} == 1)) || fail "there are ${#archives[@]} archives in $dist: remove it, and run this without --built"
archive=${archives[0]}
name=$(basename "$archive" .tar.gz)
tar -xzf "$archive" -C "$scratch"
bin=$scratch/$name/bin

# --- A binary that needs nothing -------------------------------------------------------------------

# Whether it asks for libraries of glibc alone.
needs_glibc_only() {
  local others
  others=$(ldd "$1" | awk '{ print $1 }' | grep -Ev '^(linux-vdso|libc|libm|/lib.*/ld-linux-[a-z0-9-]+)\.so\.[0-9]$') || true
  [[ -z $others ]] || { echo "$others"; return 1; }
}
# Every version of glibc's symbols that it asks for.
asks_for_glibc() {
  local newest
  newest=$(objdump -T "$2" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
  echo "$newest"
  [[ $(printf '%s\n' "GLIBC_$1" "$newest" | sort -V | tail -1) == "GLIBC_$1" ]]
}
names_no_folder() { ! grep -aqF "$root" "$1"; }
for tool in schemagen schemagen-sources; do
  check "$tool needs glibc and nothing else" needs_glibc_only "$bin/$tool"
  check "$tool starts with the glibc of Ubuntu 22.04" asks_for_glibc 2.35 "$bin/$tool"
  check "$tool does not say where it was built" names_no_folder "$bin/$tool"
done
check "schemagen is smaller than 44 MB" smaller_than 44000000 "$bin/schemagen"

apt_get_debootstrap() { command -v debootstrap >/dev/null || apt_install debootstrap; }
apt_get_debootstrap >/dev/null
debian=$scratch/debian
as_root debootstrap --variant=minbase bookworm "$debian" >"$scratch/debootstrap" 2>&1 ||
  { tail "$scratch/debootstrap" >&2; fail "no empty Debian could be made"; }
as_root tar -xzf "$archive" -C "$debian/usr/local" --strip-components 1
as_root mkdir -p "$debian/app"
as_root cp -R Examples/Plants/. "$debian/app"
store=$(cd Examples/Plants && find Stores -name '*.store' | head -1)
# With /proc, as every container has it: Swift reads a program's arguments there. The mount ends with the command.
in_debian() {
  as_root unshare --mount /bin/sh -ec 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -ec "cd /app && $2"' \
    - "$debian" "$1"
}
check "an empty Debian has none of the libraries" in_debian '! ls /usr/lib/*/libyaml* /usr/lib/*/libsqlite3* /usr/lib/*/libstdc++*.a'
check "in it: --version" in_debian "[ \"\$(schemagen --version)\" = '$(tool_version)' ]"
check "in it: adopt, which reads Swift" in_debian 'schemagen adopt App'
check "in it: generate" in_debian 'schemagen generate && test -s App/Generated/MigrationPlan.swift'
check "in it: lint" in_debian 'schemagen lint'
check "in it: inspect" in_debian "schemagen inspect $store"
check "in it: report" in_debian 'schemagen report && grep -q "</html>" report.html'
check "in it: adopt --finish, and detect" in_debian 'schemagen adopt --finish App && schemagen detect'
check "in it: init, in an empty folder" in_debian 'mkdir /new && cd /new && schemagen init && schemagen generate'
check "in it: a mistake has status 2" in_debian 'schemagen lint --schemas Nowhere || test $? = 2'

# --- What is in the archive --------------------------------------------------------------------------

share=$scratch/$name/share
# Not in the checkout, where the runtime would be found as well.
rehearses() {
  mkdir "$scratch/rehearsed"
  cp -R Schemas/Ritualist "$scratch/rehearsed/Schemas"
  (cd "$scratch/rehearsed" && PATH="$bin:$PATH" schemagen rehearse --schemas Schemas --from V8)
}
check "a rehearsal compiles the runtime beside the binary" rehearses
check "a man page for each command" test -s "$share/man/man1/schemagen-generate.1"
check "completions for bash" bash -n "$share/bash-completion/completions/schemagen"
check "completions for zsh and fish" test -s "$share/zsh/site-functions/_schemagen" -a -s "$share/fish/vendor_completions.d/schemagen.fish"
check "licences of what is linked in" test -s "$share/doc/schemagen/LICENSE-libyaml"

# --- The launch library by itself --------------------------------------------------------------------

# published KIND NAME [OPTION…]: a package as a repository with a version.
published() {
  local folder=$scratch/published/$2
  Scripts/release/packages.py "$1" "$folder" "${@:3}"
  git -C "$folder" init -q
  git -C "$folder" add -Af .
  git -C "$folder" -c user.name=Test -c user.email=test@example.invalid commit -qm "Release"
  git -C "$folder" tag 1.0.0
}
published kit SchemaMigrationKit
mkdir -p "$scratch/App/Sources/App"
cat >"$scratch/App/Package.swift" <<EOF
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "App",
  dependencies: [.package(url: "$scratch/published/SchemaMigrationKit", from: "1.0.0")],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "SchemaMigrationKit", package: "SchemaMigrationKit")])
  ])
EOF
cat >"$scratch/App/Sources/App/main.swift" <<'EOF'
import Foundation
import SchemaMigrationKit

let folder = URL(filePath: CommandLine.arguments[1])
let backups = StoreBackups(of: folder.appending(path: "none.store"))
print(try backups.list().count)
EOF
# resolved FOLDER: the packages that it makes SwiftPM resolve.
resolved() {
  swift package --package-path "$1" --cache-path "$scratch/cache" resolve >"$scratch/said" 2>&1 || return
  sed -n 's/.*"identity" : "\(.*\)".*/\1/p' "$1/Package.resolved" | sort | tr '\n' ' '
}
kit=$(resolved "$scratch/App")
check "an app that asks for SchemaMigrationKit resolves no other package" test "$kit" = "schemamigrationkit "
took=$(seconds swift package --package-path "$scratch/App" --scratch-path "$scratch/cold-build" \
  --cache-path "$scratch/cold-cache" resolve)
library_row="| launch library | \`swift package resolve\` | ${took% *} | $(find "$scratch/published/SchemaMigrationKit/Sources" -name '*.swift' -exec cat {} + | wc -c | awk '{ printf "%.1f", $1 / 1e6 }') | 1 |"
built() { swift build --package-path "$1" --cache-path "$scratch/cache"; }
check "it is built" built "$scratch/App"
check "it runs" "$scratch/App/.build/debug/App" "$scratch"

# --- The plugins, with a binary ----------------------------------------------------------------------

bundle=$dist/schemagen.artifactbundle.zip
Scripts/release/bundle.py --output "$dist" "$archive" >"$scratch/checksum"
check "the checksum is SwiftPM's" test "$(cat "$scratch/checksum")" = "$(swift package compute-checksum "$bundle")"
cp -R "$dist" "$scratch/again"
check "the same archive makes the same bundle" bash -c \
  "Scripts/release/bundle.py --output '$scratch/again' '$archive' && cmp '$bundle' '$scratch/again/$(basename "$bundle")'"
mkdir -p "$scratch/published/schemagen-plugins"
cp "$bundle" "$scratch/published/schemagen-plugins/"
published plugins schemagen-plugins --path schemagen.artifactbundle.zip
cp -R Examples/Consumer "$scratch/Consumer"
rm -rf "$scratch/Consumer/.build"
# On Linux its tests take SwiftData from schemagen itself, which is another thing.
cat >"$scratch/Consumer/Package.swift" <<EOF
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Trips",
  dependencies: [.package(url: "$scratch/published/schemagen-plugins", from: "1.0.0")],
  targets: [.target(name: "TripModels")])
EOF
plugins=$(resolved "$scratch/Consumer")
check "an app that asks for the plugins resolves no other package" test "$plugins" = "schemagen-plugins "
# cold VERB ARGUMENT…: on a machine that has nothing but the package: no build, no cache.
cold() {
  rm -rf "$scratch/Consumer/.build" "$scratch/cold"
  (cd "$scratch/Consumer" && swift package --cache-path "$scratch/cold" --allow-writing-to-package-directory "$@")
}
# The checkout as a package, for platforms without a binary: it compiles the programs for its plugins.
check "the plugins, compiled" Tests/Integration/plugin.sh --source
rows=()
for verb in generate-schema lint-schema detect-schema-changes; do
  took=$(seconds cold "$verb") || took=
  check "$verb, cold" test -n "$took"
  # Where nothing else runs, that is more than by the clock.
  check "$verb, cold, in less than 15 seconds of a processor: $took" awk -v took="${took#* }" \
    'BEGIN { exit !(took + 0 > 0 && took < 15) }'
  rows+=("| plugins package | \`swift package $verb\` | ${took% *} | $(megabytes "$bundle") | 1 |")
done

echo
echo "| way of installing | command | cold seconds | megabytes | packages resolved |"
echo "|---|---|---|---|---|"
printf '%s\n' "${rows[@]}"
took=$(seconds tar -xzf "$archive" -C "$scratch")
echo "| archive | \`tar -xzf\` | ${took% *} | $(megabytes "$archive") | 0 |"
echo "| | \`schemagen\`, unpacked | | $(megabytes "$bin/schemagen") | |"
echo "| | \`schemagen-sources\`, unpacked | | $(megabytes "$bin/schemagen-sources") | |"
echo "$library_row"
echo
echo "$passed passed, $failed failed"
((failed == 0)) || exit 1
if [[ $(cat "$proven" 2>/dev/null) != "$now" ]]; then
  echo "$now" >"$proven"
  echo "packages.sh: commit $proven: until then each run proves the same again"
fi
