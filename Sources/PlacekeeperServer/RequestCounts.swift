import Concurrency
import HTTPCodec
import PlacekeeperAPI
import RestorationService

/// Counts responses by route and status, and by route and response time, without an allocation or a lock for each
/// request. The server regularly moves the counts to the hourly counters.
final class RequestCounts: Sendable {
    private static let statuses = 100..<600
    /// The upper bounds of the buckets of response times in microseconds. The last bucket has no bound.
    static let bounds = [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000]
    static let bucketCount = bounds.count + 1
    private static let limits = bounds.map { Duration.microseconds($0) }
    private let counters = Counters(Route.allCases.count * RequestCounts.statuses.count)
    private let times = Counters(Route.allCases.count * RequestCounts.bucketCount)

    /// Counts a response.
    ///
    /// - Parameter row: the index of the route in `Route.allCases`.
    func count(_ row: Int, _ status: Status) {
        guard Self.statuses.contains(Int(status.rawValue)) else { return }
        counters.add(1, at: Self.index(row, Int(status.rawValue)))
    }

    /// Counts a response time.
    ///
    /// - Parameter row: the index of the route in `Route.allCases`.
    func count(_ row: Int, after duration: Duration) {
        let bucket = Self.limits.firstIndex { duration <= $0 } ?? Self.bounds.count
        times.add(1, at: row * Self.bucketCount + bucket)
    }

    /// Returns the label of a route's counter of response times: `GET /v1/places 2500` for the bucket up to 2.5 ms, and
    /// `GET /v1/places more` for the last bucket.
    static func label(_ route: Route, bucket: Int) -> String {
        "\(route.method.rawValue) \(route.template) \(bucket < bounds.count ? "\(bounds[bucket])" : "more")"
    }

    /// Moves the counts to the hour of `now`: the responses with labels such as `GET /v1/places 200`, and the response
    /// times as `latency`.
    func move(to hourlyCounters: HourlyCounters, at now: Timestamp) {
        for (row, route) in Route.allCases.enumerated() {
            for status in Self.statuses {
                let number = Int(counters.take(at: Self.index(row, status)))
                guard number > 0 else { continue }
                let label = "\(route.method.rawValue) \(route.template) \(status)"
                hourlyCounters.count("request", label, app: nil, at: now, by: number)
            }
            for bucket in 0..<Self.bucketCount where ResponseTimes.routes.contains(route) {
                let number = Int(times.take(at: row * Self.bucketCount + bucket))
                guard number > 0 else { continue }
                let label = Self.label(route, bucket: bucket)
                hourlyCounters.count("latency", label, app: nil, at: now, by: number)
            }
        }
    }

    private static func index(_ row: Int, _ status: Int) -> Int {
        row * statuses.count + status - statuses.lowerBound
    }
}
