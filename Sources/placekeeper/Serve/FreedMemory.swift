import CLinux
import Glibc

/// Settings of the C library's allocator for memory that was freed.
enum FreedMemory {
    /// Returns it to the system.
    ///
    /// By default each of many arenas keeps its peak size, and raises its threshold for large blocks when one is freed.
    /// Under the attacks of `make hostile` 600 MB stayed resident, and less than half of it was in use.
    /// Call it before any other thread allocates.
    static func returnToSystem() {
        // An arena for each processor, so that threads seldom wait for each other.
        mallopt(M_ARENA_MAX, Int32(clamping: max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        // A fixed threshold. By default the library raises it with each large block that is freed.
        mallopt(M_MMAP_THRESHOLD, 128 * 1024)
        mallopt(M_TRIM_THRESHOLD, 128 * 1024)
    }
}
