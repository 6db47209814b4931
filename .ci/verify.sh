#!/usr/bin/env bash
# Every check of scripts/checks.mjs in an installed checkout, with times; the same in CI and on a desk.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node scripts/verify.mjs "$@"
