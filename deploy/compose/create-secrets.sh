#!/bin/sh
# Creates the secrets of compose.yaml in deploy/compose/secrets, with random values, and keeps those that are there.
# To change one, delete its file, run this again, and recreate the containers that read it. The password of Redis is in the
# five files redis-* and valkey-*.
# Each is readable in the container by whatever user runs there; on this machine nobody else may enter the folder.
set -eu
cd "$(dirname "$0")"
mkdir -p -m 700 secrets
cd secrets

create() {
  if [ ! -e "$1" ]; then
    cat > "$1"
    chmod 444 "$1"
  fi
}
random() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

random | create ops-token
random | create ops-read-token
random | create ops-purge-token
random | create grafana-password
random | create redis-password
password=$(cat redis-password)
echo "redis://:$password@valkey:6379" | create redis-url
echo "redis://:$password@valkey-cache:6379" | create redis-cache-url
# What readers sent is in it: on disk before they get a response, and never evicted.
create valkey-conf <<CONF
requirepass $password
appendonly yes
appendfsync always
maxmemory 256mb
maxmemory-policy noeviction
CONF
create valkey-cache-conf <<CONF
requirepass $password
save ""
maxmemory 128mb
maxmemory-policy allkeys-lru
CONF
