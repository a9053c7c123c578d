package import PlacekeeperCore
package import PlacekeeperMatching

/// A data source with registrations or decisions of a user.
package struct UserDataSource: Sendable {
    package var name: String
    /// Nil if the app doesn't declare the data source.
    package var declaration: DataSource?
    package var registries: [Registry]
}

/// Explains which identifier each device uses for an item, and why.
package struct ItemExplanation: Sendable {
    package var reference: ReferenceExplanation
    package var devices: [DeviceID: Device]
}

extension Lists {
    /// Returns a page of the data sources with registrations or decisions of a user.
    package func dataSources(
        of owner: UserKey, in app: App, after last: String?, limit: Int
    ) async throws(ServiceError) -> [UserDataSource] {
        try await service.ask { store async throws(StoreError) in
            var sources: [UserDataSource] = []
            for name in try await store.dataSources(of: owner, after: last, limit: limit) {
                let list = ItemList(owner: owner, dataSource: name)
                sources.append(
                    UserDataSource(
                        name: name, declaration: app.dataSource(named: name),
                        registries: try await store.registries(of: list)))
            }
            return sources
        }
    }

    /// Returns the list of a data source that the app declares as `registered`.
    package func list(named name: String, of owner: UserKey, in app: App) throws(ServiceError) -> ItemList {
        let nobody = Device(
            id: DeviceID(high: 0, low: 0), owner: owner, idiom: .unspecified,
            createdAt: clock.now(), lastSeenAt: clock.now())
        return try itemList(named: name, for: Principal(app: app, device: nobody), isRegistered: true)
    }

    /// Returns the identifier of a device's item from its key. Nil if the key belongs to no live or removed item and to
    /// no decision.
    package func identifier(
        withKey key: LookupKey, of device: DeviceID, in list: ItemList
    ) async throws(ServiceError) -> String? {
        try await service.ask { store async throws(StoreError) in
            var sealed: [UInt8]?
            if let registry = try await store.registries(of: list).first(where: { $0.device == device }),
                let item = try await store.items([key], in: registry)[0]
            {
                sealed = try await store.texts(of: [item], in: registry)[0]
            }
            if sealed == nil {
                sealed = try await store.links(in: list).lazy.flatMap { [$0.first, $0.second] }
                    .first { $0.device == device && $0.key == key }?.texts
            }
            return try sealed.map { (sealed) throws(StoreError) in
                try ItemTexts.identifier(in: try sealing.open(sealed, for: list.owner))
            }
        }
    }

    /// Returns the keys under which a user's identifiers and aliases are stored.
    package func keys(of texts: [LookupText], for owner: UserKey) -> [LookupKey] { lookup.keys(of: texts, for: owner) }

    /// Explains one item of a device: the matching items of all devices, with the evidence.
    ///
    /// - Parameter asking: the device for which the item is resolved. Defaults to the item's own device.
    /// - Throws: `item-not-found` if the device never registered the item and no decision mentions it.
    package func explain(
        _ name: ItemName, for asking: DeviceID?, in list: ItemList
    ) async throws(ServiceError) -> ItemExplanation {
        try Validation.identifier(name.identifier, at: ["identifier"])
        let now = try await service.devices.time(of: list.owner)
        let source = try await service.apps.app(.id(list.owner.app)).dataSource(named: list.dataSource)
        // At most 64 items match, but each may need a search.
        return try await service.offload(for: list.owner) { () async throws(ServiceError) in
            let explained: ReferenceExplanation? = try await service.ask { store async throws(StoreError) in
                let resolver = try await IdentityResolver(
                    identityEnvironment, list, from: name.device, for: asking ?? name.device, writtenAt: now)
                return try await resolver.explanation(
                    of: name.identifier, uniqueAliases: source?.uniqueAliases ?? [])
            }
            guard let explained else {
                throw ServiceError(.itemNotFound, "The device has not registered this item.")
            }
            let devices = try await service.ask { store async throws(StoreError) in
                try await store.devices(of: list.owner)
            }
            return ItemExplanation(
                reference: explained,
                devices: Dictionary(devices.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
        }.get()
    }
}
