#!/bin/sh
# Prints the last lines of a file: last-lines.sh FILE COUNT
total=$(wc -l <"$1")
first=$((total - $2 + 2))
sed -n "$first,\$p" "$1"
