import Testing

extension Trait where Self == ConditionTrait {
    /// Leaves a test out on other systems, because the test needs files or tools of Linux: /proc, /dev/full, /dev/pts or
    /// prlimit.
    static var onLinux: Self { .enabled(if: isLinux, "the test needs Linux") }
}

#if os(Linux)
    private let isLinux = true
#else
    private let isLinux = false
#endif
