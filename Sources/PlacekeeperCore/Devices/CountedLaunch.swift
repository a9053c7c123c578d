/// The last launch that a device's app counted. A launch gets a new number and id only if a request with the previous
/// ones succeeded; otherwise it reuses them.
///
/// Two devices can share one identity, for example after one's full backup was restored on the other. They count
/// separately, so the service notices (docs/decisions/0091-a-copied-identity.md).
package struct CountedLaunch: Sendable, Hashable {
    /// Starts at 1 and rises by one with each counted launch.
    package var number: Int64
    /// The id that the device made for this launch.
    package var id: LaunchID

    package init(number: Int64, id: LaunchID) {
        self.number = number
        self.id = id
    }

    /// Returns whether another device with the same identity counted this launch. A device's numbers only rise, and
    /// each number has one id.
    func isOfCopy(of known: CountedLaunch?) -> Bool {
        guard let known, self != known else { return false }
        return number <= known.number
    }
}
