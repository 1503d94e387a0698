#!/bin/sh
# package.sh [TARGET...]: makes the extension: its bundle, the schemas, and the server with what it imports, for every Python from
# 3.10 on; irlint.vsix for this machine, and irlint-TARGET.vsix for each target, such as linux-arm64.
# Wheels come from PyPI, or, where WHEELS names a folder of them, from there without any network.
set -eu
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}
PURE="attrs cattrs lsprotocol pygls>=2.0,<2.2 ruamel.yaml tomli typing_extensions exceptiongroup"
COMPILED=$(sed -n 's/^ *"\(jsonschema-rs[^"]*\)",$/\1/p' ../../pyproject.toml) # NumPy is too large; where the interpreter has it, it is used
SOURCE="${WHEELS:+--no-index --find-links $WHEELS}"
LIMIT=15728640 # bytes that an extension may have

install() { "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --upgrade $SOURCE "$@"; }

platforms() { # the tags of wheels that a target can load
  case $1 in
  linux-x64) echo manylinux_2_17_x86_64 manylinux2014_x86_64 manylinux_2_28_x86_64 ;;
  linux-arm64) echo manylinux_2_17_aarch64 manylinux2014_aarch64 manylinux_2_28_aarch64 ;;
  darwin-x64) echo macosx_10_12_x86_64 macosx_11_0_x86_64 macosx_11_0_universal2 ;;
  darwin-arm64) echo macosx_11_0_arm64 macosx_11_0_universal2 ;;
  win32-x64) echo win_amd64 ;;
  *)
    echo "unknown target $1" >&2
    exit 2
    ;;
  esac
}

compiled() { # TARGET or nothing: one wheel of the stable ABI serves all Pythons
  rm -rf bundled/platform
  set -- $([ -z "${1:-}" ] || platforms "$1" | sed 's/[^ ]* */--platform & /g')
  install --target bundled/platform --implementation cp --abi abi3 --python-version 310 "$@" "$COMPILED"
  rm -rf bundled/platform/bin
}

pack() { # FILE [OPTION...]
  file=$1
  shift
  npx vsce package --no-dependencies --allow-missing-repository "$@" -o "$file" > vsce.log 2>&1 || { cat vsce.log >&2; exit 1; }
  size=$(wc -c < "$file")
  echo "$file: $((size / 1024)) KiB"
  [ "$size" -le "$LIMIT" ] || { echo "$file has more than $LIMIT bytes" >&2; exit 1; }
}

rm -rf bundled/libs bundled/platform schemas dist
cp -r ../../schemas schemas
install --target bundled/libs $PURE
cp -r ../irlint_lsp bundled/libs/irlint_lsp
cp -r ../../irlint bundled/libs/irlint
cp -r ../../schemas bundled/libs/irlint/schemas
rm -rf bundled/libs/bin
find bundled -name __pycache__ -prune -exec rm -rf {} +
cp ../../LICENSE LICENSE
npm run --silent bundle
rm -f irlint*.vsix
compiled || { rm -rf bundled/platform; echo "irlint.vsix: without $COMPILED; there is no wheel for this machine" >&2; }
pack irlint.vsix
for target; do
  if compiled "$target"; then
    pack "irlint-$target.vsix" --target "$target"
  else
    echo "irlint-$target.vsix: left out; there is no wheel of $COMPILED for it" >&2
  fi
done
