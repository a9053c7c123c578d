import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

/// Counts responses by route and status, and by route and response time, without an allocation or a lock per request.
/// The server regularly adds the new counts to the hourly counters.
final class RequestCounts: Sendable {
    private static let statuses = 100..<600
    /// The upper bounds of the response time buckets, in microseconds. The last bucket is unbounded.
    static let bounds = [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000]
    static let bucketCount = bounds.count + 1
    private static let limits = bounds.map { Duration.microseconds($0) }
    private let counters = Counters(Route.all.count * RequestCounts.statuses.count)
    private let times = Counters(Route.all.count * RequestCounts.bucketCount)
    /// The sum of the response times of each route, in nanoseconds.
    private let durations = Counters(Route.all.count)
    /// The counts that are already in the hourly counters.
    private let copied = LockBox(Copied())

    private struct Copied {
        var counters = [UInt64](repeating: 0, count: Route.all.count * RequestCounts.statuses.count)
        var times = [UInt64](repeating: 0, count: Route.all.count * RequestCounts.bucketCount)
    }

    /// Counts a response.
    ///
    /// - Parameter row: the index of the route in `Route.all`.
    func count(_ row: Int, _ status: Status) {
        guard Self.statuses.contains(Int(status.rawValue)) else { return }
        counters.add(1, at: Self.index(row, Int(status.rawValue)))
    }

    /// Counts a response time.
    ///
    /// - Parameter row: the index of the route in `Route.all`.
    func count(_ row: Int, after duration: Duration) {
        let bucket = Self.limits.firstIndex { duration <= $0 } ?? Self.bounds.count
        times.add(1, at: row * Self.bucketCount + bucket)
        let (seconds, attoseconds) = duration.components
        let nanoseconds =
            seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000
        durations.add(UInt64(clamping: nanoseconds), at: row)
    }

    /// Returns how often a route answered with each status since the start.
    func responses(_ row: Int) -> [(status: Int, number: UInt64)] {
        Self.statuses.compactMap { status in
            let number = counters.value(at: Self.index(row, status))
            return number > 0 ? (status, number) : nil
        }
    }

    /// Returns the number of responses of a route in each response time bucket since the start.
    func buckets(_ row: Int) -> [UInt64] {
        (0..<Self.bucketCount).map { times.value(at: row * Self.bucketCount + $0) }
    }

    /// Returns the total response time of a route since the start, in seconds.
    func seconds(_ row: Int) -> Double { Double(durations.value(at: row)) / 1e9 }

    /// Returns the label of a route's response time counter: `GET /v1/places 2500` for the bucket up to 2.5 ms, and
    /// `GET /v1/places more` for the last bucket.
    static func label(_ route: Route, bucket: Int) -> String {
        "\(route.method.rawValue) \(route.template) \(bucket < bounds.count ? "\(bounds[bucket])" : "more")"
    }

    /// Adds the counts since the last call to the hour of `now`: the responses under labels such as `GET /v1/places
    /// 200`, and the response times as `latency`.
    func copy(to hourlyCounters: HourlyCounters, at now: Timestamp) {
        copied.withLock { copied in
            for (row, route) in Route.all.enumerated() {
                for status in Self.statuses {
                    let index = Self.index(row, status)
                    let number = Self.new(counters.value(at: index), since: &copied.counters[index])
                    guard number > 0 else { continue }
                    let label = "\(route.method.rawValue) \(route.template) \(status)"
                    hourlyCounters.count("request", label, app: nil, at: now, by: number)
                }
                for bucket in 0..<Self.bucketCount where route.isTimed {
                    let index = row * Self.bucketCount + bucket
                    let number = Self.new(times.value(at: index), since: &copied.times[index])
                    guard number > 0 else { continue }
                    let label = Self.label(route, bucket: bucket)
                    hourlyCounters.count("latency", label, app: nil, at: now, by: number)
                }
            }
        }
    }

    private static func new(_ count: UInt64, since copied: inout UInt64) -> Int {
        defer { copied = count }
        return Int(truncatingIfNeeded: count &- copied)
    }

    private static func index(_ row: Int, _ status: Int) -> Int {
        row * statuses.count + status - statuses.lowerBound
    }
}
