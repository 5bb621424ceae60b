#pragma once
#include <postgresql/libpq-fe.h>

// Stands for the macros PG_DIAG_..., characters that Swift would import as such: five characters of
// the table of codes, NULL for a failure of the connection.
static inline const char *clup_pq_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

// As above: the sentence alone, without the detail, which may hold what stands in a row.
static inline const char *clup_pq_sentence(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

// Keeps notices ("relation exists already, skipping") off the standard error.
void clup_pq_silence(PGconn *connection);
