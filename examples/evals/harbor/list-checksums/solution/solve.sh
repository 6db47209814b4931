#!/bin/sh
set -eu
cd files
{ echo "# edition: $EDITION"; find . -type f | sed 's,^\./,,' | sort | xargs sha256sum; } >/home/clerk/SHA256SUMS
