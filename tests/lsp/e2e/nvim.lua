-- nvim --headless -u NONE -i NONE -n -c 'luafile nvim.lua'; IRLINT_LUA is the configuration that users get, DOC a model with a finding
local ok, err = pcall(function()
  vim.g.irlint_cmd = vim.split(vim.env.LSP_CMD, ' ', { plain = true })
  dofile(vim.env.IRLINT_LUA)
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.DOC))
  vim.bo.filetype = 'json'
  local buf = vim.api.nvim_get_current_buf()
  local function found()
    return vim.diagnostic.get(buf)
  end
  assert(vim.wait(60000, function() return #found() == 1 end, 20), 'no diagnostics')
  local d = found()[1]
  print('open', d.source, d.code or d.user_data.lsp.code, d.lnum, d.col)
  local function ask(method, params)
    params.textDocument = { uri = vim.uri_from_bufnr(buf) }
    for _, answer in pairs(vim.lsp.buf_request_sync(buf, method, params, 30000)) do
      assert(not answer.err, vim.inspect(answer.err))
      return answer.result
    end
  end
  local here = { line = d.lnum, character = d.col + 2 }
  local hover = ask('textDocument/hover', { position = here })
  assert(hover.contents.value:find('sigmoid'), 'hover')
  local range = { start = here, ['end'] = here }
  local fixes = vim.tbl_filter(function(a) return a.edit end, ask('textDocument/codeAction', { range = range, context = { diagnostics = {} } }))
  assert(#fixes > 0, 'no fix')
  local client = vim.lsp.get_client_by_id(vim.tbl_keys(vim.lsp.buf_get_clients(buf))[1])
  vim.lsp.util.apply_workspace_edit(fixes[1].edit, client.offset_encoding)
  assert(vim.wait(60000, function() return #found() == 0 end, 20), 'the finding stays')
  print('fixed', fixes[1].title)
  vim.cmd('IrlintGraph')
  assert(vim.wait(30000, function() return vim.fn.filereadable(vim.env.OPENED) == 1 end, 20), 'no graph')
end)
if not ok then
  io.stderr:write('FAIL ' .. tostring(err) .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
