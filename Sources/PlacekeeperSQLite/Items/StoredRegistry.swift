import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// A registration with its row id. Outside the store, its list and device identify it.
struct StoredRegistry {
    var row: Int64
    var registry: Registry
    /// The size of the items' texts in bytes.
    var bytes = 0
}

extension Connection {
    /// Returns a statement whose first parameter is a registration's row id. If the registration was deleted, the
    /// parameter is NULL, and the statement returns no rows.
    func statement(_ query: Query, in registry: Registry) throws(StoreError) -> Statement {
        let row = try row(of: registry)
        let statement = try statement(query, row)
        return statement
    }

    /// Returns a registration's row id, or `nil` if it was deleted.
    func row(of registry: Registry) throws(StoreError) -> Int64? {
        let select = try statement(.rowOfRegistry, registry.list, registry.device)
        return try select.step() ? select.key(0) : nil
    }

    /// Returns a device's registration in a list, or `nil` if there is none.
    func registry(of device: DeviceID, in list: ItemList) throws(StoreError) -> StoredRegistry? {
        let select = try statement(.registryOfDevice, list, device)
        return try select.step()
            ? StoredRegistry(
                row: try select.key(6), registry: try select.registry(of: list), bytes: try select.count(7)) : nil
    }

    func registries(of list: ItemList) throws(StoreError) -> [Registry] {
        let select = try statement(.registries, list, Limits.registries)
        var registries: [Registry] = []
        while try select.step() { registries.append(try select.registry(of: list)) }
        return registries
    }
}

extension Statement {
    fileprivate func registry(of list: ItemList) throws(StoreError) -> Registry {
        let digest = try withBytes(2) { bytes throws(StoreError) in
            guard bytes.count == 16 else { throw .corrupt("The digest of a registration is not 16 bytes long.") }
            return ItemDigest(high: bytes.word(0), low: bytes.word(1))
        }
        return Registry(
            list: list, device: try id(0),
            state: RegistrationState(cursor: try number(1, .revision), digest: digest, count: try count(3)),
            ambiguousAliasCount: try count(4), removedCount: try count(5))
    }
}

extension Query {
    private static let columns = "device, cursor, digest, count, ambiguous, removed, registry.id, registry.bytes"
    private static let ofList = """
        FROM user CROSS JOIN registry ON registry.user = user.id
        WHERE user.app = ?1 AND user.uuid = ?2 AND data_source = ?3
        """
    fileprivate static let rowOfRegistry = Query("SELECT registry.id \(ofList) AND device = ?4")
    fileprivate static let registryOfDevice = Query("SELECT \(columns) \(ofList) AND device = ?4")
    fileprivate static let registries = Query(
        """
        SELECT \(columns) \(ofList)
        ORDER BY NOT EXISTS (SELECT 1 FROM device WHERE device.uuid = registry.device), registry.id LIMIT ?4
        """)
}
