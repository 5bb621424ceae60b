#pragma once
#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: there is one function for each kind
// of argument (curl_easy_setopt(3), curl_easy_getinfo(3)).

static inline CURLcode clup_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clup_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// CURLOPT_COPYPOSTFIELDS copies the bytes; CURLOPT_POSTFIELDSIZE must be set before it.
static inline CURLcode clup_curl_set_body(CURL *handle, const void *bytes, long count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode clup_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

static inline CURLcode clup_curl_set_writer(
    CURL *handle, size_t (*writer)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

static inline CURLcode clup_curl_set_head_reader(
    CURL *handle, size_t (*reader)(char *, size_t, size_t, void *), void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, reader);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

static inline CURLcode clup_curl_set_prerequest(
    CURL *handle, int (*callback)(void *, char *, char *, int, int), void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
}

// The opener is called for each address that a connection is tried to; CURL_SOCKET_BAD of it refuses the address
// (CURLOPT_OPENSOCKETFUNCTION(3)).
static inline CURLcode clup_curl_set_socket_opener(
    CURL *handle, curl_socket_t (*opener)(void *, curlsocktype, struct curl_sockaddr *), void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

// curl_multi_setopt(3) is variadic too.
static inline CURLMcode clup_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline long clup_curl_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

// A header of the last answer (curl_easy_header(3)); NULL if the answer does not have it.
static inline const char *clup_curl_header(CURL *handle, const char *name) {
    struct curl_header *header = NULL;
    return curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK
               ? header->value
               : NULL;
}
