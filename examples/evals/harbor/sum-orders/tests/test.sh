#!/bin/sh
# The expected totals are computed from the original file, not from the one that the engine may have changed.
check() {
  awk -F, 'NR > 1 && $4 != "cancelled" { sum[$2] += $3 } END { for (name in sum) print name "," sum[name] }' /tests/orders.csv |
    sort >/tmp/expected.csv
  cmp /tmp/expected.csv /app/totals.csv
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
