import PlacekeeperSystem

/// The limit of open files and connections of the process.
enum DescriptorLimit {
    /// Raises the soft limit to the hard limit. The usual soft limit of 1024 exists for select(2). This process does
    /// not use select(2), so a higher limit is safe.
    static func raise() { Platform.raiseDescriptorLimit() }
}
