#!/bin/sh
# Deletes all installed packages but the one named and those that it depends on, which are deleted of what no server
# loads: type files and C++ sources. For a server that is bundled. Licences stay.
set -eu

kept=$(npm query "#$1, #$1 *" | node -p 'JSON.parse(require("fs").readFileSync(0)).map(({ location }) => location).join("\n")')
mkdir kept-packages
# shellcheck disable=SC2086 # A list of folders.
cp -a --parents $kept kept-packages
rm -r node_modules
mv kept-packages/node_modules node_modules
rmdir kept-packages
find node_modules -type f \( -name '*.ts' -o -name '*.cc' -o -name '*.h' \) -delete
