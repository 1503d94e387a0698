#!/bin/sh
# install.sh DIR: a VS Code server and a browser driver from npm, without a compiler. The browser itself comes from apt.
set -eu
mkdir -p "$1"
cd "$1"
[ -f package.json ] || printf '{"private":true}\n' > package.json
[ -f done ] && exit 0
case $(uname -m) in aarch64 | arm64) machine=arm64 ;; *) machine=x64 ;; esac
npm install --ignore-scripts --no-audit --no-fund "node-linux-$machine@24" code-server@4.139.1 playwright-core@1.65.1
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts --no-audit --no-fund
ln -sfn code-linux.sh bin/remote-cli/code-server
ln -sfn browser-linux.sh bin/helpers/browser.sh
touch ../../../../done
