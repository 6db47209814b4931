#!/bin/sh
check() {
  [ "$(stat -c %a /app/data /app/data/a.txt /app/data/run.sh /app/data/tls /app/data/tls/server.key | tr '\n' ' ')" = "755 644 755 755 600 " ]
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
