import PlacekeeperCore

extension Upkeep {
    /// Applies the invalidations from other processes' writes since the last call, for example from operators'
    /// commands. Call this method once a second.
    package func noticeExternalWrites() async throws(ServiceError) {
        let followed = service.feed.followed
        service.apply(
            try await service.ask { store async throws(StoreError) in
                try await store.externalInvalidations(following: followed)
            })
    }

    /// Applies the invalidations from other processes' writes as soon as the store learns of them, in addition to
    /// `noticeExternalWrites()`.
    package func followExternalWrites() {
        store.onExternalWrites { [feed = service.feed] invalidations in feed.apply(invalidations) }
    }

    /// Performs work, unless another instance holds the lease, because it is doing the same work or did it recently.
    ///
    /// - Parameter keepsLease: whether to keep the lease after the work, so that no other instance repeats it soon.
    package func withLease(
        _ lease: Lease, for time: Duration, keepsLease: Bool, _ work: () async throws(ServiceError) -> Void
    ) async throws(ServiceError) {
        guard try await service.ask({ store async throws(StoreError) in try await store.takeLease(lease, for: time) })
        else {
            return
        }
        let result: Result<Void, ServiceError>
        do throws(ServiceError) { result = .success(try await work()) } catch { result = .failure(error) }
        // After a failure, let another instance try.
        if case .success = result, keepsLease { return }
        try? await store.endLease(lease)
        try result.get()
    }

    /// Records that this instance runs, and returns the instances that ran within a day (`StoreUpkeep.instances`).
    package func instances(as name: String, version: String) async throws(ServiceError) -> [Instance] {
        let own = Instance(name: name, version: version, lastSeenAt: clock.now())
        return try await service.ask { store async throws(StoreError) in try await store.instances(with: own) }
    }

    /// The sizes of the store's files. Nil if it has none.
    package func fileSizes() async throws(ServiceError) -> FileSizes? {
        try await service.ask { store async throws(StoreError) in try await store.fileSizes() }
    }

    /// Whether other instances use the same store all the time.
    package var isShared: Bool { store.isShared }
    /// The store's metrics, for monitoring.
    package var metrics: [Metric] { store.metrics }
    /// Problems that the last check found. The store still works.
    package var warnings: [String] { store.warnings }

    /// Adds to the store's counters.
    package func add(_ counts: [Counter: Int]) async throws(ServiceError) {
        try await service.ask { store async throws(StoreError) in try await store.add(counts) }
    }

    /// Finishes pending writes and closes the store. A second call does nothing.
    package func close() async { await store.close() }
}
