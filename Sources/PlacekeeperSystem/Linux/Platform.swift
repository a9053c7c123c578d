package import CPlacekeeperLinux
import Glibc

/// The parts of the C library in which Linux and macOS differ.
package enum Platform {
    @inlinable package static var streamSocket: Int32 { Int32(SOCK_STREAM.rawValue) }

    /// The flag of send(2) that prevents SIGPIPE.
    @inlinable package static var noSignal: Int32 { Int32(MSG_NOSIGNAL) }

    /// The flag of send(2) that announces more bytes.
    @inlinable package static var moreFollows: Int32 { Int32(MSG_MORE) }

    /// A clock that keeps running while the system sleeps.
    package static var clockSinceBoot: clockid_t { CLOCK_BOOTTIME }

    /// A number that identifies the calling thread. Never 0.
    @inlinable package static var currentThread: UInt { UInt(pthread_self()) }

    /// Creates a stream socket that child programs don't inherit. Returns -1 on failure, like socket(2).
    package static func makeSocket(_ family: Int32, blocks: Bool) -> Int32 {
        let flags = Int32(SOCK_CLOEXEC.rawValue) | (blocks ? 0 : Int32(SOCK_NONBLOCK.rawValue))
        return socket(family, streamSocket | flags, 0)
    }

    /// Accepts a connection, like accept(2). The socket is nonblocking, and child programs don't inherit it.
    package static func accept(
        _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: UnsafeMutablePointer<socklen_t>
    ) -> Int32 {
        accept4(listener, address, length, Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
    }

    /// Creates a pair of connected stream sockets that child programs don't inherit. Nil if the system refuses.
    package static func makeSocketPair(blocks: Bool) -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        let flags = Int32(SOCK_CLOEXEC.rawValue) | (blocks ? 0 : Int32(SOCK_NONBLOCK.rawValue))
        return socketpair(AF_UNIX, streamSocket | flags, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Whether a socket's connection is lost, or both sides have finished sending. In either case, a Dispatch source
    /// reports one last event, even if more bytes are waiting.
    package static func hasFailed(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        while true {
            let count = poll(&entry, 1, 0)
            // A pending signal interrupts even a call that doesn't wait (poll(2)).
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }

    /// Makes a program that posix_spawn(3) starts inherit only the standard descriptors. Returns flags for the
    /// attributes. Call it after all other actions.
    package static func closeOnSpawn(_ actions: inout posix_spawn_file_actions_t) -> Int32 {
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        return 0
    }

    /// When the file's content last changed.
    package static func modificationTime(_ status: stat) -> timespec { status.st_mtim }

    /// Calls `handler` when a signal arrives. Interrupted system calls are restarted.
    package static func catchSignal(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    /// The limit of setrlimit(2) on open files and connections.
    package static var openFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

    /// Whether a program keeps the system's clock in step with others. Nil if the system doesn't say.
    package static var isClockSynchronized: Bool? {
        var time = timex()
        guard adjtimex(&time) >= 0 else { return nil }
        return time.status & STA_UNSYNC == 0
    }

    /// The magic number of the file system at a path (statfs(2)), or nil if it can't be read.
    package static func fileSystemKind(_ path: String) -> UInt32? {
        var status = statfs()
        return statfs(path, &status) == 0 ? UInt32(truncatingIfNeeded: status.f_type) : nil
    }

    /// Raises the soft limit on open files and connections to the hard limit.
    package static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(openFiles, &limit)
    }

    /// Overwrites bytes with zeros, even if nothing reads them later.
    package static func erase(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        explicit_bzero(start, bytes.count)
    }

    /// Renames a file, unless the new name is taken (EEXIST). Returns 0 or the error's code: EINVAL or ENOSYS if the
    /// file system can't do this.
    package static func renameToNew(_ old: String, _ new: String) -> Int32 { rename(old, new, flags: 1) }

    /// Exchanges two names in one step. Returns 0 or the error's code: EINVAL or ENOSYS if the file system can't do
    /// this.
    package static func exchange(_ first: String, _ second: String) -> Int32 { rename(first, second, flags: 2) }

    private static func rename(_ old: String, _ new: String, flags: UInt32) -> Int32 {
        renameat2(AT_FDCWD, old, AT_FDCWD, new, flags) == 0 ? 0 : errno
    }

    /// Makes the allocator return freed memory to the system.
    package static func returnFreedMemory() {
        // One arena per processor, so threads seldom wait for each other.
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        // Fix the threshold. By default, the library raises it with each large block that is freed.
        mallopt(M_MMAP_THRESHOLD, 128 * 1024)
        mallopt(M_TRIM_THRESHOLD, 128 * 1024)
    }

    /// Reports to systemd that the service is ready (sd_notify(3), `Type=notify`). Does nothing without systemd.
    package static func notifyReady() {
        guard let value = getenv("NOTIFY_SOCKET") else { return }
        var path = Array(String(cString: value).utf8)
        var address = sockaddr_un()
        guard path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "@"),
            path.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return }
        // A name that begins with @ isn't a file: it is in the abstract namespace (unix(7)).
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let message = Array("READY=1".utf8)
        _ = withUnsafePointer(to: &address) {
            // Every address starts like `sockaddr`, and the path fits into `sockaddr_un`.
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, noSignal, $0, size)
            }
        }
    }
}
