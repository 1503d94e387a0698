---@brief
---
--- https://irlint.readthedocs.io/
---
--- A linter for neural-network model files: OpenVINO IR, MXNet and NNVM symbols, TVM graphs, ncnn, LightNet, Glacier.
--- The server recognizes models by content and says nothing about other files. Install it with `pip install irlint`.

---@type vim.lsp.Config
return {
  cmd = { 'irlint', 'server' },
  filetypes = { 'json', 'jsonl', 'xml', 'text', 'ncnn_param' },
  root_markers = { 'irlint.yaml', 'pyproject.toml', '.git' },
}
