#!/bin/sh
run() { sh /app/last-lines.sh /tmp/lines "$1"; }
check() {
  seq 1 5 >/tmp/lines
  [ "$(run 2)" = "$(printf '4\n5')" ] && [ "$(run 5)" = "$(seq 1 5)" ] && [ "$(run 9)" = "$(seq 1 5)" ] && [ -z "$(run 0)" ]
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
