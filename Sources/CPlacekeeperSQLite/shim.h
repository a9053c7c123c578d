#pragma once
#include <sqlite3.h>
#include <stdint.h>

// Swift imports neither variadic functions nor destructors that are cast from integers.

// Disables memory statistics, for which every allocation would lock a mutex. Call this before other SQLite functions.
static inline int placekeeper_sqlite_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static inline int placekeeper_sqlite_set_flag(sqlite3 *database, int flag, int value) {
    return sqlite3_db_config(database, flag, value, (int *)0);
}

static inline int placekeeper_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

static inline int placekeeper_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// The bytes must stay valid and in place until the statement has been stepped and another value is bound.
static inline int placekeeper_sqlite_bind_blob_in_place(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}
