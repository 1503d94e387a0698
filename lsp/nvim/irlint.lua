-- Neovim 0.7 and newer: put this file into ~/.config/nvim/lua/, and `require("irlint")` into init.lua. Set `vim.g.irlint_cmd` to use another command.
local names = { json = true, jsonc = true, jsonl = true, xml = true, text = true, ncnn_param = true, onnx = true, pbtxt = true }

vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.param',
  callback = function(event)
    if vim.bo[event.buf].filetype == '' then -- other programs have .param files, too
      vim.bo[event.buf].filetype = 'ncnn_param'
    end
  end,
})

-- A binary model is shown as the text that `irlint show` prints. It cannot be edited; fixes are written to the file by the server.
local function show(buffer)
  local command = vim.deepcopy(vim.g.irlint_cmd or { 'irlint', 'server' })
  command[#command] = 'show'
  table.insert(command, vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p'))
  local lines = vim.fn.systemlist(command)
  if vim.v.shell_error ~= 0 then
    return vim.notify(table.concat(lines, '\n'), vim.log.levels.ERROR)
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
end

vim.api.nvim_create_autocmd('BufReadCmd', {
  pattern = '*.onnx',
  callback = function(event)
    vim.bo[event.buf].buftype = 'nowrite'
    vim.bo[event.buf].swapfile = false
    show(event.buf)
    vim.bo[event.buf].filetype = 'onnx'
  end,
})

vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.onnxtxt',
  callback = function(event)
    vim.bo[event.buf].filetype = 'onnx'
  end,
})

local handlers = {
  ['irlint/textChanged'] = function(_, params)
    show(vim.uri_to_bufnr(params.uri))
  end,
}

local function attach(buffer)
  if not names[vim.bo[buffer].filetype] then
    return
  end
  local file = vim.api.nvim_buf_get_name(buffer)
  local config = {
    name = 'irlint',
    cmd = vim.g.irlint_cmd or { 'irlint', 'server' },
    root_dir = file ~= '' and vim.fn.fnamemodify(file, ':p:h') or vim.fn.getcwd(),
    handlers = handlers,
    init_options = { settings = vim.g.irlint_settings or vim.empty_dict() },
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    vim.g.irlint_client = vim.g.irlint_client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(buffer, vim.g.irlint_client)
  end
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = vim.tbl_keys(names),
  callback = function(event)
    attach(event.buf)
  end,
})

-- :IrlintGraph opens the graph of the model in the browser.
vim.api.nvim_create_user_command('IrlintGraph', function()
  local uri = vim.uri_from_bufnr(0)
  vim.lsp.buf_request(0, 'workspace/executeCommand', { command = 'irlint.openGraph', arguments = { uri } }, function(err, address)
    vim.notify(err and err.message or ('irlint: ' .. address))
  end)
end, {})
