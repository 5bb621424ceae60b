#include "CPostgres.h"

static void silent(void *arg, const PGresult *result) {
    (void)arg;
    (void)result;
}

void clup_pq_silence(PGconn *connection) { PQsetNoticeReceiver(connection, silent, NULL); }
