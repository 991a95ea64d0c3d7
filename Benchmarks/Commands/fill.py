"""Fills the first table of a store with a million rows."""
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
