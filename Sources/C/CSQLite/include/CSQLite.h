#pragma once
#include <sqlite3.h>

// Wraps the macro SQLITE_TRANSIENT, a cast that Swift cannot import: SQLite copies the text. An empty text has no
// address in Swift and is still not NULL.
static inline int clup_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *bytes,
                                         int count) {
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// Wraps the macro SQLITE_TRANSIENT. No bytes still mean an empty blob, not NULL.
static inline int clup_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                         int count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Without statistics SQLite takes no lock for each piece of memory (sqlite3_config is variadic, which Swift cannot
// call). It must be called before any other function of SQLite.
static inline int clup_sqlite3_measure_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Plans a statement once, whatever values are bound to it: otherwise SQLite parses and plans a statement again before
// each run if a bound value is compared with the condition of an index (SQLITE_DBCONFIG_ENABLE_QPSG; the function is
// variadic).
static inline int clup_sqlite3_plan_once(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_QPSG, 1, (int *)0);
}
