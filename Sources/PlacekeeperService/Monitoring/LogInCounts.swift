import PlacekeeperConcurrency

/// Counts the attempts of administrators to log in since the start of the process.
package final class LogInCounts: Sendable {
    package enum Result: String, Sendable, CaseIterable {
        case succeeded
        /// The name or the password was wrong.
        case refused
        /// There were too many attempts of a name or a network.
        case throttled
    }

    private let counters = Counters(Result.allCases.count)

    package init() {}

    func add(_ result: Result) { counters.add(1, at: Self.index(result)) }

    package func number(_ result: Result) -> Int { Int(clamping: counters.value(at: Self.index(result))) }

    /// The number of attempts that failed.
    package var failures: Int { number(.refused) + number(.throttled) }

    private static func index(_ result: Result) -> Int { Result.allCases.firstIndex(of: result) ?? 0 }
}
