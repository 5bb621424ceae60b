#pragma once
#include <postgresql/libpq-fe.h>

// Wraps the macros PG_DIAG_..., which Swift would import as characters. Answers five characters of the table of
// codes, NULL for a failure of the connection.
static inline const char *clup_pq_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

// The same for the sentence alone, without the detail, which may contain values of a row.
static inline const char *clup_pq_sentence(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

// Keeps notices ("relation exists already, skipping") off the standard error.
void clup_pq_silence(PGconn *connection);
