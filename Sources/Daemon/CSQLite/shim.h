#include <sqlite3.h>

/* A macro with a cast, which Swift does not import: SQLite is to copy a text before the call returns. */
static inline int coordinatord_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* Variadic, which Swift does not import either. */
static inline int coordinatord_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
