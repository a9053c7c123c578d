import Concurrency
import HTTPCodec
import PlacekeeperAPI
import RestorationService

/// Counts responses by route and status, without an allocation for each request. The server regularly moves the counts
/// to the hourly counters.
final class RequestCounts: Sendable {
    private static let statuses = 100..<600
    private let counters = Counters(Route.allCases.count * RequestCounts.statuses.count)

    /// Counts a response.
    ///
    /// - Parameter row: the index of the route in `Route.allCases`.
    func count(_ row: Int, _ status: Status) {
        guard Self.statuses.contains(Int(status.rawValue)) else { return }
        counters.add(1, at: Self.index(row, Int(status.rawValue)))
    }

    /// Moves the counts to the hour of `now`, with labels such as `GET /v1/places 200`.
    func move(to hourlyCounters: HourlyCounters, at now: Timestamp) {
        for (row, route) in Route.allCases.enumerated() {
            for status in Self.statuses {
                let number = Int(counters.take(at: Self.index(row, status)))
                guard number > 0 else { continue }
                let label = "\(route.method.rawValue) \(route.template) \(status)"
                hourlyCounters.count("request", label, app: nil, at: now, by: number)
            }
        }
    }

    private static func index(_ row: Int, _ status: Int) -> Int {
        row * statuses.count + status - statuses.lowerBound
    }
}
