#!/bin/sh
set -eu
cd photos
ls | LC_ALL=C sort | while read -r file; do
  name=$(echo "$file" | tr 'A-Z' 'a-z' | tr -s ' ' '-')
  if [ "$name" != "$file" ] && [ -e "$name" ]; then name="${name%.*}-2.${name##*.}"; fi
  [ "$name" = "$file" ] || mv "$file" "$name"
done
