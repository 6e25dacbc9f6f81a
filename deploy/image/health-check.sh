#!/bin/bash
# Succeeds if the server in this container responds 200 to /healthz.
# In bash, because node:24-slim has neither curl nor wget, and starting Node takes seconds under load. bash is always in
# Debian, and opens TCP connections itself.
set -euo pipefail
exec 3<>"/dev/tcp/${HOST:-127.0.0.1}/${PORT:-3000}"
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 2 -u 3 _ status _
[[ $status == 200 ]]
