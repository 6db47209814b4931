#!/bin/sh
set -eu
awk '{ count[$9]++ } END { for (code in count) print count[code], code }' access.log | sort -k1,1nr -k2,2n >statuses.txt
