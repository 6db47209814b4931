#!/bin/sh
set -eu
echo "Hello, world!" >/app/hello.txt
