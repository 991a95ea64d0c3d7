#!/usr/bin/env bash
# Builds schemagen for the machine this runs on, as releases have it, and packs it into an archive:
# schemagen-VERSION-TRIPLE.tar.gz.
#
#   build.sh [--output FOLDER]   without a folder: .build/dist
#
# On Linux the executables need glibc and nothing else: libyaml, SQLite, zlib and Swift's libraries are linked into them.
# On macOS libyaml is, the others are the system's. The same commit, toolchain and libraries give the same bytes, in
# whatever folder.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$root"

output=$root/.build/dist
while (($#)); do
  case $1 in
  --output)
    output=${2:?}
    shift
    ;;
  *) fail "usage: build.sh [--output FOLDER]" ;;
  esac
  shift
done

Scripts/install-libraries.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Stays, so that a second build finds its options as they were.
libraries=$root/.build/bundle-libraries
rm -rf "$libraries"
mkdir -p "$libraries"
# Warnings are CI's concern, and its flag would compile all dependencies anew.
unset SCHEMAGEN_STRICT SCHEMAGEN_CHECK SCHEMAGEN_PLUGINS

# static NAME: a library to be linked statically: a folder without its shared form leaves no choice.
static() {
  local file
  for file in "/usr/lib/$(uname -m)-linux-gnu/lib$1.a" "/usr/lib64/lib$1.a" "/usr/lib/lib$1.a" \
    "$(brew --prefix "lib$1" 2>/dev/null || true)/lib/lib$1.a"; do
    if [[ -f $file ]]; then
      ln -s "$file" "$libraries/"
      return
    fi
  done
  fail "lib$1.a is not to be found: install the library's development package"
}

static yaml
# The folder comes before the system's for all of them.
printf '%s\n' "Name: yaml" "Description: libyaml, linked statically" "Version: 1" "Libs: -L$libraries -lyaml" \
  "Cflags: $(pkg-config --cflags-only-I yaml-0.1 2>/dev/null || true)" >"$libraries/yaml-0.1.pc"
options=(-c release --scratch-path .build/bundle)
# Nothing tells where this was built. (`withoutActuallyEscaping` would: of its file's name it keeps the length. Nothing
# uses it.)
options+=(-Xswiftc -file-prefix-map -Xswiftc "$root=/schemagen" -Xcc "-ffile-prefix-map=$root=/schemagen")
# What nothing calls is left out: each function is in a section of its own.
options+=(-Xswiftc -Xfrontend -Xswiftc -function-sections)
case $(uname -s) in
Linux)
  static sqlite3
  static z
  # Beside them, so that it is linked statically, too.
  ln -s "$(clang -print-file-name=libstdc++.a)" "$libraries/"
  toolchain=$(dirname "$(dirname "$(realpath "$(command -v swift)")")")
  symbol=$(Scripts/release/icu.py "$toolchain" "$libraries/icu.o")
  options+=(-Xlinker "$libraries/icu.o" -Xlinker "--wrap=$symbol")
  options+=(--static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
  # Of no use to a program that loads no libraries.
  options+=(-Xlinker --no-export-dynamic -Xlinker --exclude-libs=ALL -Xlinker --icf=all -Xlinker --strip-all)
  ;;
Darwin)
  options+=(-Xlinker -dead_strip -Xlinker -x)
  ;;
*) fail "releases are built on Linux and macOS" ;;
esac
export PKG_CONFIG_PATH=$libraries
for product in schemagen schemagen-sources; do swift build "${options[@]}" --product "$product" >&2; done
binaries=$(swift build "${options[@]}" --show-bin-path)
triple=$(basename "$(dirname "$binaries")")
version=$("$binaries/schemagen" --version)

name=schemagen-$version-$triple
folder=$scratch/$name
mkdir -p "$folder/bin" "$folder/share/doc/schemagen"
cp "$binaries/schemagen" "$binaries/schemagen-sources" "$folder/bin/"
if [[ $(uname -s) == Linux ]]; then
  # What tells builds apart that are the same: digests of the compiler's options, folders included, and of the whole.
  for binary in "$folder"/bin/*; do
    "$toolchain/bin/llvm-objcopy" --remove-section .swift_modhash --remove-section .note.gnu.build-id "$binary"
  done
  Scripts/release/packages.py runtime "$folder/share/schemagen"
fi
SCHEMAGEN=$folder/bin/schemagen Scripts/manual.sh "$folder/share/man/man1"
# completions SHELL FILE
completions() {
  mkdir -p "$(dirname "$folder/share/$2")"
  "$folder/bin/schemagen" --generate-completion-script "$1" >"$folder/share/$2"
}
completions bash bash-completion/completions/schemagen
completions zsh zsh/site-functions/_schemagen
completions fish fish/vendor_completions.d/schemagen.fish
# licence NAME FILE…: of what is in the executables, the first that is there.
licence() {
  local name=$1 file
  for file in "${@:2}"; do
    if [[ -f $file ]]; then
      cp "$file" "$folder/share/doc/schemagen/$name"
      return
    fi
  done
  fail "the licence of $name is not to be found: it is looked for at ${*:2}"
}
licence LICENSE LICENSE
for package in swift-argument-parser swift-mustache swift-syntax; do
  licence "LICENSE-$package" .build/bundle/checkouts/"$package"/LICENSE{.txt,}
done
if [[ $(uname -s) == Linux ]]; then
  licence LICENSE-swift "$toolchain/share/swift/LICENSE.txt"
  for package in libyaml-dev:libyaml libsqlite3-dev:sqlite zlib1g-dev:zlib; do
    licence "LICENSE-${package#*:}" "/usr/share/doc/${package%:*}/copyright"
  done
  licence LICENSE-libstdc++ /usr/share/doc/libstdc++6/copyright
else
  licence LICENSE-libyaml "$(brew --prefix libyaml)/"{License,LICENSE}
fi
Scripts/release/built-of.sh >"$folder/share/doc/schemagen/built-of.txt"
mkdir -p "$output"
Scripts/release/archive.py "$output/$name.tar.gz" "$scratch" "$name"
echo "$output/$name.tar.gz"
