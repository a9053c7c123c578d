import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
package import PlacekeeperService

// Warnings about the system's clock, for `/readyz` and the log.
extension Server {
    var clockWarnings: [String] { service.upkeep.clockFindings.warnings }

    /// Checks the system's clock, and returns the warnings of the kinds that the previous call didn't report. Must
    /// be called once a minute.
    package func checkClock() async throws(ServiceError) -> [String] {
        try await service.upkeep.checkClock()
        let findings = service.upkeep.clockFindings
        let previous = lastFindings.withLock { last in
            defer { last = findings }
            return last
        }
        var new = findings
        if previous.lead != nil { new.lead = nil }
        if previous.pruningWaitsUntil != nil { new.pruningWaitsUntil = nil }
        return new.warnings
    }
}

extension ClockFindings {
    fileprivate var warnings: [String] {
        var warnings: [String] = []
        if let lead {
            warnings.append("stored times are \(Self.text(lead)) ahead of the system's clock: check the clock")
        }
        if let end = pruningWaitsUntil {
            warnings.append(
                """
                expired data is kept until \(Time(milliseconds: end.milliseconds)): the service was off for more than \
                a day, this version is new, or the clock was set forward
                """)
        }
        return warnings
    }

    /// Formats a duration in the largest unit that fits at least twice.
    private static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let units: [(name: String, seconds: Int64)] = [("days", 86_400), ("hours", 3600), ("minutes", 60)]
        let unit = units.first { seconds >= 2 * $0.seconds } ?? ("seconds", 1)
        return "\(seconds / unit.seconds) \(unit.name)"
    }
}
