import PlacekeeperCore
import PlacekeeperMatching

/// Writes an import's checked records to the store, in transactions of limited size.
struct ImportWriter {
    private let service: RestorationService
    private let owner: UserKey
    private var records: [ImportedRecord] = []
    /// The approximate size of `records` in bytes.
    private var weight = 0
    private var items: ImportedItems?

    /// The approximate number of bytes in a transaction. A single archive may exceed it.
    private static let weightAtOnce = 1 << 20
    /// The maximum number of items in a transaction. Each item takes many rows.
    private static let itemsAtOnce = 500

    init(to owner: UserKey, service: RestorationService) {
        self.owner = owner
        self.service = service
    }

    /// Adds a record. Archives must follow their scene, and items their registration.
    mutating func add(_ record: ExportRecord) async throws(ServiceError) {
        switch record {
        case .revision, .device: break
        case .scene(let name, let forgotten): append(.scene(name: name, forgotten: forgotten), 128)
        case .archive(let archive):
            append(.archive(archive), archive.bytes.count + (archive.screenshot?.bytes.count ?? 0) + 1024)
        case .change(let change): append(.change(change), 256)
        case .registration(let registration):
            appendItems()
            items = ImportedItems(
                dataSource: registration.dataSource, device: registration.device, cursor: registration.cursor)
        case .item(let item):
            let item = stored(item)
            items?.items.append(item)
            if items?.items.count == Self.itemsAtOnce {
                appendItems()
                items?.items = []
                try await write()
            }
        case .decision(let decision, let name):
            try await end()
            try await write(decision, of: name)
        }
        if weight >= Self.weightAtOnce { try await write() }
    }

    /// Writes the remaining records.
    mutating func end() async throws(ServiceError) {
        appendItems()
        items = nil
        try await write()
    }

    private mutating func write() async throws(ServiceError) {
        guard !records.isEmpty else { return }
        let (batch, owner) = (records, owner)
        let isNew = try await service.write { store async throws(StoreError) in try await store.add(batch, to: owner) }
        guard isNew else { throw ServiceError(.importInvalid, "An item of a registration is repeated.") }
        records = []
        weight = 0
    }

    private mutating func append(_ record: ImportedRecord, _ size: Int) {
        records.append(record)
        weight += size
    }

    private mutating func appendItems() {
        guard let items else { return }
        append(.items(items), items.items.reduce(256) { $0 + 2 * $1.texts.count + 40 * $1.item.aliases.count + 192 })
    }

    /// Returns an item with this store's lookup keys and sealed texts.
    private func stored(_ exported: ExportedItem) -> ImportedItems.Item {
        let item = exported.item
        var texts = [.identifier(item.identifier)] + item.aliases.map { LookupText.alias($0) }
        if let successor = exported.replacedBy { texts.append(.identifier(successor)) }
        let keys = service.lookup.keys(of: texts, for: owner)
        var key = keys[0]
        var presence = StoredItem.Presence.live
        if exported.replacedBy != nil {
            presence = .replaced(by: keys[keys.count - 1], at: exported.removedAt ?? exported.changedAt)
        } else if exported.removedAt != nil {
            presence = .removed
        }
        if presence.successor == key { key = key.ofLostAliases }
        return ImportedItems.Item(
            item: StoredItem(
                ordinal: 0, key: key, aliases: keys[1..<1 + item.aliases.count].distinct, position: item.position,
                changedAt: exported.changedAt, since: exported.since, isReuse: exported.isReuse, presence: presence),
            removedAt: exported.removedAt,
            texts: service.sealing.seal(
                ItemTexts(identifier: item.identifier, aliases: item.aliases).bytes, for: owner),
            digest: ItemDigest(of: item, service.hashing))
    }

    private func write(_ decision: Lists.Decision, of name: String) async throws(ServiceError) {
        let list = ItemList(owner: owner, dataSource: name)
        let link = Link(
            try service.lists.end(decision.first, in: list), try service.lists.end(decision.second, in: list),
            decision.kind,
            note: decision.note, at: decision.decidedAt)
        let isKept = try await service.write { store async throws(StoreError) in
            try await store.decide(link, in: list)
        }
        guard isKept else { throw ServiceError(.importInvalid, "A data source has too many decisions.") }
    }
}
