#!/bin/sh
# Makes irlint.vsix: the bundle, the schemas, and the server with what it imports for every Python from 3.10 on.
# Wheels come from PyPI, or, where WHEELS names a folder of them, from there without any network.
set -eu
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}
PYTHONS=${PYTHONS:-"310 311 312 313 314"}
PURE="attrs cattrs lsprotocol pygls ruamel.yaml tomli typing_extensions exceptiongroup"
COMPILED="jsonschema-rs" # NumPy is too large to carry; where the interpreter has it, it is used
SOURCE="${WHEELS:+--no-index --find-links $WHEELS}"

install() { "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --upgrade $SOURCE "$@"; }

rm -rf bundled/libs bundled/cp* schemas dist
cp -r ../../schemas schemas
install --target bundled/libs $PURE
cp -r ../irlint_lsp bundled/libs/irlint_lsp
cp -r ../../irlint bundled/libs/irlint
cp -r ../../schemas bundled/libs/irlint/schemas
for version in $PYTHONS; do
  install --target "bundled/cp$version" --implementation cp --python-version "$version" $COMPILED ||
    { rm -rf "bundled/cp$version"; echo "no wheels for cp$version: left out" >&2; }
done
find bundled -name __pycache__ -prune -exec rm -rf {} +
rm -rf bundled/*/bin
cp ../../LICENSE LICENSE
npm run --silent bundle
npx vsce package --no-dependencies --allow-missing-repository ${TARGET:+--target $TARGET} -o irlint.vsix
