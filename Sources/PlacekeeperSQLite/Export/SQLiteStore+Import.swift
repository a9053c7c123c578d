package import PlacekeeperService

extension SQLiteStore {
    package func begin(_ user: ImportedUser) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .write(to: user.owner, $0) }) { transaction throws(StoreError) in
            guard try transaction.connection.user(user.owner) == nil else { return false }
            let row = try transaction.createUser(user.owner, at: user.createdAt)
            try transaction.setRevisions(of: row, as: user)
            return true
        }
    }

    package func add(_ records: [ImportedRecord], to owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        // The archives are compressed here, so that other writes do not wait for the compression.
        let contents = records.map { record -> Content? in
            guard case .archive(let exported) = record else { return nil }
            return Content(exported.bytes, compressing: configuration.compressedSize, with: compression)
        }
        let (weight, rows) = records.reduce((0, 0)) { ($0.0 + $1.weight, $0.1 + $1.rows) }
        return try await writer.write(weight: weight, rows: rows, effects: { _ in .write(to: owner) }) {
            transaction throws(StoreError) in
            try transaction.keepingScenes(except: owner) { () throws(StoreError) in
                try transaction.add(records, contents, to: owner)
            }
        }
    }

    package func end(
        importOf owner: UserKey, devices: [Device], account: Account?
    ) async throws(StoreError) -> Committed<ImportEnd> {
        try await writer.write(effects: { .access(of: owner, $0 == .done) }) { transaction throws(StoreError) in
            let user = try transaction.knownUser(owner)
            if let account, let known = try transaction.connection.userID(ofSubject: account.digest, in: owner.app),
                known != owner.user
            {
                return .accountTaken
            }
            for device in devices where try transaction.connection.exists(device.id) { return .deviceTaken(device.id) }
            try transaction.keepingScenes(except: owner) { () throws(StoreError) in
                for device in devices { try transaction.insertRow(of: device, of: user) }
                if let account { try transaction.setSubject(of: owner, to: account) }
            }
            return .done
        }
    }
}

extension ImportedRecord {
    /// The approximate number of bytes that the record holds in memory.
    fileprivate var weight: Int {
        switch self {
        case .scene, .change: 256
        case .archive(let exported): 2 * exported.bytes.count + (exported.snapshot?.bytes.count ?? 0) + 1024
        case .items(let items): items.items.reduce(256) { $0 + $1.texts.count + 8 * $1.item.aliases.count + 192 }
        }
    }

    /// The approximate number of rows that the record writes.
    fileprivate var rows: Int {
        switch self {
        case .scene, .change: 2
        case .archive(let exported): 3 + 2 * exported.outcomes.count
        case .items(let items): items.items.reduce(2) { $0 + $1.item.aliases.count + 2 }
        }
    }
}

extension Connection {
    /// Returns whether any user has a device with this id.
    fileprivate func exists(_ device: DeviceID) throws(StoreError) -> Bool {
        let select = try statement(.deviceWithID)
        select.bind(device, at: 1)
        return try select.step()
    }
}

extension Query {
    fileprivate static let deviceWithID = Query("SELECT 1 FROM device WHERE uuid = ?1")
}
