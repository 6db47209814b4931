#!/bin/sh
set -eu
sed -i '/^pasta 9$/a curry 11' menu.txt
