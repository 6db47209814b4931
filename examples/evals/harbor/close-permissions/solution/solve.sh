#!/bin/sh
set -eu
chmod -R go-w data
find data -name '*.key' -exec chmod 600 {} +
