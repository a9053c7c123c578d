import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

extension Transaction {
    /// Adds imported data. `contents` are the archives' bytes in stored form. Returns false if an item is already
    /// registered.
    func add(
        _ records: [ImportedRecord], _ contents: [Content?], to owner: UserKey
    ) throws(StoreError) -> Bool {
        var user = try knownUser(owner)
        var isNew = true
        for (record, content) in zip(records, contents) where isNew {
            switch record {
            case .scene(let name, let forgotten): try add(name, forgotten, to: user)
            case .archive(let exported): if let content { try add(exported, content, to: &user) }
            case .change(let change): try add(change, to: &user)
            case .items(let items): isNew = try add(items, to: owner, &user)
            }
        }
        try storeUsage(of: user)
        return isNew
    }

    /// Returns the row id of a scene, and inserts the row if needed.
    private func scene(_ name: String, of user: UserRow) throws(StoreError) -> Int64 {
        do {
            let select = try connection.statement(.sceneOfUser, user.id, name)
            if try select.step() { return try select.key(0) }
        }
        try connection.run(.insertScene, user.id, name)
        return connection.lastInsertedRow
    }

    private func add(_ name: String, _ forgotten: CaptureOrder.Forgotten?, to user: UserRow) throws(StoreError) {
        let scene = try scene(name, of: user)
        guard let forgotten else { return }
        try connection.run(.setForgotten, scene, forgotten.at, forgotten.revision)
    }

    private func add(
        _ exported: ExportedArchive, _ content: Content, to user: inout UserRow
    ) throws(StoreError) {
        let archive = exported.archive
        let row = ArchiveRow(
            scene: try scene(archive.scene.name, of: user), position: archive.position,
            content: try write(content), bytes: archive.size + (exported.screenshot?.bytes.count ?? 0),
            hasScreenshot: exported.screenshot != nil, hasOutcomes: !exported.outcomes.isEmpty)
        try insert(archive, at: row)
        try count(Usage(bytes: row.bytes, archives: 1), of: &user)
        if let screenshot = exported.screenshot {
            try insert(screenshot, content: row.content)
            try mark(row, by: .markScreenshot)
        }
        guard row.hasOutcomes else { return }
        for outcome in exported.outcomes { try insert(outcome, content: row.content) }
        try connection.markOutcomes(
            of: row, isServable: RestoreEligibility.isServable(archive, after: exported.outcomes))
    }

    /// Appends an imported change to the user's changes. The change keeps its revision.
    private func add(_ change: Change, to user: inout UserRow) throws(StoreError) {
        let scene: Int64? = if let name = change.scene { try scene(name, of: user) } else { nil }
        try connection.run(
            .insertImportedChange, user.id, change.revision, user.lastChange, change.kind.rawValue, scene,
            change.archive, change.device, change.at)
        user.lastChange = connection.lastInsertedRow
        try connection.run(.setImportedChange, user.id, user.lastChange)
    }

    /// Adds items to a registration, creating it if needed. Returns false if an item is already registered.
    private func add(_ new: ImportedItems, to owner: UserKey, _ user: inout UserRow) throws(StoreError) -> Bool {
        let list = ItemList(owner: owner, dataSource: new.dataSource)
        let found = try connection.registry(of: new.device, in: list)
        var stored: StoredRegistry
        if let found { stored = found } else { stored = try insertRegistry(of: new.device, in: list, user) }
        var aliases = AliasChanges()
        for imported in new.items {
            var item = imported.item
            guard try connection.items([item.key], in: stored.row)[0] == nil else { return false }
            item.ordinal = try insert(imported.texts, of: item)
            stored.bytes += imported.texts.count
            try count(Usage(bytes: imported.texts.count), of: &user)
            try put(item, in: stored.row, at: imported.removedAt ?? item.changedAt)
            aliases.change(from: nil, to: item)
            if item.isLive {
                stored.registry.state.count += 1
                stored.registry.state.digest.toggle(imported.digest)
            } else {
                stored.registry.removedCount += 1
            }
        }
        stored.registry.ambiguousAliasCount += try aliases.carryOut(on: stored, connection)
        stored.registry.state.cursor = new.cursor
        try update(stored)
        return true
    }
}

extension Query {
    fileprivate static let sceneOfUser = Query("SELECT id FROM scene WHERE user = ?1 AND name = ?2")
    fileprivate static let insertScene = Query("INSERT INTO scene (user, name) VALUES (?1, ?2)")
    // Pruning drops an empty scene once all changes up to `last_removal` are dropped. The change that deleted the scene
    // may be missing from the import, so the scene is kept as long as the changes made before the import.
    fileprivate static let setForgotten = Query(
        """
        UPDATE scene SET forgotten_at = ?2, forgotten_revision = ?3,
            last_removal = (SELECT coalesce(max(id), 0) FROM change), removed_at = ?2
        WHERE id = ?1
        """)
    fileprivate static let insertImportedChange = Query(
        """
        INSERT INTO change (user, revision, previous, kind, scene, archive, device, at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
    fileprivate static let setImportedChange = Query("UPDATE user SET last_change = ?2 WHERE id = ?1")
}
