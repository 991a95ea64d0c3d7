#!/usr/bin/env bash
# `schemagen serve` with real clients: Neovim, run headless; the official SDK of the Model Context Protocol; a client that
# holds every message against the types of the Language Server Protocol; and with input that is no protocol at all.
#
#   serve.sh
#
# SCHEMAGEN  the binary; without it the checkout's own debug build
#
# Installs Neovim where apt-get has it. Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
cd "$root"
SCHEMAGEN=${SCHEMAGEN:-$(swift build --show-bin-path)/schemagen}
export SCHEMAGEN
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
Scripts/install-python-tools.sh --with-protocols
python=$root/.build/tools/bin/python

# app NAME: two versions, of which the newer one lost a property; and a class that opens the store.
app() {
  mkdir -p "$scratch/$1/Schemas"
  cat >"$scratch/$1/Schemas/V1.yaml" <<'YAML'
version: 1.0.0
summary: First
models:
  Plant:
    properties:
      id: { type: UUID, unique: true }
      note: String = ""
      garden: { relationship: "Garden?" }

  Garden:
    properties:
      name: String = ""
      plants: { relationship: "[Plant]", inverse: garden }
YAML
  sed 's/1\.0\.0/2.0.0/; s/First/Second 🌱/; s/note:/remark:/' "$scratch/$1/Schemas/V1.yaml" >"$scratch/$1/Schemas/V2.yaml"
  cat >"$scratch/$1/App.swift" <<'SWIFT'
import SwiftData

func open() -> ModelContainer {
  do {
    return try ModelContainer(for: Schema([]))
  } catch {
    fatalError("no store: \(error)")
  }
}
SWIFT
}

for kind in lsp mcp broken meanwhile; do
  app "$kind"
  check "$kind" "$python" Tests/Integration/serve_clients.py "$SCHEMAGEN" "$scratch/$kind" "$kind"
done

if ! command -v nvim >/dev/null && command -v apt-get >/dev/null; then apt_install neovim; fi
if command -v nvim >/dev/null; then
  app nvim
  in_neovim() {
    (cd "$scratch/nvim" && XDG_STATE_HOME=$scratch/state timeout 120 \
      nvim --headless -n -i NONE -u "$root/Tests/Integration/serve.lua" Schemas/V2.yaml)
  }
  check "neovim" in_neovim
else
  echo "skipped: there is no Neovim here"
fi

echo
echo "$passed passed, $failed failed"
((failed == 0))
