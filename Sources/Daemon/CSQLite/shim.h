#include <sqlite3.h>

/* Binds with SQLITE_TRANSIENT, so that SQLite copies the text before the call returns. Swift does not import that
   macro, because it is a cast. */
static inline int coordinatord_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* Sets SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE. Swift does not import variadic functions. */
static inline int coordinatord_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
