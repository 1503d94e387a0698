-- As nvim.lua; DOC is a binary model with a finding
local ok, err = pcall(function()
  vim.g.irlint_cmd = vim.split(vim.env.LSP_CMD, ' ', { plain = true })
  dofile(vim.env.IRLINT_LUA)
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.DOC))
  local buf = vim.api.nvim_get_current_buf()
  local function text()
    return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
  end
  assert(vim.bo.filetype == 'onnx' and not vim.bo.modifiable and text():find('kernal_shape'), 'the text')
  local function found()
    return vim.diagnostic.get(buf)
  end
  assert(vim.wait(60000, function() return #found() == 1 end, 20), 'no diagnostics')
  local d = found()[1]
  local here = { line = d.lnum, character = d.col + 2 }
  local function ask(method, params)
    for _, answer in pairs(vim.lsp.buf_request_sync(buf, method, params, 30000)) do
      assert(not answer.err, vim.inspect(answer.err))
      return answer.result
    end
  end
  local document = { uri = vim.uri_from_bufnr(buf) }
  local range = { start = here, ['end'] = here }
  local actions = ask('textDocument/codeAction', { textDocument = document, range = range, context = { diagnostics = {} } })
  local fixes = vim.tbl_filter(function(a) return a.command and a.command.command == 'irlint.rewrite' end, actions)
  assert(#fixes > 0, 'no fix')
  ask('workspace/executeCommand', { command = fixes[1].command.command, arguments = fixes[1].command.arguments })
  assert(vim.wait(60000, function() return #found() == 0 and text():find('kernel_shape') end, 20), 'the text is not shown again')
  assert(not vim.bo.modified, 'modified')
  print('fixed')
end)
if not ok then
  io.stderr:write('FAIL ' .. tostring(err) .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
