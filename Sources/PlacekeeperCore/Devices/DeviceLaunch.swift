/// A launch of a device's app, with the number that the device counts.
///
/// Two devices can have one identity, for example after a whole backup of one was restored on the other. They count apart,
/// so the service notices them (docs/decisions/0091-a-copied-identity.md).
package struct DeviceLaunch: Sendable, Hashable {
    /// 1 at the first launch. Each later launch has a greater number.
    package var number: Int64
    package var id: LaunchID

    package init(number: Int64, id: LaunchID) {
        self.number = number
        self.id = id
    }

    /// Whether another device with the same identity made the launch. A device's numbers only rise, and no two of its launches
    /// have the same number.
    func isOfCopy(of known: DeviceLaunch?) -> Bool {
        guard let known, self != known else { return false }
        return number <= known.number
    }
}
