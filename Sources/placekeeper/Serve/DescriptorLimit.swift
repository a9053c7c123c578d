import PlacekeeperSystem

/// The limit on open files and connections of the process.
enum DescriptorLimit {
    /// Raises the soft limit to the hard limit. The usual soft limit of 1024 exists for select(2), which this process
    /// doesn't use, so a higher limit is safe.
    static func raise() { Platform.raiseDescriptorLimit() }
}
