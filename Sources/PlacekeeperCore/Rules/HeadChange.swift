/// A change of the index of heads. For each device and each scene in which the device has archives, a store has a row with
/// the period in which the newest of these archives was captured. By these rows, a store finds a page of heads without
/// reading the others (`ArchiveReading.heads`).
///
/// A period is long, so that few uploads change a row (docs/decisions/0055-a-bounded-number-of-scenes.md).
package struct HeadChange: Sendable {
    package var user: UserState
    package var scene: SceneState
    package var device: DeviceID
    /// The period of the device's newest archive before and after the rule. Nil if the scene has no archive of the device.
    package var old: Int64?
    package var new: Int64?

    struct Key: Hashable {
        var scene: SceneKey
        var device: DeviceID
    }

    /// A period has 2 to the power of this number of milliseconds, which is about 17 minutes.
    package static let periodBits: Int64 = 20
}

extension Timestamp {
    /// The number of the period in `HeadChange`.
    package var period: Int64 { milliseconds >> HeadChange.periodBits }
}

extension History {
    /// Returns the period of the newest archive of a device. Nil if there is none.
    func period(ofHeadBy device: DeviceID) -> Int64? {
        entries.last { $0.device == device }?.position.capturedAt.period
    }
}
