#!/bin/sh
set -eu
mkdir -p restored
for archive in backups/*.tar.gz; do
  tar -xzf "$archive" -C restored
  if [ -e restored/DELETED ]; then
    while read -r name; do rm -f "restored/$name"; done <restored/DELETED
    rm restored/DELETED
  fi
done
