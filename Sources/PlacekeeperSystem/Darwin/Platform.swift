package import Darwin

/// The parts of the C library in which Linux and macOS differ.
package enum Platform {
    @inlinable package static var streamSocket: Int32 { SOCK_STREAM }

    /// The flag of send(2) that prevents SIGPIPE. macOS has a socket option instead, which `makeSocket` and `accept`
    /// set.
    @inlinable package static var noSignal: Int32 { 0 }

    /// The flag of send(2) that announces more bytes. macOS doesn't have one.
    @inlinable package static var moreFollows: Int32 { 0 }

    /// A clock that keeps running while the system sleeps.
    package static var clockSinceBoot: clockid_t { CLOCK_MONOTONIC }

    /// A number that identifies the calling thread. Never 0.
    @inlinable package static var currentThread: UInt { UInt(bitPattern: pthread_self()) }

    /// Creates a stream socket that child programs don't inherit. Returns -1 on failure, like socket(2).
    package static func makeSocket(_ family: Int32, blocks: Bool) -> Int32 {
        prepare(socket(family, SOCK_STREAM, 0), blocks: blocks)
    }

    /// Accepts a connection, like accept(2). The socket is nonblocking, and child programs don't inherit it.
    package static func accept(
        _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: UnsafeMutablePointer<socklen_t>
    ) -> Int32 {
        prepare(Darwin.accept(listener, address, length), blocks: false)
    }

    /// Creates a pair of connected stream sockets that child programs don't inherit. Nil if the system refuses.
    package static func makeSocketPair(blocks: Bool) -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
        return (prepare(ends[0], blocks: blocks), prepare(ends[1], blocks: blocks))
    }

    private static func prepare(_ descriptor: Int32, blocks: Bool) -> Int32 {
        guard descriptor >= 0 else { return -1 }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, blocks ? 0 : O_NONBLOCK)
        return descriptor
    }

    /// Whether a socket's connection is lost. Reports each failure once.
    package static func hasFailed(_ descriptor: Int32) -> Bool {
        var (error, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0
    }

    /// Makes a program that posix_spawn(2) starts inherit only the descriptors of the file actions. Returns flags for
    /// the attributes.
    package static func closeOnSpawn(_ actions: inout posix_spawn_file_actions_t) -> Int32 {
        Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    }

    /// When the file's content last changed.
    package static func modificationTime(_ status: stat) -> timespec { status.st_mtimespec }

    /// Calls `handler` when a signal arrives. Interrupted system calls are restarted.
    package static func catchSignal(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_u.__sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    /// The limit of setrlimit(2) on open files and connections.
    package static var openFiles: Int32 { RLIMIT_NOFILE }

    /// Whether a program keeps the system's clock in step with others. The system doesn't say.
    package static var isClockSynchronized: Bool? { nil }

    /// The magic number of a file system, which this system lacks.
    package static func fileSystemKind(_ path: String) -> UInt32? { nil }

    /// Raises the soft limit on open files and connections as far as the system allows.
    package static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return }
        // The system refuses a soft limit above `OPEN_MAX`, even if the hard limit is unlimited (setrlimit(2)). Never
        // lower a soft limit that is already higher.
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(OPEN_MAX)))
        setrlimit(RLIMIT_NOFILE, &limit)
    }

    /// Overwrites bytes with zeros, even if nothing reads them later.
    package static func erase(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        memset_s(start, bytes.count, 0, bytes.count)
    }

    /// Renames a file, unless the new name is taken (EEXIST). Returns 0 or the error's code: EINVAL if the file system
    /// can't do this.
    package static func renameToNew(_ old: String, _ new: String) -> Int32 {
        rename(old, new, flags: UInt32(RENAME_EXCL))
    }

    /// Exchanges two names in one step. Returns 0 or the error's code: EINVAL if the file system can't do this.
    package static func exchange(_ first: String, _ second: String) -> Int32 {
        rename(first, second, flags: UInt32(RENAME_SWAP))
    }

    private static func rename(_ old: String, _ new: String, flags: UInt32) -> Int32 {
        guard renamex_np(old, new, flags) != 0 else { return 0 }
        return errno == ENOTSUP ? EINVAL : errno
    }

    /// Does nothing, because the allocator returns freed memory to the system.
    package static func returnFreedMemory() {}

    /// Does nothing: launchd doesn't wait for readiness.
    package static func notifyReady() {}
}
