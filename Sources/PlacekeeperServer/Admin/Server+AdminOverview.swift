import HTTPCodec
import PlacekeeperAPI
import RestorationService

extension Server {
    /// `GET /admin/api/apps/{app}/overview`: the app's events by the hour. The present hour lacks at most the last
    /// minute.
    func readOverview(_ requestContext: RequestContext, _ look: AppLook) async throws -> Response {
        let hours = try requestContext.hours()
        let now = service.clock.now()
        let first = now.hour - Int64(hours) + 1
        let from = Timestamp(milliseconds: first * 3_600_000)
        var series: [Series: [Int64]] = [:]
        for (counter, count) in try await service.counts(of: look.app.id, from: from, to: now) {
            let hour = Int(counter.hour - first)
            guard (0..<hours).contains(hour) else { continue }
            let key = Series(name: counter.name, label: counter.label)
            series[key, default: Array(repeating: 0, count: hours)][hour] += Int64(count)
        }
        let usage = try await service.usage(of: look.app.id)
        let document: JSONTree = [
            "from": .time(from), "to": .time(Timestamp(milliseconds: (now.hour + 1) * 3_600_000)),
            "hours": .number(hours),
            "series": .list(
                series.sorted { ($0.key.name, $0.key.label) < ($1.key.name, $1.key.label) }.map { key, counts in
                    [
                        "name": .text(key.name), "label": .text(key.label),
                        "counts": .list(counts.map { .number($0) }),
                    ]
                }),
            "usage": JSONTree(usage), "waitingForFirstDevice": .truth(usage.devices == 0 && usage.users == 0),
        ]
        return json(document.bytes, for: requestContext)
    }

    private struct Series: Hashable {
        var name: String
        var label: String
    }

    /// `GET /admin/api/about`
    func readAbout(_ requestContext: RequestContext) async throws -> Response {
        var isReady = !isDraining
        do {
            try await checkStore()
        } catch {
            isReady = false
        }
        let document: JSONTree = [
            "version": .text(configuration.version), "storeVersion": .text(configuration.storeLibrary ?? "memory"),
            "startedAt": .time(startedAt), "ready": .truth(isReady),
            "usedBytes": .number(try await service.usedBytes()),
            "maximumBytes": configuration.maximumBytes.map { .number($0) },
            "apps": .number(try await service.apps().count),
        ]
        return json(document.bytes, for: requestContext)
    }
}

extension RequestContext {
    /// Returns `hours`, the length of the time that an answer is about.
    func hours() throws(Problem) -> Int {
        let hours = try number("hours", in: 1...720) ?? 24
        guard [24, 168, 720].contains(hours) else {
            throw Problem.malformedQuery("hours", "The parameter must be 24, 168 or 720.")
        }
        return hours
    }
}
