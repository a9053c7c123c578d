package import PlacekeeperCore
package import PlacekeeperMatching

extension Lists {
    /// An operator's decision about two items, with the items' names.
    package struct Decision: Sendable, Hashable {
        package var first: ItemName
        package var second: ItemName
        package var kind: Link.Kind
        package var note: String
        package var decidedAt: Timestamp
        /// Whether the decision has ended because one of its identifiers was reassigned to another item.
        package var hasEnded: Bool

        package init(
            first: ItemName, second: ItemName, kind: Link.Kind, note: String, decidedAt: Timestamp,
            hasEnded: Bool = false
        ) {
            self.first = first
            self.second = second
            self.kind = kind
            self.note = note
            self.decidedAt = decidedAt
            self.hasEnded = hasEnded
        }
    }

    /// An ambiguous alias, with two items of one device that share it. Ambiguous aliases don't count as evidence.
    package struct AmbiguousAlias: Sendable, Hashable {
        package var alias: String
        package var device: DeviceID
        package var identifiers: [String]
        /// The alias's key. The next page starts after it.
        package var key: LookupKey

        /// The cursor for the page after this alias.
        package var cursor: String { "\(device):\(key.cursor)" }

        /// Parses a cursor. Returns nil if the text is not a cursor.
        package static func position(_ cursor: String) -> (device: DeviceID, key: LookupKey)? {
            let parts = cursor.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let device = DeviceID(String(parts[0])),
                let key = LookupKey(cursor: String(parts[1]))
            else { return nil }
            return (device, key)
        }
    }

    /// Decides that two items of a user are the same or different, whatever their aliases are. Replaces an earlier
    /// decision about these items.
    /// - Returns: the decision as `decisions` lists it.
    @discardableResult
    package func decide(
        _ kind: Link.Kind, _ first: ItemName, _ second: ItemName, note: String, in list: ItemList
    ) async throws(ServiceError) -> Decision {
        let (one, other) = (try end(first, in: list), try end(second, in: list))
        guard first.device != second.device else {
            throw ServiceError(
                .linkInvalid,
                "A decision needs items of two devices, because two items of one device are always different.")
        }
        guard note.utf8.count <= Limits.identifier else {
            throw ServiceError(.linkInvalid, "A note can have at most \(Limits.identifier) bytes.")
        }
        let link = Link(one, other, kind, note: note, at: try await service.devices.time(of: list.owner))
        let isKept = try await service.write { store async throws(StoreError) in try await store.decide(link, in: list)
        }
        guard isKept else {
            throw ServiceError(.tooManyLinks, "A data source can have at most \(Limits.links) decisions of a user.")
        }
        let inOrder = link.first == one ? (first, second) : (second, first)
        return Decision(
            first: inOrder.0, second: inOrder.1, kind: kind, note: note, decidedAt: link.decidedAt)
    }

    /// Returns those of the given items that were never registered or were removed.
    package func unregistered(_ items: [ItemName], in list: ItemList) async throws(ServiceError) -> [ItemName] {
        try await service.ask { store async throws(StoreError) in
            let registries = try await store.registries(of: list)
            var unregistered: [ItemName] = []
            for (item, key) in zip(items, lookup.keys(of: items.map { .identifier($0.identifier) }, for: list.owner)) {
                var stored: StoredItem?
                if let registry = registries.first(where: { $0.device == item.device }) {
                    stored = try await store.items([key], in: registry)[0]
                }
                if stored?.isLive != true { unregistered.append(item) }
            }
            return unregistered
        }
    }

    /// Returns the devices that registered items or that a decision mentions. Some may be revoked.
    package func devicesWithItems(in list: ItemList) async throws(ServiceError) -> Set<DeviceID> {
        try await service.ask { store async throws(StoreError) in
            let registered = try await store.registries(of: list).map(\.device)
            let decided = try await store.links(in: list).flatMap { [$0.first.device, $0.second.device] }
            return Set(registered + decided)
        }
    }

