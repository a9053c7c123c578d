import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching

extension Restores {
    /// An archive with its references rewritten for the requesting device.
    struct Rewriting {
        var bytes: [UInt8]
        /// The digest of the bytes, or nil if they are the archive's stored bytes.
        var digest: Digest?
        /// The number of references resolved by each step.
        var counts: [ItemResolution.Step: Int]
    }

    /// Rewrites an archive's references for the requesting device, and nothing else. Returns nil if the archive no
    /// longer exists.
    func rewrite(_ archive: Archive, for principal: Principal) async throws(ServiceError) -> Rewriting? {
        if archive.size <= Limits.readAtOnce, try await !refersToItems(archive, for: principal) {
            return try await rewriteHere(archive, for: principal)
        }
        // Read the bytes again, so that waiting work doesn't keep the archive in memory.
        return try await service.offload(for: principal.owner) { () async throws(ServiceError) in
            try await rewriteHere(archive, for: principal)
        }.get()
    }

    /// Returns whether an archive refers to a data source whose items are registered by devices.
    private func refersToItems(_ archive: Archive, for principal: Principal) async throws(ServiceError) -> Bool {
        try await references(of: archive)?.references.contains(where: principal.app.looksUp) ?? false
    }

    private func rewriteHere(_ archive: Archive, for principal: Principal) async throws(ServiceError) -> Rewriting? {
        guard let table = try await references(of: archive) else { return nil }
        let resolved = try await service.ask { _ async throws(StoreError) in
            let resolver = ReferenceResolver(environment: identityEnvironment, archive: archive, principal: principal)
            return try await resolver.resolve(table.references)
        }
        var counts: [ItemResolution.Step: Int] = [:]
        for case let resolution? in resolved.resolutions { counts[resolution.step, default: 0] += 1 }
        let isUntouched = resolved.references == table.references
        let bytes = table.rewriting(resolved.references)
        return Rewriting(bytes: bytes, digest: isUntouched ? nil : hashing.sha256(bytes), counts: counts)
    }

    /// Returns the reference table of a stored archive, or nil if the archive no longer exists.
    private func references(of archive: Archive) async throws(ServiceError) -> ReferenceTable? {
        let bytes = try await service.ask { store async throws(StoreError) in try await store.bytes(of: archive) }
        return try bytes.map { (bytes) throws(ServiceError) in try references(in: bytes) }
    }

    private func references(in bytes: [UInt8]) throws(ServiceError) -> ReferenceTable {
        do {
            return try ReferenceTable(reading: bytes)
        } catch {
            // The archive was readable when it was uploaded, so the stored bytes must be damaged.
            throw ServiceError(
                .storeFailed, "The store failed.", cause: "A stored archive is unreadable: \(error.message)")
        }
    }

    /// Explains how an archive's references are resolved for the requesting device.
    func explainReferences(of archive: Archive, for principal: Principal) async throws(ServiceError)
        -> [ReferenceExplanation]
    {
        guard archive.summary.referenceCount > 0 else { return [] }
        return try await service.offload(for: principal.owner) { () async throws(ServiceError) in
            guard let table = try await references(of: archive)?.references else { return [] }
            return try await service.ask { _ async throws(StoreError) in
                let resolver = ReferenceResolver(
                    environment: identityEnvironment, archive: archive, principal: principal)
                return try await resolver.explain(table, limit: Limits.explainedReferences)
            }
        }.get()
    }
}

extension App {
    fileprivate func looksUp(_ reference: ModelReference) -> Bool {
        dataSource(named: reference.dataSource)?.acceptsItems ?? false
    }
}
