/// A point in time on two clocks: the wall clock, and the uptime clock, which counts during sleep and restarts at each
/// boot.
///
/// Ages are measured with the uptime. After a reboot, only the wall clock is left. Because it can be set by hand or by
/// a time server, ages are limited to between zero and ten years.
package struct ClockReading: Sendable, Equatable, Codable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package var wall: Double
    /// Seconds since the system booted, including sleep.
    package var uptime: Double
    /// The boot to which `uptime` belongs. Empty if unknown.
    package var boot: String

    package init(wall: Double, uptime: Double, boot: String) {
        self.wall = wall
        self.uptime = uptime
        self.boot = boot
    }

    /// The maximum age of an interaction, in seconds: ten years. The service also limits ages to this value.
    package static let maximumAge: Double = 3650 * 86_400

    /// Returns the seconds from this reading to a later one, between 0 and ten years.
    package func age(at now: ClockReading) -> Double {
        let isSameBoot = boot == now.boot && !boot.isEmpty
        let age = isSameBoot ? now.uptime - uptime : now.wall - wall
        return age.isFinite ? min(max(age, 0), Self.maximumAge) : 0
    }

    /// Returns the reading of the moment some seconds earlier.
    package func earlier(by seconds: Double) -> ClockReading {
        ClockReading(wall: wall - seconds, uptime: uptime - seconds, boot: boot)
    }
}
