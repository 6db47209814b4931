#!/bin/sh
check() {
  printf '# Menu of the week\n# Prices in euro\nsoup 4\nbread 2\npasta 9\ncurry 11\nsalad 6\ntea 3\n' | cmp - /app/menu.txt
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
