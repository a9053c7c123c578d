#pragma once
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// Behind _GNU_SOURCE, which a shim must not define: it would change other modules.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
