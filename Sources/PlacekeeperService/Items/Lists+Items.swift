import PlacekeeperArchive
package import PlacekeeperCore
package import PlacekeeperMatching

extension Lists {
    /// Applies a delta to the device's registered items, either completely or not at all (see `DeltaDecision`).
    /// Repeating a delta changes nothing.
    package func apply(_ delta: ItemDelta, to name: String, for principal: Principal) async throws(ServiceError)
        -> RegistrationState
    {
        let list = try itemList(named: name, for: principal)
        let now = try await service.devices.time(of: principal.owner)
        var prepared = try delta.checked(
            for: principal.owner, at: now, in: identityEnvironment, scope: dataSource(named: name, for: principal).scope
        )
        prepared.quotas = principal.app.settings.quotas
        let result = try await service.write { [prepared] store async throws(StoreError) in
            try await store.apply(prepared, to: list, of: principal.device.id, limit: service.itemLimit)
        }
        switch result {
        case .applied(let state): return state
        case .stale(let state):
            let isAhead = (delta.after ?? 0) > state.cursor
            throw ServiceError(
                .cursorStale,
                isAhead
                    ? "The cursor is higher than the service's cursor, for example because a backup was restored: list the items, and send the difference."
                    : "The registered items changed after this cursor: compare the digest, or list the items.",
                details: ["cursor": "\(state.cursor)", "digest": state.digest.description])
        case .tooMany:
            throw ServiceError(
                .tooManyItems,
                "A device can register at most \(service.itemLimit) items for a data source: remove some first, and register only items that archives refer to."
            )
        case .redirectLoops(let index):
            throw ServiceError(
                .redirectLoops,
                "The redirect leads back to itself, or through more than \(Limits.redirects - 1) other redirects.",
                member: ["redirects", .index(index)])
        case .redirectTargetUnknown(let index):
            throw ServiceError(
                .redirectTargetUnknown,
                "The redirect leads to an item that is not registered: register it in the same delta.",
                member: ["redirects", .index(index), "to"])
        case .redirectsLeadTooFar(let index):
            throw ServiceError(
                .deltaTooLarge,
                "The redirects of a delta can lead through at most \(Limits.deltaItems) registered redirects in total: send fewer at once.",
                member: ["redirects", .index(index)])
        case .takesTooManyAliases:
            throw ServiceError(
                .deltaTooLarge,
                "The items that a delta changes or removes can have at most \(Limits.deltaAliases) aliases in total: send fewer at once."
            )
        case .quotaExceeded(let excess): throw ServiceError(excess)
        case .actorGone:
            throw ServiceError(.callerGone, "The requesting device was revoked or moved.")
        }
    }

    /// Returns the state of the device's registration.
    package func registration(of name: String, for principal: Principal) async throws(ServiceError) -> RegistrationState
    {
        guard try dataSource(named: name, for: principal).acceptsItems else { return RegistrationState() }
        return try await registry(of: name, for: principal)?.state ?? RegistrationState()
    }

    /// Returns the device's registered items with their keys, sorted by key, after `position`.
    package func items(of name: String, behind position: LookupKey?, limit: Int, for principal: Principal)
        async throws(ServiceError) -> [(position: LookupKey, item: Item)]
    {
        let list = try itemList(named: name, for: principal)
        return try await items(in: list, of: principal.device.id, behind: position, limit: limit)
    }

    /// Returns a device's registered items, sorted by key, after `position`. The device may be revoked.
    package func items(
        in list: ItemList, of device: DeviceID, behind position: LookupKey?, limit: Int
    ) async throws(ServiceError) -> [(position: LookupKey, item: Item)] {
        guard let registry = try await registry(of: device, in: list) else { return [] }
        return try await service.ask { store async throws(StoreError) in
            var items: [(position: LookupKey, item: Item)] = []
            let stored = try await store.items(above: position, in: registry, limit: limit)
            for (stored, sealed) in zip(stored, try await store.texts(of: stored, in: registry)) {
                guard let sealed else { continue }
                let texts = try ItemTexts(reading: try sealing.open(sealed, for: list.owner))
                let item = Item(texts.identifier, aliases: texts.aliases, position: stored.position)
                items.append((stored.key, item))
            }
            return items
        }
    }

    private func registry(of name: String, for principal: Principal) async throws(ServiceError) -> Registry? {
        try await registry(of: principal.device.id, in: ItemList(owner: principal.owner, dataSource: name))
    }

    private func registry(of device: DeviceID, in list: ItemList) async throws(ServiceError) -> Registry? {
        try await service.ask { store async throws(StoreError) in try await store.registries(of: list) }
            .first { $0.device == device }
    }

    /// Translates another device's item identifiers into the requesting device's.
    package func resolve(_ identifiers: [String], of device: DeviceID, in name: String, for principal: Principal)
        async throws(ServiceError) -> [ItemResolution]
    {
        let source = try dataSource(named: name, for: principal)
        guard identifiers.count <= Limits.deltaItems else {
            throw ServiceError(.deltaTooLarge, "A request can resolve at most \(Limits.deltaItems) identifiers.")
        }
        for (index, identifier) in identifiers.enumerated() {
            try Validation.identifier(identifier, at: ["identifiers", .index(index)])
        }
        let list = ItemList(owner: principal.owner, dataSource: name)
        let now = try await service.devices.time(of: principal.owner)
        let devices = try await service.devices.devices(for: principal)
        let resolutions: [ItemResolution]? = try await service.ask { _ async throws(StoreError) in
            // A revoked device's registration is kept, so its identifiers can still be resolved.
            let resolver = try await IdentityResolver(
                identityEnvironment, list, from: device, for: principal.device.id, writtenAt: now)
            guard devices.contains(where: { $0.id == device }) || resolver.registry(of: device) != nil else {
                return nil
            }
            switch source.scope {
            case .registered: break
            case .shared where source.allowsRedirects:
                let replacements = try await SharedRedirects(identityEnvironment, list).replacements(of: identifiers)
                return identifiers.map { ItemResolution(replacements[ByteText($0)]?.identifier ?? $0, .exact) }
            case .shared, .keyed: return identifiers.map { ItemResolution($0, .exact) }
            }
            return try await AlignmentSearch.resolve(
                identifiers, with: resolver, uniqueAliases: source.uniqueAliases)
        }
        guard let resolutions else { throw ServiceError(.deviceNotFound, "There is no such device.") }
        return resolutions
    }
}
