#!/bin/sh
set -eu
awk -F, 'NR > 1 && $4 != "cancelled" { sum[$2] += $3 } END { for (name in sum) print name "," sum[name] }' orders.csv |
  sort >totals.csv
