#pragma once
#include <microhttpd.h>

// Called on the daemon's thread with the status with which the library is about to refuse a request itself.
typedef void (*clup_mhd_refusal)(struct MHD_Connection *connection, unsigned int status);

// Sets what is called before each refusal of the library's own, for all daemons of the process.
void clup_mhd_set_refusal(clup_mhd_refusal handler);

// Stands for MHD_queue_response, whose name gets the refusals of the library itself.
enum MHD_Result clup_mhd_queue(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);

// Wraps the variadic MHD_start_daemon: one thread of MHD's own with epoll, connections that can be suspended, a
// listening socket of the caller's, and all callbacks with one context.
//
// MHD_USE_AUTO must not be added: with an epoll thread MHD 0.9.75 then answers NULL.
static inline struct MHD_Daemon *clup_mhd_start(
    int listening, unsigned int connections, size_t memory, unsigned int idle_seconds,
    MHD_AccessHandlerCallback handle,
    void *(*begin)(void *context, const char *uri, struct MHD_Connection *connection),
    MHD_RequestCompletedCallback complete, MHD_NotifyConnectionCallback notify, void *context) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME | MHD_ALLOW_UPGRADE | MHD_USE_TURBO,
        0, NULL, NULL, handle, context,
        MHD_OPTION_LISTEN_SOCKET, listening,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        // The Host field is required, and spaces in the request target are refused.
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, complete, context,
        MHD_OPTION_NOTIFY_CONNECTION, notify, context,
        MHD_OPTION_END);
}

// Wraps the variadic MHD_get_connection_info: the connection's socket, -1 if unknown.
static inline int clup_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Wraps the variadic MHD_get_connection_info: the pointer that the notify callback stored in the socket's context.
static inline void *clup_mhd_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

// Wraps the variadic MHD_get_connection_info: bytes from the method to the end of the empty line that ends the
// head, 0 if unknown.
static inline size_t clup_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// Wraps the variadic MHD_get_connection_info: the address of the connection's other end, NULL if unknown.
static inline const struct sockaddr *clup_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

// Wraps the variadic MHD_get_connection_info: the daemon that the connection belongs to.
static inline struct MHD_Daemon *clup_mhd_daemon(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_DAEMON);
    return info ? info->daemon : NULL;
}

// Wraps the variadic MHD_upgrade_action: an upgraded connection is over, and MHD closes its socket.
static inline enum MHD_Result clup_mhd_release(struct MHD_UpgradeResponseHandle *handle) {
    return MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

// Lets a listening TCP socket get no further packet (SO_ATTACH_FILTER, socket(7)): a client that connects repeats its
// first packet after a second. Connections that are already made are not touched.
void clup_mhd_drop_packets(int listening);
