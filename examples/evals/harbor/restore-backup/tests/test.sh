#!/bin/sh
check() {
  [ "$(ls /app/restored | tr '\n' ' ')" = "notes.txt plan.txt " ] &&
    [ "$(cat /app/restored/notes.txt)" = "notes 3" ] && [ "$(cat /app/restored/plan.txt)" = "plan 1" ]
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
