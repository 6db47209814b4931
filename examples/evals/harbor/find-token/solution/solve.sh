#!/bin/sh
set -eu
grep -rnE '(^|[^a-z0-9_])tok_[0-9a-f]{16}([^0-9a-zA-Z_]|$)' src | cut -d: -f1,2 >found.txt
