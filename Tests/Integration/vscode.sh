#!/usr/bin/env bash
# Runs the extension for Visual Studio Code under Node, with stand-ins for the editor and its language client.
#
#   vscode.sh
#
# Installs nodejs where there is none and apt-get. Prints a line for each check, then `N passed, M failed`; exits 1 when
# one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
cd "$root"
command -v node >/dev/null || apt_install nodejs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch

# What `npx @vscode/vsce package` runs before it packs.
check "prepare.js copies the schemas and the license" node Plugins/VSCode/prepare.js "$scratch/extension"
for file in Schemas/manifest.schema.json Schemas/schemagen.schema.json; do
  check "the extension brings ${file##*/}" cmp "$file" "$scratch/extension/schemas/${file##*/}"
done
cp Plugins/VSCode/{package.json,extension.js} "$scratch/extension/"
while IFS= read -r name; do
  check "$name" node Tests/Integration/vscode_check.js "$scratch/extension" "$name"
done < <(node Tests/Integration/vscode_check.js)

echo
echo "$passed passed, $failed failed"
((failed == 0))
