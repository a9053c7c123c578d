import CLinux
import Glibc

/// Settings of the C library's allocator for memory that was freed.
enum FreedMemory {
    /// Returns it to the system.
    ///
    /// By default each of many arenas keeps the most that it ever held, and large blocks that were freed go into the arenas
    /// from then on: under the attacks of `make hostile` 600 MB stayed resident, of which less than a half was in use.
    /// To be called before any other thread allocates.
    static func returnToSystem() {
        // As many arenas as threads can run at once, so that they seldom wait for each other.
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        // A fixed threshold: the library raises its own with each large block that is freed.
        mallopt(M_MMAP_THRESHOLD, 128 * 1024)
        mallopt(M_TRIM_THRESHOLD, 128 * 1024)
    }
}
