import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /metrics`: metrics of this process in Prometheus's text format. The counters start at 0 with the process.
    /// 404 unless the operator enabled metrics.
    func readMetrics() throws -> Response {
        guard configuration.answersMetrics else { throw Problem.notFound }
        var page = MetricsPage()
        page.add(
            "placekeeper_info", .gauge, "The version of the program.", 1, labels: [("version", configuration.version)])
        page.add(
            "placekeeper_start_time_seconds", .gauge, "The time of the start in seconds since 1970.",
            Double(startedAt.milliseconds) / 1000)
        counts.add(to: &page)
        page.add(
            "placekeeper_offloaded_requests", .gauge, "The requests with work that may take long.",
            Double(service.offloadQueue.admitted))
        page.add(
            "placekeeper_event_streams", .gauge, "The open event streams of devices.",
            Double(eventStreams.withLock(\.self)))
        for metric in service.upkeep.metrics {
            page.add(
                "placekeeper_store_" + metric.name, metric.kind, metric.help, metric.value, suffix: metric.suffix,
                labels: metric.labels)
        }
        if let prune = service.upkeep.lastPrune {
            page.add(
                "placekeeper_last_prune_timestamp_seconds", .gauge,
                "The time at which this process last finished pruning, in seconds since 1970.",
                Double(prune.end.milliseconds) / 1000)
            page.add(
                "placekeeper_last_prune_duration_seconds", .gauge, "How long that pruning took.",
                Double(prune.duration.wholeMilliseconds) / 1000)
        }
        return Self.text(page.text, as: "text/plain; version=0.0.4; charset=utf-8")
    }
}

/// A page in Prometheus's text format, version 0.0.4.
struct MetricsPage {
    private(set) var text = ""
    private var last = ""

    /// Adds a sample. The samples of one metric must be added one after the other.
    ///
    /// - Parameters:
    ///   - suffix: the part of the sample's name after the metric's name, such as `_bucket`.
    ///   - labels: texts without quotation marks, backslashes or line feeds.
    mutating func add(
        _ name: String, _ kind: StoreMetric.Kind, _ help: String, _ value: Double, suffix: String = "",
        labels: [(name: String, value: String)] = []
    ) {
        if name != last { text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" }
        last = name
        let pairs = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
        text += name + suffix + (labels.isEmpty ? "" : "{\(pairs)}") + " \(number)\n"
    }
}

extension RequestCounts {
    /// Adds the responses by route and status, and the response times by route.
    fileprivate func add(to page: inout MetricsPage) {
        for (row, route) in Route.all.enumerated() {
            for (status, number) in responses(row) {
                page.add(
                    "placekeeper_responses_total", .counter, "The responses by route and status.", Double(number),
                    labels: Self.labels(route) + [("status", "\(status)")])
            }
        }
        for (row, route) in Route.all.enumerated() where route.isTimed {
            let buckets = buckets(row)
            guard buckets.contains(where: { $0 > 0 }) else { continue }
            var sum: UInt64 = 0
            for (bucket, number) in buckets.enumerated() {
                sum += number
                let bound = bucket < Self.bounds.count ? "\(Double(Self.bounds[bucket]) / 1_000_000)" : "+Inf"
                page.add(
                    "placekeeper_response_seconds", .histogram, "The times from a request to its response.",
                    Double(sum), suffix: "_bucket", labels: Self.labels(route) + [("le", bound)])
            }
            page.add(
                "placekeeper_response_seconds", .histogram, "", seconds(row), suffix: "_sum",
                labels: Self.labels(route))
            page.add(
                "placekeeper_response_seconds", .histogram, "", Double(sum), suffix: "_count",
                labels: Self.labels(route))
        }
    }

    private static func labels(_ route: Route) -> [(name: String, value: String)] {
        [("method", route.method.rawValue), ("route", route.template)]
    }
}
