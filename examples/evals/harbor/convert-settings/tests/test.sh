#!/bin/sh
# Several rewards: the score is the one named reward.
printf 'LOG_FILE=/var/log/app log.txt\nLOG_LEVEL=debug\nSERVER_HOST=localhost\nSERVER_PORT=8080\n' >/tmp/expected
content=0 count=0
if cmp /tmp/expected /app/settings.env; then content=1; fi
if [ "$(cat /app/count.txt)" = 4 ]; then count=1; fi
echo "{\"reward\": $(((content + count) / 2)), \"content\": $content, \"count\": $count}" >/logs/verifier/reward.json