    /// Removes a decision. Returns false if there is none about these items.
    package func removeDecision(
        _ first: ItemName, _ second: ItemName, in list: ItemList
    ) async throws(ServiceError) -> Bool {
        let (one, other) = (try end(first, in: list), try end(second, in: list))
        return try await service.write { store async throws(StoreError) in
            try await store.removeDecision(one, other, in: list)
        }
    }

    /// Returns all decisions, oldest first.
    package func decisions(in list: ItemList) async throws(ServiceError) -> [Decision] {
        try await service.ask { store async throws(StoreError) in
            var decisions: [Decision] = []
            let links = try await store.links(in: list)
            guard !links.isEmpty else { return [] }
            let items = try await Link.items(of: links, in: try await store.registries(of: list), store)
            for link in links {
                decisions.append(
                    Decision(
                        first: try name(of: link.first, in: list), second: try name(of: link.second, in: list),
                        kind: link.kind, note: link.note, decidedAt: link.decidedAt,
                        hasEnded: link.hasEnded(items)))
            }
            return decisions
        }
    }

    /// Returns at most `limit` ambiguous aliases, sorted by device identifier and then by alias key.
    ///
    /// - Parameter last: the alias and device after which the result starts. This alias may no longer be ambiguous. Nil
    ///   starts with the first alias.
    /// - Throws: `device-not-found` if the device in `last` no longer has a registration.
    package func ambiguousAliases(
        in list: ItemList, after last: (device: DeviceID, key: LookupKey)? = nil, limit: Int
    ) async throws(ServiceError) -> [AmbiguousAlias] {
        let aliases: [AmbiguousAlias]? = try await service.ask { store async throws(StoreError) in
            // Sort by device, because that order doesn't change when a device is revoked between two pages.
            var registries = try await store.registries(of: list).sorted { $0.device < $1.device }[...]
            if let last {
                guard let place = registries.firstIndex(where: { $0.device == last.device }) else { return nil }
                registries = registries[place...]
            }
            var above = last?.key
            var aliases: [AmbiguousAlias] = []
            for registry in registries {
                defer { above = nil }
                guard registry.ambiguousAliasCount > 0 else { continue }
                let keys = try await store.ambiguousAliases(above: above, in: registry, limit: limit - aliases.count)
                for (key, items) in zip(keys, try await store.items(withAliases: keys, in: registry)) {
                    var named = AmbiguousAlias(alias: "", device: registry.device, identifiers: [], key: key)
                    for sealed in try await store.texts(of: items, in: registry) {
                        guard let sealed else { continue }
                        let texts = try ItemTexts(reading: try sealing.open(sealed, for: list.owner))
                        named.identifiers.append(texts.identifier)
                        let spelled = zip(
                            lookup.keys(ofAliases: texts.aliases, for: list.owner), texts.aliases)
                        named.alias = spelled.first { $0.0 == key }?.1 ?? named.alias
                    }
                    aliases.append(named)
                }
                if aliases.count >= limit { break }
            }
            return aliases
        }
        guard let aliases else { throw ServiceError(.deviceNotFound, "This device no longer has a registration.") }
        return aliases
    }

    func end(_ name: ItemName, in list: ItemList) throws(ServiceError) -> Link.End {
        try Validation.identifier(name.identifier, at: ["identifier"])
        let texts = ItemTexts(identifier: name.identifier, aliases: []).bytes
        return Link.End(
            device: name.device, key: lookup.key(ofIdentifier: name.identifier, for: list.owner),
            texts: sealing.seal(texts, for: list.owner))
    }

    private func name(of end: Link.End, in list: ItemList) throws(StoreError) -> ItemName {
        ItemName(
            device: end.device,
            identifier: try ItemTexts.identifier(in: try sealing.open(end.texts, for: list.owner)))
    }
}
