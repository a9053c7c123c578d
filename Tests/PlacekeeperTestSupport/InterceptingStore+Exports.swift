package import PlacekeeperCore
package import PlacekeeperMatching
package import PlacekeeperService

extension InterceptingStore {
    package func scenes(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [SceneFacts] {
        try will(.read, size: limit)
        return try await base.scenes(of: owner, after: name, limit: limit)
    }

    package func dataSources(of owner: UserKey, after name: String?, limit: Int) async throws(StoreError) -> [String] {
        try will(.read, size: limit)
        return try await base.dataSources(of: owner, after: name, limit: limit)
    }

    package func items(
        after ordinal: Int64?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [ListedItem] {
        try will(.read, size: limit)
        return try await base.items(after: ordinal, in: registry, limit: limit)
    }

    package func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        try will(.write, size: records.count)
        return try await base.add(records, to: owner)
    }

}
