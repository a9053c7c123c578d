import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `GET /admin/api/apps/{app}/overview`: the app's events over time, and the response times of the service. The
    /// current hour lags by at most a minute.
    func readOverview(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        let hours = try requestContext.hours()
        let offset: Int64 = try requestContext.number("utcOffset", in: -12...14) ?? 0
        let usage = try await service.apps.usage(of: look.app.id)
        // In 30 days, an app with many versions collects many counts, so they are read on the offload queue.
        return try await service.offload(for: .everyone(of: look.app.id)) { () async throws in
            try await overview(of: look.app.id, hours, offset, usage, for: requestContext)
        }.get()
    }

    private func overview(
        of app: AppID, _ hours: Int, _ offset: Int64, _ usage: Usage, for requestContext: RequestContext
    ) async throws -> Response {
        let now = service.clock.now()
        let period = ChartPeriod(hours: hours, until: now.hour, offset: offset)
        let from = Timestamp(milliseconds: period.first * 3_600_000)
        // Version 0.1.0 also counted the beginnings of restores.
        let counts = try await service.browsing.counts(of: app, from: from, to: now, each: period.columnHours).filter {
            $0.key.name != "outcome" || $0.key.label != Outcome.Result.began.rawValue
        }
        let series = EventSeries.all(of: counts, in: period)
        let times = ResponseTimes(
            try await service.browsing.counts(
                of: nil, named: "latency", from: from, to: now, each: period.columnHours), in: period)
        let before = try await outcomes(of: app, inTheHours: hours, before: from)
        let document: JSONTree = [
            "from": .time(from), "to": .time(Timestamp(milliseconds: (now.hour + 1) * 3_600_000)),
            "columnHours": .number(period.columnHours), "outcomesBefore": before,
            "series": .list(
                series.map { series in
                    [
                        "name": .text(series.name), "label": .text(series.label),
                        "idiom": (series.group?.idiomName).map(JSONTree.text),
                        "bundleVersion": (series.group?.bundleVersion).map(JSONTree.text),
                        "counts": .numbers(series.counts),
                    ]
                }),
            "latency": times.tree, "usage": JSONTree(usage),
            "waitingForFirstDevice": .truth(usage.devices == 0 && usage.users == 0),
        ]
        return json(document.bytes, for: requestContext)
    }

    private func outcomes(of app: AppID, inTheHours hours: Int, before end: Timestamp) async throws -> JSONTree {
        let (start, end) = (end - .seconds(3600 * hours), end - .seconds(3600))
        let counts = try await service.browsing.counts(of: app, named: "outcome", from: start, to: end, each: hours)
        func sum(_ result: Outcome.Result) -> JSONTree {
            .number(counts.reduce(0) { $1.key.label == result.rawValue ? $0 &+ $1.value : $0 })
        }
        return ["restored": sum(.restored), "failed": sum(.failed), "crashed": sum(.crashed)]
    }

    /// `GET /admin/api/about`
    func readAbout(_ requestContext: RequestContext) async throws -> Response {
        var isReady = !isDraining
        do {
            try await checkStore()
        } catch {
            isReady = false
        }
        let host = configuration.host()
        // Operators need the rest if the database is ill or the disk is full.
        if instances.withLock(\.isEmpty) { try? await flush() }
        let sizes = fileSizes.withLock(\.self)
        let document: JSONTree = [
            "version": .text(configuration.version), "storeVersion": .text(configuration.storeLibrary ?? "memory"),
            "startedAt": .time(startedAt), "ready": .truth(isReady),
            "usedBytes": .number(try await service.browsing.usedBytes()),
            "databaseBytes": (sizes?.database).map { .number($0) }, "logBytes": (sizes?.log).map { .number($0) },
            "maximumBytes": configuration.maximumBytes.map { .number($0) },
            "apps": .number(try await service.apps.apps().count),
            "disk": host.disk.map { ["freeBytes": .number($0.freeBytes), "totalBytes": .number($0.totalBytes)] },
            "lastBackup": host.lastBackup.map { backup in
                [
                    "endedAt": .time(backup.endedAt), "milliseconds": .number(backup.milliseconds),
                    "bytes": .number(backup.bytes),
                ]
            },
            "backupProof": host.backupProof.map { proof in
                ["at": .time(proof.at), "endedAt": proof.endedAt.map(JSONTree.time)]
            },
            "backupFailure": host.backupFailure.map { ["at": .time($0.at), "message": .text($0.message)] },
            "instances": .list(
                instances.withLock(\.self).map { instance in
                    [
                        "name": .text(instance.name), "version": .text(instance.version),
                        "lastSeenAt": .time(instance.lastSeenAt),
                    ]
                }),
            "alerts": .list(
                service.alerts.current.map { current in
                    [
                        "kind": .text(current.alert.kind.rawValue), "subject": .text(current.alert.subject),
                        "message": .text(current.alert.message), "startedAt": .time(current.startedAt),
                    ]
                }),
        ]
        return json(document.bytes, for: requestContext, isTagged: false)
    }
}

extension RequestContext {
    /// Returns `hours`, the period that the response covers.
    func hours() throws(Problem) -> Int {
        let hours = try number("hours", in: 1...720) ?? 24
        guard [24, 168, 720].contains(hours) else {
            throw Problem.malformedQuery("hours", "The parameter must be 24, 168 or 720.")
        }
        return hours
    }
}
