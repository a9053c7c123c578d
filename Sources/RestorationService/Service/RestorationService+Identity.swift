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

    /// Rewrites the references of an archive for the device that asks, and nothing else of it.
    func rewrite(_ bytes: [UInt8], of archive: Archive, for caller: Caller) async throws(ServiceError) -> Rewriting {
        let table = try references(in: bytes)
        guard table.references.contains(where: caller.app.registers) else {
            return try await rewrite(table, bytes, of: archive, for: caller)
        }
        return try await apart { () async throws(ServiceError) in
            try await rewrite(table, bytes, of: archive, for: caller)
        }
    }

    private func rewrite(
        _ table: ReferenceTable, _ bytes: [UInt8], of archive: Archive, for caller: Caller
    ) async throws(ServiceError) -> Rewriting {
        let resolved = try await ask { _ async throws(StoreError) in
            try await ReferenceResolver(service: self, archive: archive, caller: caller).resolve(table.references)
        }
        var counts: [ItemResolution.Step: Int] = [:]
        for one in resolved { if let step = one.resolution?.step { counts[step, default: 0] += 1 } }
        let references = resolved.map(\.reference)
        guard references != table.references else { return Rewriting(bytes: bytes, digest: nil, counts: counts) }
        let rewritten = table.rewriting(references)
        return Rewriting(bytes: rewritten, digest: hashing.sha256(rewritten), counts: counts)
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
        guard archive.summary.referenceCount > 0,
            let bytes = try await ask({ store async throws(StoreError) in try await store.bytes(of: archive) })
        else { return [] }
        let table = try references(in: bytes).references
        return try await apart { () async throws(ServiceError) in
            try await ask { _ async throws(StoreError) in
                let resolver = ReferenceResolver(service: self, archive: archive, caller: caller)
                return try await resolver.explain(table, limit: Limits.explainedReferences)
            }
        }
    }
}

extension App {
    /// Whether what a reference names is to be searched for.
    fileprivate func registers(_ reference: ModelReference) -> Bool {
        dataSources[reference.dataSource]?.scope == .registered
    }
}
