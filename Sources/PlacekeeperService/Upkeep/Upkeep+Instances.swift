import PlacekeeperCore

extension Upkeep {
    /// Applies the effects of the writes that other processes made since the last call, such as an operator's commands.
    /// Call this method once a second.
    package func noticeExternalWrites() async throws(ServiceError) {
        service.apply(
            try await service.ask { store async throws(StoreError) in try await store.externalInvalidations() })
    }

    /// Applies the effects of other processes' writes as soon as the store learns of them, in addition to the calls of
    /// `noticeExternalWrites()`.
    package func followExternalWrites() {
        store.onExternalWrites { [feed = service.feed] invalidations in feed.apply(invalidations) }
    }

    /// Does work unless another instance does the same work, or did it and keeps the lease.
    ///
    /// - Parameter keepsLease: whether the lease lasts after the work, so that no other instance repeats the work soon.
    package func withLease(
        _ lease: Lease, for time: Duration, keepsLease: Bool, _ work: () async throws(ServiceError) -> Void
    ) async throws(ServiceError) {
        guard try await service.ask({ store async throws(StoreError) in try await store.takeLease(lease, for: time) })
        else {
            return
        }
        let result: Result<Void, ServiceError>
        do throws(ServiceError) { result = .success(try await work()) } catch { result = .failure(error) }
        // After a failure, another instance may try.
        if case .success = result, keepsLease { return }
        try? await store.endLease(lease)
        try result.get()
    }

    /// Whether other instances use the same store all the time.
    package var isShared: Bool { store.isShared }
    /// The store's figures, for monitoring.
    package var metrics: [StoreMetric] { store.metrics }
    /// The problems that the last check found and that leave the store usable.
    package var warnings: [String] { store.warnings }

    /// Adds counts to the store's counters.
    package func add(_ counts: [Counter: Int]) async throws(ServiceError) {
        try await service.ask { store async throws(StoreError) in try await store.add(counts) }
    }

    /// Performs the waiting writes, and closes the store. A second call does nothing.
    package func close() async { await store.close() }
}
