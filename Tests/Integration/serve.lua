-- Neovim's own client in a session with `schemagen serve`: opens a manifest, types, looks, takes an answer, completes a name.
--
--   SCHEMAGEN=… nvim --headless -u serve.lua Schemas/V2.yaml
--
-- Written for 0.7, which Debian has. Ends with 1 and says why where something is not as it should be.

local function fail(reason)
  io.stderr:write("nvim: " .. reason .. "\n")
  vim.cmd("cquit")
end

local function run()
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({
    name = "schemagen", cmd = { os.getenv("SCHEMAGEN"), "serve" }, root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(buffer, client)

  local function rules()
    local found = {}
    for _, finding in ipairs(vim.diagnostic.get(buffer)) do found[finding.code] = finding end
    return found
  end
  local function until_true(what, test)
    if not vim.wait(20000, test, 20) then
      fail("no " .. what .. ": " .. vim.inspect(vim.tbl_keys(rules())))
    end
  end
  local function line(text) return vim.fn.search(text, "w") end
  local function ask(method, more)
    local parameters = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
    local answers, problem = vim.lsp.buf_request_sync(buffer, method, parameters, 20000)
    if not answers then fail(method .. ": " .. tostring(problem)) end
    local answer = answers[client] or {}
    if answer.err or answer.error then fail(method .. ": " .. vim.inspect(answer)) end
    return answer.result
  end

  until_true("finding", function() return rules()["unacknowledged-drop"] end)

  -- A key that is typed wrong is found, and its answer makes it right.
  local place = line("summary")
  vim.api.nvim_buf_set_text(buffer, place - 1, 0, place - 1, 7, { "sumary" })
  until_true("finding about the key", function() return rules()["unknown-key"] end)
  local range = vim.lsp.util.make_range_params()
  range.range["end"] = range.range.start
  local actions = ask("textDocument/codeAction", { range = range.range, context = { diagnostics = {} } })
  if not actions or #actions ~= 1 then fail("answers: " .. vim.inspect(actions)) end
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  until_true("end of the finding", function() return not rules()["unknown-key"] end)
  if vim.fn.getline(place):sub(1, 8) ~= "summary:" then fail("line: " .. vim.fn.getline(place)) end

  line("remark")
  local hover = ask("textDocument/hover")
  if not hover.contents.value:find("lightweight, values defaulted", 1, true) then fail(vim.inspect(hover)) end

  -- The name that the property had, where a key asks for it.
  place = line("remark")
  vim.api.nvim_buf_set_lines(buffer, place - 1, place, true, { "      remark: { type: String, renamedFrom: n" })
  vim.api.nvim_win_set_cursor(0, { place, #vim.fn.getline(place) - 1 })
  local names = ask("textDocument/completion")
  if names[1].label ~= "note" then fail(vim.inspect(names)) end

  vim.lsp.stop_client(client)
  if not vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 20) then
    fail("the server does not end")
  end
  vim.cmd("qall!")
end

vim.api.nvim_create_autocmd("VimEnter", {
  callback = function()
    local good, reason = pcall(run)
    if not good then fail(tostring(reason)) end
  end,
})
