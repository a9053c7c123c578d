import Glibc

/// How many files and connections the process may have open.
enum DescriptorLimit {
    /// Raises the limit to what the system allows: the usual 1024 is there for select(2), which nothing here uses.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
