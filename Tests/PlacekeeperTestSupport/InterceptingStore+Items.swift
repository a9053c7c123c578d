package import PlacekeeperCore
package import PlacekeeperMatching
import PlacekeeperService

extension InterceptingStore {
    package func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) async throws(StoreError) -> Committed<Declaration> {
        try will(.write)
        return try await base.declare(source, named: name, of: app, overriding: overriding)
    }

    package func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Committed<Bool> {
        try will(.write)
        return try await base.undeclare(name, of: app)
    }

    package func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> Committed<DeltaResult> {
        try will(.write)
        return try await base.apply(delta, to: list, of: device, limit: limit)
    }

    package func registries(of list: ItemList) async throws(StoreError) -> [Registry] {
        try will(.read)
        return try await base.registries(of: list)
    }

    package func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?] {
        try will(.read, size: keys.count)
        return try await base.items(keys, in: registry)
    }

    package func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError)
        -> [[StoredItem]]
    {
        try will(.read, size: aliases.count)
        return try await base.items(withAliases: aliases, in: registry)
    }

    package func textsOfSoleItems(
        withAliases aliases: [LookupKey], in registry: Registry
    ) async throws(StoreError) -> [[UInt8]?] {
        try will(.read, size: aliases.count)
        return try await base.textsOfSoleItems(withAliases: aliases, in: registry)
    }

    package func texts(of items: [StoredItem], in registry: Registry) async throws(StoreError) -> [[UInt8]?] {
        try will(.read, size: items.count)
        return try await base.texts(of: items, in: registry)
    }

    package func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool] {
        try will(.read, size: aliases.count)
        return try await base.areAmbiguous(aliases, in: registry)
    }

    package func ambiguousAliases(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [LookupKey] {
        try will(.read)
        return try await base.ambiguousAliases(above: key, in: registry, limit: limit)
    }

    package func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try will(.read)
        return try await base.items(next: position, behind: behind, in: registry, limit: limit)
    }

    package func items(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try will(.read)
        return try await base.items(above: key, in: registry, limit: limit)
    }

    package func links(in list: ItemList) async throws(StoreError) -> [Link] {
        try will(.read)
        return try await base.links(in: list)
    }

    package func items(
        _ keys: [(user: UserID, key: LookupKey)], of app: AppID
    ) async throws(StoreError) -> [RegisteredItem] {
        try will(.read, size: keys.count)
        return try await base.items(keys, of: app)
    }
}
