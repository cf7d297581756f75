#!/usr/bin/env bash
# Installs the real ClickHouse programs that the tests talk to, where they are missing: Debian's server, clients and Python driver
# (18.16), ClickHouse 26.7 as the npm package chdb, and the C compiler and liblz4 that `dictsvc bench sql` compares with. Does nothing, quickly, where all is there.
set -euo pipefail

chdb=${DICTSVC_CHDB:-$HOME/.cache/dictsvc/chdb}
missing=()
command -v clickhouse-server >/dev/null 2>&1 || [ -x /usr/sbin/clickhouse-server ] || missing+=(clickhouse-server)
command -v clickhouse-client >/dev/null 2>&1 || missing+=(clickhouse-client)
command -v clickhouse-benchmark >/dev/null 2>&1 || missing+=(clickhouse-tools)
/usr/bin/python3 -c 'import clickhouse_driver' >/dev/null 2>&1 || missing+=(python3-clickhouse-driver)
command -v tmux >/dev/null 2>&1 || missing+=(tmux)
command -v cc >/dev/null 2>&1 || missing+=(gcc libc6-dev)
[ -e /usr/include/lz4.h ] || missing+=(liblz4-dev)
command -v node >/dev/null 2>&1 || missing+=(nodejs npm)

if [ ${#missing[@]} -gt 0 ]; then
	echo "installing ${missing[*]}"
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	export DEBIAN_FRONTEND=noninteractive
	$sudo apt-get update -qq
	$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

if [ ! -d "$chdb/node_modules/chdb" ]; then
	echo "installing chdb 3.4.0 (ClickHouse 26.7) into $chdb"
	mkdir -p "$chdb"
	npm install --silent --no-fund --no-audit --prefix "$chdb" chdb@3.4.0
fi
