import PlacekeeperSystem

/// Settings of the C library's allocator for freed memory.
enum FreedMemory {
    /// Makes the allocator return freed memory to the system.
    ///
    /// By default, the allocator has many arenas, each of which keeps its peak size. It also raises the threshold for
    /// large blocks whenever a large block is freed. Under the attacks of `make hostile`, 600 MB stayed resident, of
    /// which less than half was in use. Must be called before any other thread allocates memory.
    static func returnToSystem() { Platform.returnFreedMemory() }
}
