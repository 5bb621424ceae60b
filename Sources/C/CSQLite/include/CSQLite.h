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
