#!/bin/sh
# Prints the number of lines and the name of each .txt file in a folder.
for file in $(ls $1/*.txt); do
  echo "$(wc -l < $file | tr -d ' ') $(basename $file)"
done
