#include <sqlite3.h>

/* Swift cannot call functions with a variable number of arguments: these are two of the uses of sqlite3_db_config.
   A connection that is closed then leaves the WAL to whoever opens the database next. */
static inline int schemagen_leave_wal_on_close(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* No SQL of a connection can then damage its database. */
static inline int schemagen_defend(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
