extension RestorationService {
    /// Writes what is gathered in memory: times of use and counts. To be called once a minute, and before the end.
    package func flush() async throws(ServiceError) {
        let seen = principals.takeSeen()
        let counts = hourlyCounters.take()
        do {
            if !seen.isEmpty { try await store.noteSeen(seen) }
        } catch {
            principals.restoreSeen(seen)
            hourlyCounters.restore(counts)
            throw ServiceError(error)
        }
        do {
            if !counts.isEmpty { try await store.add(counts) }
        } catch {
            hourlyCounters.restore(counts)
            throw ServiceError(error)
        }
    }

    /// Drops what has outlived its time. To be called now and then.
    package func prune() async throws(ServiceError) {
        let now = clock.now()
        // It may take long, and what was answered from before a step is not what would be answered after it.
        try await ask { [identityVersions] store async throws(StoreError) in
            try await store.prune(at: now) { identityVersions.raiseAll() }
        }
    }

    /// Whether reads and writes would be answered now.
    package func check() async throws(ServiceError) {
        try await ask { store async throws(StoreError) in try await store.check() }
    }
}
