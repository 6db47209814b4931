#!/bin/sh
# The tests run as root, which owns the files.
check() {
  cd /tests/files && { echo "# edition: spring"; sha256sum a.txt b/c.txt b/d.txt; } >/tmp/expected
  cmp /tmp/expected /home/clerk/SHA256SUMS && [ "$(id -u)" = 0 ] && [ "$(stat -c %U /home/clerk/SHA256SUMS)" = clerk ]
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
