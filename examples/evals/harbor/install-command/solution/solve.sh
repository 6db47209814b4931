#!/bin/sh
set -eu
mkdir -p /usr/local/bin
cat >/usr/local/bin/slug <<'SCRIPT'
#!/bin/sh
tr 'A-Z' 'a-z' | sed -E 's/[^a-z0-9]+/-/g; s/^-//; s/-$//'
SCRIPT
chmod 755 /usr/local/bin/slug
