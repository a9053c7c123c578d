package import PlacekeeperCore
import PlacekeeperMatching

extension Exports {
    /// Begins an export of a user's data. Returns nil if there is no such user.
    package func export(_ owner: UserKey, of app: App) async throws(ServiceError) -> UserExport? {
        guard try await service.ask({ store async throws(StoreError) in try await store.facts(of: owner) }) != nil
        else {
            return nil
        }
        let header = ExportHeader(
            app: app.bundleIdentifier, user: owner.user, subject: try await service.accounts.subject(of: owner),
            exportedAt: clock.now())
        return UserExport(of: owner, header: header, service: service)
    }

    /// Returns an archive with everything that belongs to it, or nil if it no longer exists. Throws `storeFailed` if
    /// the stored bytes are damaged, because an import would reject them.
    func exported(_ archive: Archive) async throws(ServiceError) -> ExportedArchive? {
        let exported = try await service.ask { store async throws(StoreError) -> ExportedArchive? in
            let bytes: [UInt8]?
            do throws(StoreError) {
                bytes = try await store.bytes(of: archive)
            } catch {
                guard error.code == .corrupt else { throw error }
                bytes = []
            }
            guard let bytes else { return nil }
            return ExportedArchive(
                archive: archive, bytes: bytes,
                screenshot: archive.hasScreenshot
                    ? try await store.screenshot(for: archive.id, in: archive.scene) : nil,
                outcomes: archive.hasOutcomes ? try await store.outcomes(of: archive.id, in: archive.scene) : [])
        }
        guard let exported else { return nil }
        guard hashing.sha256(exported.bytes) == archive.digest else {
            throw ServiceError(.storeFailed, "The stored bytes of the archive \(archive.id) are damaged.")
        }
        return exported
    }

    /// Returns a page of a registration's items and the ordinal after which the next page begins. The ordinal is nil on
    /// the last page.
    func exportedItems(
        after last: Int64?, in registry: Registry
    ) async throws(ServiceError) -> (items: [ExportedItem], last: Int64?) {
        try await service.ask { store async throws(StoreError) in
            let page = try await store.items(after: last, in: registry, limit: Limits.exportedItems)
            var items: [ExportedItem] = []
            items.reserveCapacity(page.count)
            for batch in page.batches() {
                let texts = try await store.texts(of: batch.map(\.item), in: registry)
                let successors = try await identifiers(of: batch.compactMap(\.item.successor), in: registry)
                for (listed, sealed) in zip(batch, texts) {
                    guard let sealed else { continue }
                    let texts = try ItemTexts(reading: try sealing.open(sealed, for: registry.list.owner))
                    items.append(
                        ExportedItem(
                            dataSource: registry.list.dataSource, device: registry.device,
                            item: Item(texts.identifier, aliases: texts.aliases, position: listed.item.position),
                            changedAt: listed.item.changedAt, since: listed.item.since, isReuse: listed.item.isReuse,
                            removedAt: listed.removedAt,
                            replacedBy: listed.item.successor.flatMap { successors[$0] }))
                }
            }
            return (items, page.count == Limits.exportedItems ? page.last?.item.ordinal : nil)
        }
    }

    private func identifiers(
        of keys: [LookupKey], in registry: Registry
    ) async throws(StoreError) -> [LookupKey: String] {
        guard !keys.isEmpty else { return [:] }
        let items = try await store.items(keys, in: registry).compactMap { $0 }
        var identifiers: [LookupKey: String] = [:]
        for (item, sealed) in zip(items, try await store.texts(of: items, in: registry)) {
            guard let sealed else { continue }
            identifiers[item.key] = try ItemTexts.identifier(in: try sealing.open(sealed, for: registry.list.owner))
        }
        return identifiers
    }
}
