#!/bin/bash
# run.sh TOOLS: installs the .vsix into a fresh VS Code server, runs the tests in its extension host, then drives its window:
# a fresh one, twice, and one for all else.
# Nothing but the loopback interface is there meanwhile, where this machine can cut the network (E2E_NETWORK=kept leaves it), and
# the interpreter is a bare one, so that all that runs is what the .vsix holds. E2E_PATIENCE is how many seconds one wait may take.
# Exit status 1: a test failed; 75: they could not be run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
UNABLE=75
python=${PYTHON:-python3}
if [ "${E2E_NETWORK:-whole}" = whole ]; then
  for cut in "unshare --net" "unshare --user --map-root-user --net"; do
    if $cut "$python" "$here/loopback.py" 2> /dev/null; then
      E2E_NETWORK=cut exec $cut bash "$0" "$@"
    fi
  done
fi
if [ "${E2E_NETWORK:-}" = cut ]; then
  "$python" "$here/loopback.py"
  echo "network: loopback only"
else
  echo "network: as it is; unshare cannot cut it off here"
fi

tools=$(realpath "$1")
node=$(echo "$tools"/node_modules/node-linux-*/bin/node)
entry=$tools/node_modules/code-server/out/node/entry.js
state=$(mktemp -d)
port=$((20000 + $$ % 20000))
server=
cleanup() {
  [ -z "$server" ] || stop
  rm -rf "$state"
}
trap cleanup EXIT
unable() {
  echo "$1" >&2
  exit "$UNABLE"
}

mkdir -p "$state/work" "$state/user/User" "$state/user/Machine" "$state/ext" "$state/empty"
export XDG_CONFIG_HOME=$state/xdg XDG_DATA_HOME=$state/xdg EXTENSIONS_GALLERY='{}'
unset VSCODE_IPC_HOOK_CLI PYTHONPATH
"$node" "$entry" --version > /dev/null 2> "$state/log" || { cat "$state/log" >&2; unable "code-server does not start here"; }
"$python" "$here/workspace.py" "$state/work"
"$python" -m venv --without-pip "$state/python"
bare=$state/python/bin/python
if "$bare" -I -c 'import irlint' 2> /dev/null; then
  unable "the bare interpreter has an irlint"
fi
"$python" "$here/schemas.py" "$state/work/own" "$("$bare" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
cp "$here/settings.json" "$state/user/User/settings.json"
printf '{"irlint.interpreter": ["%s"]}\n' "$bare" > "$state/user/Machine/settings.json" # the user's settings do not apply to it
printf 'bind-addr: 127.0.0.1:%s\nauth: none\ncert: false\n' "$port" > "$state/config.yaml"
common=(--config "$state/config.yaml" --user-data-dir "$state/user" --extensions-dir "$state/ext")
"$node" "$entry" "${common[@]}" --install-extension "${VSIX:-$root/lsp/vscode/irlint.vsix}"
stop() {
  kill "$server" 2> /dev/null || true
  wait "$server" 2> /dev/null || true
  server=
}
serve() { # OPTION...
  "$node" "$entry" "${common[@]}" --disable-telemetry --disable-update-check --disable-workspace-trust \
    --disable-getting-started-override --reconnection-grace-time 5 "$@" "$state/work" > "$state/log" 2>&1 < /dev/null &
  server=$!
  for ((tenth = 0; ; tenth++)); do
    curl -sf --noproxy '*' -o /dev/null "http://127.0.0.1:$port/healthz" && break
    kill -0 "$server" 2> /dev/null && [ "$tenth" -lt $((${E2E_PATIENCE:-60} * 15)) ] || { cat "$state/log" >&2; unable "code-server does not answer"; }
    sleep .1
  done
}

mkdir "$state/models"
cp "$state/work/digits.onnx" "$state/models"
export ALONE=$state/models
export BASE=http://127.0.0.1:$port WS=$state/work CHROMIUM=${CHROMIUM:-$(command -v chromium)} NODE_PATH=$tools/node_modules
export EXT=$here/harness TESTS=$here/harness/index.js IMAGES=${IMAGES:-$root/lsp/vscode/images}
serve --vscode-option enable-smoke-test-driver
"$node" "$here/host.cjs"
stop
serve # as users have it: with that option VS Code shows no notifications
"$node" "$here/fresh.cjs"
"$node" "$here/window.cjs"
