/// A change to the index of heads. For each scene of each device, a store has a row with the period in which the
/// device's newest archive there was captured. With these rows, a store finds a page of heads without reading the other
/// heads (`ArchiveReading.heads`).
///
/// Periods are long, so few uploads change a row (docs/decisions/0055-a-bounded-number-of-scenes.md).
package struct HeadChange: Sendable {
    package var user: UserState
    package var scene: SceneState
    package var device: DeviceID
    /// The period of the device's newest archive before and after the rule. Nil if the device has no archive in the
    /// scene.
    package var old: Int64?
    package var new: Int64?

    struct Key: Hashable {
        var scene: SceneKey
        var device: DeviceID
    }

    /// A period lasts 2 to the power of this number of milliseconds: about 17 minutes.
    package static let periodBits: Int64 = 20
}

extension Timestamp {
    /// The number of the period that the time falls in (`HeadChange`).
    package var period: Int64 { milliseconds >> HeadChange.periodBits }
}

extension History {
    /// Returns the period of a device's newest archive, if it has one.
    func period(ofHeadBy device: DeviceID) -> Int64? {
        entries.last { $0.device == device }?.position.capturedAt.period
    }
}
