#!/usr/bin/env bash
# Packs the built terminal host for containers: harbor/pack.sh [FILE]. Pack on the processor type of the containers, because
# the package has a ripgrep of this one.
set -euo pipefail
cd "$(dirname "$0")/.."
file="${1:-harbor/nekode.tgz}"
[ -f dist/cli.js ] || npm run build
tar -czf "$file" --exclude='*.map' package.json LICENSE dist/cli.js dist/program.js dist/mcp.js dist/browser.js dist/guard.js dist/documents.js \
  dist/wasm dist/cmaps node_modules/@vscode/ripgrep-*
echo "$file"
