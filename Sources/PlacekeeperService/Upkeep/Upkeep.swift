import PlacekeeperCore

/// The background work of a running service.
package struct Upkeep: UseCases {
    let service: RestorationService

    /// Writes data held in memory to the store: the devices' times of last use, the counts, and entries of the restore
    /// log and the audit log. Call it once a minute and at shutdown.
    package func flush() async throws(ServiceError) {
        let seen = principals.takeSeen()
        var counts = hourlyCounters.take()
        do {
            if !seen.isEmpty { try await store.recordSeen(seen) }
        } catch {
            principals.restoreSeen(seen)
            hourlyCounters.restore(counts)
            throw ServiceError(error)
        }
        counts.merge(takeUsesCount(), uniquingKeysWith: +)
        do {
            if !counts.isEmpty { try await store.add(counts) }
        } catch {
            hourlyCounters.restore(counts)
            throw ServiceError(error)
        }
        try await service.health.flushRestoreLog()
        try await service.auditLog.flush()
    }

    /// Checks that the store can read and write.
    package func check() async throws(ServiceError) {
        try await service.ask { store async throws(StoreError) in try await store.check() }
    }
}
