#!/bin/sh
# publish.sh vsce|ovsx VSIX...: publish the packed extension on Microsoft's marketplace (vsce) or on Open VSX (ovsx).
# Unless PUBLISH is true, it only says what it would publish, and needs no token: VSCE_PAT for the first, OVSX_PAT for the second.
set -eu
program=$1
shift
bin=$(dirname "$0")/node_modules/.bin/$program
case $program in
  vsce) name=VSCE_PAT token=${VSCE_PAT:-} ;;
  ovsx) name=OVSX_PAT token=${OVSX_PAT:-} ;;
  *) echo "publish.sh: unknown program $program" >&2; exit 2 ;;
esac
for file; do
  [ -s "$file" ] || { echo "publish.sh: no such file: $file" >&2; exit 2; }
done
if [ "${PUBLISH:-}" != true ]; then
  "$bin" --version
  for file; do echo "dry run: $program publish $(basename "$file")"; done
  exit
fi
[ -n "$token" ] || { echo "publish.sh: the secret $name is not set" >&2; exit 2; }
"$bin" publish --skip-duplicate --packagePath "$@"
