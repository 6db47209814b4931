#!/bin/sh
set -eu
awk -F ' *= *' '
  /^[;#]/ { next }
  /^\[/ { section = substr($0, 2, length($0) - 2); next }
  NF == 2 { print toupper(section "_" $1) "=" $2 }
' settings.ini | sort >settings.env
wc -l <settings.env | tr -d ' ' >count.txt
