import Glibc

/// The limit of open files and connections of the process.
enum DescriptorLimit {
    /// Raises the soft limit to the hard limit. The usual soft limit of 1024 exists for select(2). This process does
    /// not use select(2), so a higher limit is safe.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
