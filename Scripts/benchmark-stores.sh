#!/usr/bin/env bash
# Times backing up, restoring and inspecting a store of 1 GB against sqlite3's own `.backup`; prints medians and
# peak memory. Its store is an Apple-written one, `$1`, whose first table is filled with a million rows.
#
#   Scripts/benchmark-stores.sh STORE [RUNS]
#
# Builds `schemagen` and `backup-stand-in` for release. Needs 4 GB where `TMPDIR` is, sqlite3, python3, GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
store=$1 runs=${2:-5}
swift build -c release --product schemagen >&2
swift build -c release --product backup-stand-in >&2
binaries=$(swift build -c release --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$store" "$work/big.store"
python3 - "$work/big.store" <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
table, = database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'Z%' AND name NOT LIKE 'Z\\_%' ESCAPE '\\' ORDER BY name").fetchone()
entity, = database.execute("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE 'Z' || upper(Z_NAME) = ?", (table,)).fetchone()
text = next(row[1] for row in database.execute(f"PRAGMA table_info({table})") if row[2] == "VARCHAR")
for (index,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%'").fetchall():
    database.execute(f'DROP INDEX "{index}"')
database.execute(f"""
  WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000)
  INSERT INTO {table} (Z_PK, Z_ENT, Z_OPT, {text}) SELECT n + 1000, {entity}, 1, n || hex(randomblob(500)) FROM numbers
""")
database.commit()
PYTHON
echo "store: $(stat -c %s "$work/big.store") bytes"
# NAME COMMAND…: the median time and the greatest peak memory of `runs` runs.
measure() {
  local name=$1; shift
  for ((run = 0; run < runs; run++)); do
    rm -rf "$work/x.sqlite" "$work/Backups"
    if [ "$name" = restore ]; then
      "$binaries/backup-stand-in" create "$work/big.store" >"$work/made"
    fi
    /usr/bin/time -f '%e %M' -o "$work/time" -a "$@" >"$work/out" 2>&1 || [ "$name" = inspect ]
    rm -f "$work"/big_replaced_*
  done
  sort -n "$work/time" | awk -v name="$name" '
    !/^[0-9]/ { next }
    { times[++count] = $1; if ($2 > memory) memory = $2 }
    END { printf "%-10s %6.2f s   %4d MB\n", name, times[int((count + 1) / 2)], memory / 1024 }'
  rm "$work/time"
}
measure .backup sqlite3 "$work/big.store" ".backup '$work/x.sqlite'"
measure sha256sum sha256sum "$work/big.store"
measure create "$binaries/backup-stand-in" create "$work/big.store"
measure restore "$binaries/backup-stand-in" restore "$work/big.store"
measure inspect "$binaries/schemagen" inspect "$work/big.store"
