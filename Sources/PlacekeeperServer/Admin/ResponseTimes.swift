import PlacekeeperAPI
import PlacekeeperService

/// The response times of the timed routes, for all apps together.
struct ResponseTimes {
    private static let routes = Route.all.filter(\.isTimed)
    /// The number of requests by route and bucket.
    private var totals = routes.map { _ in Array(repeating: 0, count: RequestCounts.bucketCount) }
    /// The number of requests by bucket and column, for all timed routes together.
    private var series: [[Int]]

    /// - Parameters:
    ///   - counts: the `latency` counters.
    ///   - period: their period.
    init(_ counts: [Counter: Int], in period: ChartPeriod) {
        series = Array(repeating: Array(repeating: 0, count: period.columns), count: RequestCounts.bucketCount)
        var places: [String: (route: Int, bucket: Int)] = [:]
        for (index, route) in Self.routes.enumerated() {
            for bucket in 0..<RequestCounts.bucketCount {
                places[RequestCounts.label(route, bucket: bucket)] = (index, bucket)
            }
        }
        for (counter, count) in counts {
            guard let column = period.column(of: counter.hour), let place = places[counter.label] else { continue }
            totals[place.route][place.bucket] &+= count
            series[place.bucket][column] &+= count
        }
    }

    var tree: JSONTree {
        [
            "boundsMicroseconds": .numbers(RequestCounts.bounds),
            "routes": .list(
                zip(Self.routes, totals).map { route, counts in
                    [
                        "operation": .text(route.operation),
                        "route": .text("\(route.method.rawValue) \(route.template)"), "counts": .numbers(counts),
                    ]
                }),
            "series": .list(series.map(JSONTree.numbers)),
        ]
    }
}
