#!/bin/sh
# Deletes from a folder of installed packages what no running server loads: type files and TypeScript sources (Node strips
# no types below node_modules), source maps, documentation, tests, fonts, and React's builds that NODE_ENV=production does
# not choose. Licences stay.
set -eu
cd "$1"

find . -type d \( -name test -o -name tests -o -name __tests__ -o -name benchmark -o -name benchmarks -o -name bench \
  -o -name docs -o -name example -o -name examples -o -name .github \) -prune -exec rm -r {} +

find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '*.flow' \
  -o -name '*.md' -o -name '*.markdown' -o -name '*.woff' -o -name '*.woff2' -o -name '*.ttf' -o -name '*.test.*' \) \
  ! -iname 'licen[cs]e*' ! -iname 'copying*' ! -iname 'notice*' -delete

rm -f react-dom/cjs/*.development.js react-dom/cjs/*profiling*.js react-dom/cjs/react-dom-client.*.js

find . -type d -empty -delete
