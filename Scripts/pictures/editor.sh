#!/usr/bin/env bash
# Records a session of Neovim with `schemagen serve`, as a screen of 96 columns shows it: a property is renamed in a new
# version, its finding, what becomes of its rows, and the answer taken. Needs tmux and Neovim 0.7 or later.
#
#   editor.sh
#
# SCHEMAGEN   the binary; without it the checkout's own debug build
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
cd "$root"
SCHEMAGEN=$(realpath "${SCHEMAGEN:-.build/debug/schemagen}")
recording=$root/docs/pictures/editor.txt
scratch=$(mktemp -d)
trap 'tmux -L editor kill-server 2>/dev/null || true; rm -rf "$scratch"' EXIT
mkdir -p "$scratch/Plants/Schemas"
cat >"$scratch/init.lua" <<'LUA'
vim.o.swapfile = false
vim.o.laststatus = 0
vim.o.ruler = false
vim.o.showmode = false
vim.o.fillchars = "eob: "
vim.o.shortmess = vim.o.shortmess .. "IFWsc"
vim.diagnostic.config({ virtual_text = { format = function(finding) return finding.code end }, signs = false })
vim.lsp.handlers["textDocument/hover"] = vim.lsp.with(vim.lsp.handlers.hover, { border = "single", max_width = 72 })
vim.api.nvim_create_autocmd("BufReadPost", {
  callback = function(event)
    local client = vim.lsp.start_client({
      name = "schemagen", cmd = { os.getenv("SCHEMAGEN"), "serve" }, root_dir = vim.fn.getcwd(),
    })
    vim.lsp.buf_attach_client(event.buf, client)
    vim.keymap.set("n", "K", vim.lsp.buf.hover, { buffer = event.buf })
    vim.keymap.set("n", "ga", vim.lsp.buf.code_action, { buffer = event.buf })
  end,
})
LUA
cat >"$scratch/Plants/Schemas/V1.yaml" <<'YAML'
version: 1.0.0
summary: Plants
models:
  Plant:
    properties:
      id: { type: UUID, unique: true }
      note: String = ""
YAML
(cd "$scratch/Plants" && "$SCHEMAGEN" generate && "$SCHEMAGEN" release V1) >/dev/null
sed 's/1\.0\.0/2.0.0/; s/Plants/What the gardener says/' "$scratch/Plants/Schemas/V1.yaml" >"$scratch/Plants/Schemas/V2.yaml"

screen() { tmux -L editor "$@"; }
screen -f /dev/null new-session -d -x 96 -y 18 -s editor -c "$scratch/Plants" \
  env SCHEMAGEN="$SCHEMAGEN" XDG_STATE_HOME="$scratch/state" TERM=screen nvim -n -i NONE -u "$scratch/init.lua" Schemas/V2.yaml
# shows WORDS: waits until they stand on the screen.
shows() {
  local turn
  for ((turn = 0; turn < 200; turn++)); do
    if screen capture-pane -p -t editor | grep -qF -- "$1"; then return 0; fi
    sleep 0.1
  done
  screen capture-pane -p -t editor >&2
  fail "the screen does not show: $1"
}
shows_not() {
  local turn
  for ((turn = 0; turn < 200; turn++)); do
    if ! screen capture-pane -p -t editor | grep -qF -- "$1"; then return 0; fi
    sleep 0.1
  done
  fail "the screen goes on to show: $1"
}
# said TITLE: the screen, of empty lines between others one.
said() {
  echo "$1"
  echo
  screen capture-pane -p -t editor | sed 's/ *$//' | cat -s | sed 's/^\(.\)/    \1/'
  echo
}
shows "note: String"
{
  echo "A session of Neovim with schemagen serve, recorded by Scripts/pictures/editor.sh."
  echo
  screen send-keys -t editor "7G^cwremark" Escape
  shows "unacknowledged-drop"
  said "'note' is called 'remark' from now on. At once:"
  screen send-keys -t editor "K"
  shows "lightweight, values defaulted"
  said "K, on 'remark': what becomes of the rows."
  screen send-keys -t editor Escape "hlga"
  shows "keep the values of"
  said "ga: the answer that loses nothing."
  screen send-keys -t editor "1" Enter
  shows "renamedFrom: note"
  shows_not "unacknowledged-drop"
  said "Taken, and the finding is gone:"
} >"$recording.new"
mv "$recording.new" "$recording"
