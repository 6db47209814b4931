#!/bin/sh
check() { [ "$(cat /app/hello.txt)" = "Hello, world!" ]; }
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
