#!/bin/sh
check() {
  [ "$(echo '  Hello,   World!  2024 ' | slug)" = hello-world-2024 ] && [ "$(printf 'A_B\nC\n' | slug)" = "$(printf 'a-b\nc')" ]
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
