#if os(Linux)
    import Glibc

    extension System {
        /// Whether the connection is lost, or both sides have finished sending. After either, a Dispatch source
        /// reports one last event, even if further bytes wait.
        static func hasFailed(_ descriptor: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&entry, 1, 0) != 0
        }
    }
#endif
