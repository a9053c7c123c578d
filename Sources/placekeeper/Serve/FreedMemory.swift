import PlacekeeperSystem

/// Settings of the C library's allocator for memory that was freed.
enum FreedMemory {
    /// Makes the allocator return freed memory to the system.
    ///
    /// By default the allocator has many arenas, and each arena keeps its peak size. The allocator also raises the
    /// threshold for large blocks when a large block is freed. Under the attacks of `make hostile`, 600 MB stayed
    /// resident, and less than half of this memory was in use. This function must be called before any other thread
    /// allocates memory.
    static func returnToSystem() { Platform.returnFreedMemory() }
}
