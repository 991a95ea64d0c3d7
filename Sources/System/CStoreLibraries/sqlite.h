#include <sqlite3.h>

/* Swift cannot call functions with a variable number of arguments, so these wrap two uses of sqlite3_db_config.
   This one makes a connection leave the WAL in place when it is closed. */
static inline int schemagen_leave_wal_on_close(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Whether no SQL of a connection can damage its database: 1 or 0. Apple's SQLite begins with 1, others with 0. */
static inline int schemagen_defend(sqlite3 *connection, int is_on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, is_on, (int *)0);
}
