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
        return metrics
    }

    /// The response to `GET /metrics`.
    var metrics: Response {
        var page = MetricsPage()
        page.add(
            Metric("info", .gauge, "The version of the program.", 1, labels: [("version", configuration.version)]))
        page.add(
            Metric(
                "start_time_seconds", .gauge, "The time of the start in seconds since 1970.",
                Double(startedAt.milliseconds) / 1000))
        page.add(
            Metric(
                "ready", .gauge, "Whether the last check could use the store, and the service accepts new work.",
                isDraining || !storeIsSound.withLock(\.self) ? 0 : 1))
        counts.add(to: &page)
        page.add(
            Metric(
                "offloaded_requests", .gauge, "The requests with work that may take long.",
                service.offloadQueue.admitted))
        page.add(
            Metric(
                "event_streams", .gauge, "The open event streams of devices.", eventStreams.withLock(\.self)))
        for metric in service.upkeep.eventMetrics + configuration.metrics() { page.add(metric) }
        for var metric in service.upkeep.metrics {
            metric.name = "store_" + metric.name
            page.add(metric)
        }
        if let bytes = configuration.maximumBytes {
            page.add(
                Metric("store_maximum_bytes", .gauge, "The size limit of the database that the operator set.", bytes))
        }
        if let prune = service.upkeep.lastPrune {
            page.add(
                Metric(
                    "last_prune_timestamp_seconds", .gauge,
                    "The time at which this process last finished pruning, in seconds since 1970.",
                    Double(prune.end.milliseconds) / 1000))
            page.add(
                Metric(
                    "last_prune_duration_seconds", .gauge, "How long that pruning took.",
                    Double(prune.duration.wholeMilliseconds) / 1000))
        }
        return Self.text(page.text, as: "text/plain; version=0.0.4; charset=utf-8")
    }
}

/// A page in Prometheus's text format, version 0.0.4.
struct MetricsPage {
    private(set) var text = ""
    private var last = ""

    /// Adds a sample under the prefix `placekeeper_`. The samples of one metric must be added one after the other.
    mutating func add(_ metric: Metric) {
        let name = "placekeeper_" + metric.name
        if name != last { text += "# HELP \(name) \(metric.help)\n# TYPE \(name) \(metric.kind.rawValue)\n" }
        last = name
        let pairs = metric.labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        let value = metric.value
        let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
        text += name + metric.suffix + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(number)\n"
    }
}

extension RequestCounts {
    /// Adds the responses by route and status, and the response times by route.
    fileprivate func add(to page: inout MetricsPage) {
        for (row, route) in Route.all.enumerated() {
            for (status, number) in responses(row) {
                page.add(
                    Metric(
                        "responses_total", .counter, "The responses by route and status.", number,
                        labels: Self.labels(route) + [("status", "\(status)")]))
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
                    Metric(
                        "response_seconds", .histogram, "The times from a request to its response.", Double(sum),
                        suffix: "_bucket", labels: Self.labels(route) + [("le", bound)]))
            }
            let labels = Self.labels(route)
            page.add(Metric("response_seconds", .histogram, "", seconds(row), suffix: "_sum", labels: labels))
            page.add(Metric("response_seconds", .histogram, "", Double(sum), suffix: "_count", labels: labels))
        }
    }

    private static func labels(_ route: Route) -> [(name: String, value: String)] {
        [("method", route.method.rawValue), ("route", route.template)]
    }
}
