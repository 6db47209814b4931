#!/bin/sh
set -eu
cat >last-lines.sh <<'SCRIPT'
#!/bin/sh
# Prints the last lines of a file: last-lines.sh FILE COUNT
tail -n "$2" "$1"
SCRIPT
