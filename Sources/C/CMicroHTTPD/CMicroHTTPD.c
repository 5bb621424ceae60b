#define _GNU_SOURCE  // RTLD_NEXT (dlsym(3))
#include "CMicroHTTPD.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>

typedef enum MHD_Result (*queue_function)(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

static _Atomic(clup_mhd_refusal) refusal_handler;

// The library's own function, which the one below stands before.
static queue_function library_queue(void) {
    static _Atomic(queue_function) found;
    queue_function function = atomic_load_explicit(&found, memory_order_relaxed);
    if (!function) {
        function = (queue_function)dlsym(RTLD_NEXT, "MHD_queue_response");
        atomic_store_explicit(&found, function, memory_order_relaxed);
    }
    return function;
}

void clup_mhd_set_refusal(clup_mhd_refusal handler) { atomic_store(&refusal_handler, handler); }

enum MHD_Result clup_mhd_queue(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    queue_function function = library_queue();
    return function ? function(connection, status, response) : MHD_NO;
}

// The program's symbol comes before the library's (ld.so(8)), so that this function gets the calls that the library
// makes itself: its refusals. The server's own answers use clup_mhd_queue.
enum MHD_Result MHD_queue_response(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    clup_mhd_refusal handler = atomic_load(&refusal_handler);
    if (handler) handler(connection, status);
    // The library goes on as if its answer was sent: it does not expect a connection to end within its parser.
    return clup_mhd_queue(connection, status, response);
}

void clup_mhd_drop_packets(int listening) {
    // One instruction: no byte of any packet is passed on (bpf, "return 0").
    struct sock_filter none[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
    struct sock_fprog program = {.len = 1, .filter = none};
    setsockopt(listening, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}
