#!/bin/sh
check() {
  [ "$(ls /app/photos | LC_ALL=C sort | tr '\n' ' ')" = "beach-day-2.jpg beach-day.jpg cat.gif mountain-view.png " ] &&
    [ "$(cat /app/photos/beach-day.jpg)" = beach ] && [ "$(cat /app/photos/beach-day-2.jpg)" = "second beach" ]
}
if check; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi
