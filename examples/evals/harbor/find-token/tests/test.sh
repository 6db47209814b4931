#!/bin/sh
check() { [ "$(cat /app/found.txt)" = "src/lib/deep/b.ini:3" ]; }
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
