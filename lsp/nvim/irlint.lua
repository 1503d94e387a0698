-- Neovim 0.7 and newer: put this file into ~/.config/nvim/plugin/. Set `vim.g.irlint_cmd` to use another command.
local names = { json = true, jsonc = true, jsonl = true, xml = true, text = true, ncnn_param = true }

vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.param',
  callback = function(event)
    if vim.bo[event.buf].filetype == '' then -- other programs have .param files, too
      vim.bo[event.buf].filetype = 'ncnn_param'
    end
  end,
})

local function attach(buffer)
  if not names[vim.bo[buffer].filetype] then
    return
  end
  local file = vim.api.nvim_buf_get_name(buffer)
  local config = {
    name = 'irlint',
    cmd = vim.g.irlint_cmd or { 'irlint', 'server' },
    root_dir = file ~= '' and vim.fn.fnamemodify(file, ':p:h') or vim.fn.getcwd(),
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
