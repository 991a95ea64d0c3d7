#!/usr/bin/env bash
# Times backing up, restoring and inspecting a store of 1 GB against sqlite3's own `.backup`; prints medians and
# peak memory. Its store is `$1`, by default the example's, whose first table is filled with a million rows.
#
#   Scripts/benchmark-stores.sh [STORE [RUNS]]
#
# Builds `schemagen` and `backup-stand-in` for release. Needs 4 GB where `TMPDIR` is, sqlite3, python3, GNU time.
set -euo pipefail
cd "$(dirname "$0")/.."
store=${1:-Examples/Plants/Stores/plants.store} runs=${2:-5}
swift build -c release --product schemagen >&2
swift build -c release --product backup-stand-in >&2
binaries=$(swift build -c release --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$store" "$work/big.store"
chmod u+w "$work/big.store"
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
# NAME TARGET COMMAND…: the median time of `runs` runs, how often that of `.backup` it is and is to be at most, and the
# greatest peak memory.
plain=0
measure() {
  local name=$1 target=$2; shift 2
  for ((run = 0; run < runs; run++)); do
    rm -rf "$work/x.sqlite" "$work/Backups"
    if [ "$name" = restore ]; then
      "$binaries/backup-stand-in" create "$work/big.store" >"$work/made"
    fi
    /usr/bin/time -f '%e %M' -o "$work/time" -a "$@" >"$work/out" 2>&1 || [ "$name" = inspect ]
    rm -f "$work"/big_replaced_*
  done
  sort -n "$work/time" | awk -v name="$name" -v plain="$plain" -v target="$target" '
    !/^[0-9]/ { next }
    { times[++count] = $1; if ($2 > memory) memory = $2 }
    END {
      median = times[int((count + 1) / 2)]
      printf "%-10s %6.2f s   %4d MB", name, median, memory / 1024
      if (plain > 0) printf "   %4.1f × .backup", median / plain
      if (target != "-") printf " (target: %s)", target
      printf "\n"
    }' | tee "$work/line"
  if [ "$name" = .backup ]; then plain=$(awk '{ print $2 }' "$work/line"); fi
  rm "$work/time"
}
measure .backup - sqlite3 "$work/big.store" ".backup '$work/x.sqlite'"
measure sha256sum - sha256sum "$work/big.store"
measure create 2.5 "$binaries/backup-stand-in" create "$work/big.store"
measure restore - "$binaries/backup-stand-in" restore "$work/big.store"
measure inspect - "$binaries/schemagen" inspect "$work/big.store"
