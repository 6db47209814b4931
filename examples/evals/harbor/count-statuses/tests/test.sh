#!/bin/sh
check() {
  awk '{ count[$9]++ } END { for (code in count) print count[code], code }' /tests/access.log | sort -k1,1nr -k2,2n >/tmp/expected
  cmp /tmp/expected /app/statuses.txt
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
