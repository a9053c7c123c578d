import KeyedArchive

extension RestorationService {
    /// An archive as the asking device is to read it.
    struct Rewriting {
        var bytes: [UInt8]
        /// Of the bytes; nil when they are the archive's own.
        var digest: Digest?
        /// How many references were resolved by each step.
        var counts: [ItemResolution.Step: Int]
    }

    /// Whether what is served of an archive may change with what devices register.
    func dependsOnIdentity(_ archive: Archive, for caller: Caller) -> Bool {
        archive.summary.referenceCount > 0 && caller.app.dataSources.values.contains { $0.scope == .registered }
    }

    /// Rewrites the references of an archive for the device that asks, and nothing else of it; nil when it is gone.
    func rewrite(_ archive: Archive, for caller: Caller) async throws(ServiceError) -> Rewriting? {
        guard try await refersToRegistered(archive, for: caller) else {
            return try await rewriteHere(archive, for: caller)
        }
        // What waits for its turn holds nothing of the archive yet.
        return try await offload(for: caller.owner) { () async throws(ServiceError) in
            try await rewriteHere(archive, for: caller)
        }.get()
    }

    /// Whether anything that an archive refers to is to be searched for.
    private func refersToRegistered(_ archive: Archive, for caller: Caller) async throws(ServiceError) -> Bool {
        try await references(of: archive)?.references.contains(where: caller.app.registers) ?? false
    }

    private func rewriteHere(_ archive: Archive, for caller: Caller) async throws(ServiceError) -> Rewriting? {
        guard let table = try await references(of: archive) else { return nil }
        let resolved = try await ask { _ async throws(StoreError) in
            try await ReferenceResolver(service: self, archive: archive, caller: caller).resolve(table.references)
        }
        var counts: [ItemResolution.Step: Int] = [:]
        for case let resolution? in resolved.resolutions { counts[resolution.step, default: 0] += 1 }
        let isUntouched = resolved.references == table.references
        let bytes = table.rewriting(resolved.references)
        return Rewriting(bytes: bytes, digest: isUntouched ? nil : hashing.sha256(bytes), counts: counts)
    }

    /// The table of an archive that is kept; nil when it is gone.
    private func references(of archive: Archive) async throws(ServiceError) -> ReferenceTable? {
        let bytes = try await ask { store async throws(StoreError) in try await store.bytes(of: archive) }
        return try bytes.map { (bytes) throws(ServiceError) in try references(in: bytes) }
    }

    private func references(in bytes: [UInt8]) throws(ServiceError) -> ReferenceTable {
        do {
            return try ReferenceTable(reading: bytes)
        } catch {
            // It was read when it was uploaded.
            throw ServiceError(.storeFailed, "The store failed.", cause: "A stored archive: \(error.message)")
        }
    }

    /// How each reference of an archive is resolved for the device that asks.
    func explainReferences(of archive: Archive, for caller: Caller) async throws(ServiceError)
        -> [ReferenceExplanation]
    {
        guard archive.summary.referenceCount > 0 else { return [] }
        return try await offload(for: caller.owner) { () async throws(ServiceError) in
            guard let table = try await references(of: archive)?.references else { return [] }
            return try await ask { _ async throws(StoreError) in
                let resolver = ReferenceResolver(service: self, archive: archive, caller: caller)
                return try await resolver.explain(table, limit: Limits.explainedReferences)
            }
        }.get()
    }
}

extension App {
    /// Whether what a reference names is to be searched for.
    fileprivate func registers(_ reference: ModelReference) -> Bool {
        dataSource(named: reference.dataSource)?.scope == .registered
    }
}
