import RestorationService

extension Transaction {
    /// Applies a delta completely, or changes nothing and returns the reason.
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) throws(StoreError) -> DeltaResult {
        guard try connection.device(device, of: list.owner) != nil else { return .actorGone }
        let user = try user(list.owner)
        let found = try registry(of: list, user.id, device)
        let before = found?.state ?? RegistrationState()
        var known: [LookupKey: StoredItem] = [:]
        if let found { known = try connection.items(delta.keys, in: found.id) }
        if let after = delta.after, after != before.cursor {
            // It is not an error to send again the delta that led to the current state. An empty delta never changes
            // the state, so it only checks the cursor.
            guard !delta.keys.isEmpty, try changesNothing(delta, known) else { return .stale(before) }
            return .applied(before)
        }
        let fault = try RedirectChain.fault(in: delta) { key throws(StoreError) in
            guard let found else { return nil }
            return try connection.item(key, in: found.id)?.presence
        }
        if let fault { return fault }
        if found == nil, try changesNothing(delta, known) { return .applied(before) }
        guard before.count + delta.rise(over: known) <= limit else { return .tooMany(before) }
        guard delta.takenAliasCount(from: known) <= Limits.deltaAliases else { return .takesTooManyAliases }
        let registry: Registry
        if let found { registry = found } else { registry = try insertRegistry(of: list, user.id, device) }
        var registration = DeltaApplication(delta, on: registry, knowing: known, connection)
        try registration.run()
        guard registration.hasChanged else { return .applied(before) }
        registration.registry.state.cursor += 1
        let removedCount = registration.registry.removedCount
        let surplus = registration.registry.state.count + removedCount - 2 * limit
        if surplus > 0 { registration.registry.removedCount -= try forgetRemoved(surplus, of: registry) }
        try update(registration.registry)
        try note(delta.time, for: list.owner)
        return .applied(registration.registry.state)
    }

    /// Returns whether everything in the delta is already stored.
    private func changesNothing(
        _ delta: PreparedDelta, _ known: [LookupKey: StoredItem]
    ) throws(StoreError) -> Bool {
        for upsert in delta.upserts {
            guard let item = known[upsert.key], item.isLive,
                try delta.digest(item, try connection.texts(of: item) ?? []) == upsert.digest
            else { return false }
        }
        return !delta.removals.contains { known[$0]?.isLive == true }
            && delta.redirects.allSatisfy { known[$0.from]?.presence == .replaced(by: $0.to) }
    }

    private func registry(
        of list: ItemList, _ user: Int64, _ device: DeviceID
    ) throws(StoreError) -> Registry? {
        let select = try connection.statement(.registryOfDevice)
        select.bind(user, at: 1)
        select.bind(list.dataSource, at: 2)
        select.bind(device, at: 3)
        return try select.step() ? try select.registry() : nil
    }

    private func insertRegistry(
        of list: ItemList, _ user: Int64, _ device: DeviceID
    ) throws(StoreError) -> Registry {
        try connection.statement(.countRegistry).run()
        let insert = try connection.statement(.insertRegistry)
        insert.bind(user, at: 1)
        insert.bind(list.dataSource, at: 2)
        insert.bind(device, at: 3)
        try insert.run()
        return Registry(id: connection.lastInsertedRow, device: device, state: RegistrationState())
    }

    private func update(_ registry: Registry) throws(StoreError) {
        let update = try connection.statement(.updateRegistry)
        update.bind(registry.id, at: 1)
        update.bind(registry.state.cursor, at: 2)
        update.bind(registry.state.digest, at: 3)
        update.bind(registry.state.count, at: 4)
        update.bind(registry.ambiguousAliasCount, at: 5)
        update.bind(registry.removedCount, at: 6)
        try update.run()
    }
}

extension Transaction {
    /// Detaches a device's registrations from their user. The items of these registrations are deleted later, in
    /// small steps.
    func leaveRegistries(of device: DeviceID, by user: UserRow) throws(StoreError) {
        let update = try connection.statement(.leaveRegistries)
        update.bind(user.id, at: 1)
        update.bind(device, at: 2)
        try update.run()
    }

    /// Detaches registrations from their users, if the registrations' devices no longer exist.
    func leave(_ registries: [Int64]) throws(StoreError) {
        for registry in registries {
            let update = try connection.statement(.leaveRegistryOfTheGone)
            update.bind(registry, at: 1)
            try update.run()
        }
    }

    /// Deletes some items that were removed before a time. Returns false when no such items are left.
    func dropRemovedItems(before time: Timestamp) throws(StoreError) -> Bool {
        let select = try connection.statement(.oldRemovedItems)
        select.bind(time, at: 1)
        select.bind(Self.itemStep, at: 2)
        let items = try drop(select)
        for (registry, items) in Dictionary(grouping: items, by: \.registry) {
            let update = try connection.statement(.noteForgotten)
            update.bind(registry, at: 1)
            update.bind(items.count, at: 2)
            try update.run()
        }
        return items.count == Self.itemStep
    }

