import PlacekeeperArchive
package import PlacekeeperCore

/// A summary of an app's restores.
package struct RestoreHealth: Sendable {
    /// The part of a context that restores are grouped by.
    package struct Version: Sendable, Hashable {
        package var bundleVersion: String?
        package var idiom: Idiom

        init(_ context: Context) {
            bundleVersion = context.bundleVersion
            idiom = context.idiom
        }
    }

    package struct Versions: Sendable, Hashable {
        package var source: Version
        package var target: Version

        package init(_ report: RestoreReport) {
            source = Version(report.source)
            target = Version(report.target)
        }
    }

    package struct Restores: Sendable {
        package var versions: Versions
        package var counts: [Outcome.Result: Int] = [:]
        package var users: Set<UserID> = []
        package var failingUsers: Set<UserID> = []
        fileprivate var durations: [Int64] = []

        /// The lower median duration of successful restores.
        package var medianMilliseconds: Int64? {
            durations.isEmpty ? nil : durations.sorted()[(durations.count - 1) / 2]
        }
    }

    package struct FailingPath: Sendable {
        package var path: String
        package var versions: Versions
        package var failures = 0
        package var users: Set<UserID> = []
        package var lastAt: Timestamp
    }

    package var reportCount = 0
    /// At most 100 groups, those with the most failing users first.
    package private(set) var restores: [Restores] = []
    /// At most 50 paths, those with the most users first.
    package private(set) var paths: [FailingPath] = []
    /// The 50 latest failures.
    package private(set) var failures: [RestoreReport] = []

    /// - Parameter reports: the reports, newest first.
    init(_ reports: some Sequence<RestoreReport>) {
        var groups: [Versions: Restores] = [:]
        // Compare paths as bytes, because comparing strings with long runs of combining marks is slow.
        var failing: [[UInt8]: [Versions: FailingPath]] = [:]
        var meter = WorkMeter()
        for report in reports {
            meter.consume(16)
            reportCount += 1
            let (versions, user) = (Versions(report), report.owner.user)
            groups[versions, default: Restores(versions: versions)].add(report)
            guard report.isFailure else { continue }
            if failures.count < 50 { failures.append(report) }
            guard let path = report.path else { continue }
            let new = FailingPath(path: path, versions: versions, lastAt: report.at)
            var entry = failing[Array(path.utf8), default: [:]].removeValue(forKey: versions) ?? new
            entry.failures += 1
            entry.users.insert(user)
            entry.lastAt = max(entry.lastAt, report.at)
            failing[Array(path.utf8), default: [:]][versions] = entry
        }
        restores = groups.values.sorted { $0.order > $1.order }
        restores = Array(restores.prefix(100))
        paths = failing.values.flatMap(\.values).sorted {
            ($0.users.count, $0.failures, $0.lastAt) > ($1.users.count, $1.failures, $1.lastAt)
        }
        paths = Array(paths.prefix(50))
    }
}

extension RestoreHealth.Restores {
    fileprivate mutating func add(_ report: RestoreReport) {
        counts[report.result, default: 0] += 1
        users.insert(report.owner.user)
        if report.isFailure {
            failingUsers.insert(report.owner.user)
        } else if let duration = report.duration {
            durations.append(duration.wholeMilliseconds)
        }
    }

    fileprivate var order: (Int, Int, Int) {
        (failingUsers.count, (counts[.failed] ?? 0) + (counts[.crashed] ?? 0), users.count)
    }
}

extension Health {
    /// Summarizes an app's restores since `start` and the state of the breaker.
    package func restoreHealth(
        of app: App, since start: Timestamp, at now: Timestamp
    ) async throws(ServiceError) -> (health: RestoreHealth, pairs: [RestoreBreaker.PairHealth], isSample: Bool) {
        let window = now - app.settings.breaker.window
        return try await service.offload(of: app.id) { () async throws(ServiceError) in
            let counts = try await service.browsing.counts(
                of: app.id, named: "outcome", from: start, to: now, each: .max)
            let log = try await restoreReports(of: app.id, since: min(start, window))
            let health = RestoreHealth(log.reports.lazy.filter { $0.at >= start })
            let results = Set(RestoreReport.results.map(\.rawValue))
            let counted = counts.reduce(0) { sum, count in
                results.contains(count.key.label) ? sum &+ count.value : sum
            }
            let pairs = RestoreBreaker.pairs(of: log.reports, after: log.notes, app.settings, at: now)
            return (health, pairs, health.reportCount < counted)
        }
    }
}
