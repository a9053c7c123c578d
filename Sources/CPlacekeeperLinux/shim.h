#pragma once
#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>

// The headers declare these functions only with _GNU_SOURCE. A shim must not define them, since that changes other modules.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int renameat2(int folder, const char *old, int other, const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