    /// Deletes the `count` items of a registration that were removed first. If these items have more aliases than one
    /// delta may take, fewer items are deleted, and later deltas delete the other items.
    /// - Returns: the number of deleted items.
    private func forgetRemoved(_ count: Int, of registry: Registry) throws(StoreError) -> Int {
        let select = try connection.statement(.oldestRemovedItems)
        select.bind(registry.id, at: 1)
        select.bind(count, at: 2)
        return try drop(select, aliases: Limits.deltaAliases).count
    }

    /// Deletes some rows of detached registrations. Returns false when no such rows are left.
    func dropRegistriesOfNobody() throws(StoreError) -> Bool {
        do {
            let select = try connection.statement(.itemsOfNobody)
            select.bind(Self.itemStep, at: 1)
            if try drop(select).count == Self.itemStep { return true }
        }
        let ambiguous = try connection.statement(.dropAmbiguousOfNobody)
        ambiguous.bind(Self.itemStep, at: 1)
        try ambiguous.run()
        if connection.changedRows == Self.itemStep { return true }
        try connection.statement(.dropRegistriesOfNobody).run()
        return false
    }

    private func drop(_ select: borrowing Statement, aliases: Int = .max) throws(StoreError) -> [StoredItem] {
        var items: [StoredItem] = []
        var room = aliases
        while room > 0, try select.step() {
            items.append(try select.item())
            room -= items.last?.aliases.count ?? 0
        }
        select.reset()
        for item in items {
            for alias in item.aliases { try connection.delete(alias, of: item) }
            let text = try connection.statement(.dropText)
            text.bind(item.number, at: 1)
            try text.run()
            let delete = try connection.statement(.dropItem)
            delete.bind(item.registry, at: 1)
            delete.bind(item.key.rawValue, at: 2)
            try delete.run()
        }
        return items
    }

    private static let itemStep = 500
}

extension Statement {
    fileprivate func bind(_ digest: ItemDigest, at index: Int32) {
        bind(words: (digest.high.bigEndian, digest.low.bigEndian), at: index)
    }
}

extension Query {
    fileprivate static let registryOfDevice = Query(
        "SELECT \(registryColumns) FROM registry WHERE user = ?1 AND data_source = ?2 AND device = ?3")
    fileprivate static let insertRegistry = Query(
        """
        INSERT INTO registry (id, user, data_source, device, digest)
        SELECT last_registry, ?1, ?2, ?3, zeroblob(16) FROM store
        """)
    fileprivate static let countRegistry = Query("UPDATE store SET last_registry = last_registry + 1")
    fileprivate static let updateRegistry = Query(
        "UPDATE registry SET cursor = ?2, digest = ?3, count = ?4, set_aside = ?5, removed = ?6 WHERE id = ?1")
    fileprivate static let leaveRegistries = Query("UPDATE registry SET user = NULL WHERE user = ?1 AND device = ?2")
    fileprivate static let leaveRegistryOfTheGone = Query(
        """
        UPDATE registry SET user = NULL
        WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM device WHERE device.uuid = registry.device)
        """)
    fileprivate static let oldRemovedItems = Query(
        "SELECT \(itemColumns) FROM item WHERE removed_at < ?1 ORDER BY removed_at LIMIT ?2")
    fileprivate static let oldestRemovedItems = Query(
        """
        SELECT \(itemColumns) FROM item
        WHERE registry = ?1 AND removed_at IS NOT NULL ORDER BY removed_at, key LIMIT ?2
        """)
    fileprivate static let noteForgotten = Query("UPDATE registry SET removed = removed - ?2 WHERE id = ?1")
    fileprivate static let itemsOfNobody = Query(
        """
        SELECT \(itemColumns) FROM registry CROSS JOIN item ON item.registry = registry.id
        WHERE registry.user IS NULL LIMIT ?1
        """)
    fileprivate static let dropText = Query("DELETE FROM item_text WHERE number = ?1")
    fileprivate static let dropItem = Query("DELETE FROM item WHERE registry = ?1 AND key = ?2")
    fileprivate static let dropAmbiguousOfNobody = Query(
        """
        DELETE FROM set_aside WHERE (registry, key) IN (
            SELECT set_aside.registry, set_aside.key
            FROM registry CROSS JOIN set_aside ON set_aside.registry = registry.id
            WHERE registry.user IS NULL LIMIT ?1)
        """)
    fileprivate static let dropRegistriesOfNobody = Query(
        """
        DELETE FROM registry
        WHERE user IS NULL AND NOT EXISTS (SELECT 1 FROM item WHERE item.registry = registry.id)
        """)
}
