/// A point in time, by two clocks: the wall clock, and a clock that counts while the device sleeps and begins again at
/// each boot of the system.
///
/// Ages are measured with the second clock. If the system was started again in the meantime, only the wall clock is
/// left; people and time servers set it, so an age is never negative and at most 30 days.
package struct ClockReading: Sendable, Hashable, Codable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package var wall: Double
    /// Seconds since the system was started, with the time that the device slept.
    package var uptime: Double
    /// The boot of the system to which `uptime` belongs. Empty if it is not known.
    package var boot: String

    package init(wall: Double, uptime: Double, boot: String) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }

    /// The maximum age of an interaction, in seconds: ten years. The service counts a greater age as this age.
    package static let maximumAge: Double = 3650 * 86_400

    /// Returns the seconds from this moment until a later moment, between 0 and ten years.
    package func age(at now: ClockReading) -> Double {
        let isSameBoot = boot == now.boot && !boot.isEmpty
        let age = isSameBoot ? now.uptime - uptime : now.wall - wall
        return age.isFinite ? min(max(age, 0), Self.maximumAge) : 0
    }

    /// Returns the moment that was some seconds earlier.
    package func earlier(by seconds: Double) -> ClockReading {
        ClockReading(wall: wall - seconds, uptime: uptime - seconds, boot: boot)
    }
}
