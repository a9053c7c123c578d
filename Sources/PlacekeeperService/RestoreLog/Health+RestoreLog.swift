import PlacekeeperArchive
import PlacekeeperConcurrency
package import PlacekeeperCore

extension Health {
    /// Writes the collected entries to the store in batches, so that other writes can run in between.
    func flushRestoreLog() async throws(ServiceError) {
        var entries = service.restoreLog.take()[...]
        while !entries.isEmpty {
            let batch = Array(entries.prefix(Self.restoreLogBatch))
            do {
                try await store.log(batch)
            } catch {
                service.restoreLog.restore(entries)
                throw ServiceError(error)
            }
            let failing = batch.filter { if case .report(let report) = $0 { report.isFailure } else { false } }
            service.judgedApps.withLock { $0?.formUnion(failing.map(\.app)) }
            entries = entries.dropFirst(batch.count)
        }
    }

    private static let restoreLogBatch = 500

    /// Calls `body` with an app's entries of one kind since `start`, newest first. Reads them in small pages. Call this
    /// method on the offload queue.
    func forEachEntry(
        _ kind: RestoreLogEntry.Kind, of app: AppID, since start: Timestamp, _ body: (RestoreLogEntry) -> Void
    ) async throws(ServiceError) {
        var position: Int64?
        repeat {
            let page = try await service.ask { [position] store async throws(StoreError) in
                try await store.restoreLog(kind, of: app, below: position, limit: Self.restoreLogBatch)
            }
            for entry in page.entries where entry.at >= start {
                body(entry)
                WorkMeter.pause?()
            }
            // Later pages contain older entries, but entries from the same flush interval may be out of order. An entry
            // made while the clock was behind has too early a time, so a single early entry doesn't end the search.
            if !page.entries.isEmpty, page.entries.allSatisfy({ $0.at < start - .seconds(3600) }) { return }
            position = page.next
            await Task.yield()
        } while position != nil && !Task.isCancelled
    }

    /// Returns past results of `latest` for a user's devices, newest first. Answers of the last minute may be missing.
    ///
    /// - Parameters:
    ///   - scene: if given, only answers about this scene are returned.
    ///   - device: if given, only answers to this device are returned.
    ///   - archive: if given, only answers that considered this archive are returned.
    /// - Returns: the answers, and the position below which the next page starts. Nil on the last page.
    package func answers(
        to owner: UserKey, in scene: String?, of device: DeviceID?, about archive: ArchiveID? = nil,
        below position: Int64?, limit: Int
    ) async throws(ServiceError) -> (answers: [RestoreAnswer], next: Int64?) {
        if let scene { try Validation.sceneName(scene) }
        return try await service.offload(of: owner.app) { () async throws(ServiceError) in
            var answers: [RestoreAnswer] = []
            var last: Int64?
            var position = position
            repeat {
                let page = try await service.ask { [position] store async throws(StoreError) in
                    try await store.restoreAnswers(to: owner, of: device, below: position, limit: Limits.page)
                }
                for (entry, place) in zip(page.entries, page.positions) {
                    guard case .answer(let answer) = entry, scene == nil || answer.scene == scene,
                        archive == nil || answer.candidates.contains(where: { $0.archive == archive })
                    else { continue }
                    if answers.count == limit { return (answers, last) }
                    answers.append(answer)
                    last = place
                }
                position = page.next
                await Task.yield()
            } while position != nil && !Task.isCancelled
            return (answers, nil)
        }
    }

    /// Returns an app's reports since `start` and all of the breaker's transitions, newest first.
    func restoreReports(
        of app: AppID, since start: Timestamp
    ) async throws(ServiceError) -> (reports: [RestoreReport], notes: [BreakerTransition]) {
        var reports: [RestoreReport] = []
        var notes: [BreakerTransition] = []
        try await forEachEntry(.report, of: app, since: start) {
            if case .report(let report) = $0 { reports.append(report) }
        }
        try await forEachEntry(.note, of: app, since: Timestamp(milliseconds: 0)) {
            if case .note(let note) = $0 { notes.append(note) }
        }
        return (reports, notes)
    }

    /// Adds entries to the restore log, in chronological order.
    package func add(_ entries: [RestoreLogEntry]) async throws(ServiceError) {
        try await service.ask { store async throws(StoreError) in try await store.log(entries) }
    }
}
