/// The launch that a device's app counted last. A launch gets a new number and id only if a request with the last ones has
/// succeeded. Otherwise it uses those again.
///
/// Two devices can have one identity, for example after a whole backup of one was restored on the other. They count apart,
/// so the service notices them (docs/decisions/0091-a-copied-identity.md).
package struct CountedLaunch: Sendable, Hashable {
    /// 1 at the first counted launch, and then one more each time.
    package var number: Int64
    /// An id that the device made when it counted.
    package var id: LaunchID

    package init(number: Int64, id: LaunchID) {
        self.number = number
        self.id = id
    }

    /// Whether another device with the same identity counted the launch. A device's numbers only rise, and it has one id for
    /// each number.
    func isOfCopy(of known: CountedLaunch?) -> Bool {
        guard let known, self != known else { return false }
        return number <= known.number
    }
}
