import PlacekeeperArchive
package import PlacekeeperCore

/// Selects failed restores. A missing condition holds for each.
package struct FailureFilter: Sendable {
    package var result: Outcome.Result?
    package var user: UserID?
    package var path: String?
    /// Whether the failure has a path.
    package var hasPath: Bool?

    package init(
        result: Outcome.Result? = nil, user: UserID? = nil, path: String? = nil, hasPath: Bool? = nil
    ) {
        (self.result, self.user, self.path, self.hasPath) = (result, user, path, hasPath)
    }

    fileprivate func selects(_ report: RestoreReport) -> Bool {
        // Compare paths as bytes, because comparing strings with long runs of combining marks is slow.
        report.isFailure && (result.map { $0 == report.result } ?? true)
            && (user.map { $0 == report.owner.user } ?? true)
            && (hasPath.map { $0 == (report.path != nil) } ?? true)
            && (path.map { Array($0.utf8) == report.path.map { Array($0.utf8) } } ?? true)
    }
}

/// The failed restores of one user, or at one path.
package struct FailureGroup: Sendable {
    package enum Key: String, Sendable, CaseIterable {
        case user, path
    }

    package var failures = 0
    package var crashes = 0
    package var users: Set<UserID> = []
    /// The newest failure, which has the user or the path of the group. A crash often has no path.
    package var last: RestoreReport

    fileprivate mutating func add(_ report: RestoreReport) {
        failures += 1
        if report.result == .crashed { crashes += 1 }
        users.insert(report.owner.user)
    }
}

extension Health {
    /// Returns an app's selected failures since `start`, newest first.
    ///
    /// - Returns: the failures, and the position below which the next page starts. Nil on the last page.
    package func failures(
        of app: AppID, since start: Timestamp, matching filter: FailureFilter, below position: Int64?, limit: Int
    ) async throws(ServiceError) -> (failures: [RestoreReport], next: Int64?) {
        try await service.offload(of: app) { () async throws(ServiceError) in
            var failures: [RestoreReport] = []
            var last: Int64?
            var position = position
            repeat {
                let page = try await service.ask { [position] store async throws(StoreError) in
                    try await store.restoreLog(.report, of: app, below: position, limit: Limits.page)
                }
                for (entry, place) in zip(page.entries, page.positions) where entry.at >= start {
                    guard case .report(let report) = entry, filter.selects(report) else { continue }
                    if failures.count == limit { return (failures, last) }
                    failures.append(report)
                    last = place
                }
                position = page.next
                await Task.yield()
            } while position != nil && !Task.isCancelled
            return (failures, nil)
        }
    }

    /// Returns the users of an app for whom a restore failed or crashed since `start`.
    func failedUsers(of app: AppID, since start: Timestamp) async throws(ServiceError) -> [UserID] {
        try await service.offload(of: app) { () async throws(ServiceError) in
            var users: Set<UserID> = []
            try await forEachEntry(.report, of: app, since: start) {
                if case .report(let report) = $0, report.isFailure { users.insert(report.owner.user) }
            }
            return users.sorted()
        }
    }

    /// Groups an app's selected failures since `start`. Those with the most failing users are first, then those with the
    /// most failures, then those with the newest one.
    package func failureGroups(
        of app: AppID, by key: FailureGroup.Key, since start: Timestamp, matching filter: FailureFilter
    ) async throws(ServiceError) -> [FailureGroup] {
        try await service.offload(of: app) { () async throws(ServiceError) in
            var groups: [[UInt8]?: FailureGroup] = [:]
            var meter = WorkMeter()
            try await forEachEntry(.report, of: app, since: start) {
                guard case .report(let report) = $0, filter.selects(report) else { return }
                meter.consume(16)
                let name = key == .path ? report.path.map { Array($0.utf8) } : Array(report.owner.user.description.utf8)
                groups[name, default: FailureGroup(last: report)].add(report)
            }
            return groups.sorted { first, second in
                let (left, right) = (first.value, second.value)
                let (order, other) = (
                    (left.users.count, left.failures, left.last.at), (right.users.count, right.failures, right.last.at)
                )
                // The order of equal groups must not change from page to page.
                return order == other
                    ? (first.key ?? []).lexicographicallyPrecedes(second.key ?? []) : order > other
            }.map(\.value)
        }
    }
}
