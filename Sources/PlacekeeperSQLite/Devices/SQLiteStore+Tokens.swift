package import PlacekeeperService

extension SQLiteStore {
    package func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>? {
        try readers.read { connection throws(StoreError) in
            try versions.fresh(ownedBy: \.device.owner) { () throws(StoreError) in
                let select = try connection.statement(.credential)
                select.bind(token, at: 1)
                return try select.step() ? try select.credential() : nil
            }
        }
    }

    package func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(effects: { .access(of: owner, $0) }) { transaction throws(StoreError) in
            guard try transaction.connection.device(device, of: owner) != nil else { return false }
            try transaction.keepingScenes { () throws(StoreError) in
                try transaction.replaceToken(of: device, by: token, at: time)
            }
            return true
        }
    }
}

extension Transaction {
    /// Replaces a device's token. At most one replaced token of each access stays valid: the token of the request, or
    /// the last token that was made.
    func replaceToken(of device: DeviceID, by token: NewToken, at time: Timestamp) throws(StoreError) {
        guard let row = try connection.row(of: device) else { return }
        if token.revokesPrevious {
            // Someone who stole a token with full access may have made a read-only token, so it ends as well.
            let delete = try connection.statement(.deleteTokens)
            delete.bind(row, at: 1)
            delete.bind(token.access.rawValue, at: 2)
            try delete.run()
        } else {
            // A request with a token of the other access presents no token of this access.
            let presented = try token.presented.flatMap { digest throws(StoreError) in
                try connection.isToken(digest, ofDeviceRow: row, token.access) ? digest : nil
            }
            let delete = try connection.statement(.deleteTokensExcept)
            delete.bind(row, at: 1)
            delete.bind(token.access.rawValue, at: 2)
            if let presented { delete.bind(presented, at: 3) } else { delete.bindNull(at: 3) }
            try delete.run()
            let update = try connection.statement(.endTokens)
            update.bind(row, at: 1)
            update.bind(token.access.rawValue, at: 2)
            update.bind(time + Credential.grace, at: 3)
            try update.run()
        }
        try insert(token, ofDeviceRow: row)
    }

    func insert(_ token: NewToken, ofDeviceRow row: Int64) throws(StoreError) {
        let insert = try connection.statement(.insertToken)
        insert.bind(token.digest, at: 1)
        insert.bind(row, at: 2)
        insert.bind(token.access.rawValue, at: 3)
        try insert.run()
    }
}

extension Connection {
    fileprivate func row(of device: DeviceID) throws(StoreError) -> Int64? {
        let select = try statement(.rowOfDevice)
        select.bind(device, at: 1)
        return try select.step() ? select.key(0) : nil
    }

    fileprivate func isToken(_ digest: Digest, ofDeviceRow row: Int64, _ access: TokenAccess) throws(StoreError) -> Bool
    {
        let select = try statement(.tokenOfDevice)
        select.bind(digest, at: 1)
        select.bind(row, at: 2)
        select.bind(access.rawValue, at: 3)
        return try select.step()
    }
}

extension Statement {
    fileprivate func credential() throws(StoreError) -> Credential {
        guard let access = TokenAccess(rawValue: try number(Query.deviceColumnCount, .access)) else {
            throw .unknown("access")
        }
        return Credential(
            device: try device(), access: access, expiresAt: try optionalTime(Query.deviceColumnCount + 1))
    }
}

extension Query {
    fileprivate static let credential = Query(
        """
        SELECT \(deviceColumns), token.access, token.expires_at
        FROM token JOIN device ON device.id = token.device JOIN user ON user.id = device.user
        WHERE token.digest = ?1
        """)
    fileprivate static let rowOfDevice = Query("SELECT id FROM device WHERE uuid = ?1")
    fileprivate static let tokenOfDevice = Query(
        "SELECT 1 FROM token WHERE digest = ?1 AND device = ?2 AND access = ?3")
    fileprivate static let insertToken = Query("INSERT INTO token (digest, device, access) VALUES (?1, ?2, ?3)")
    fileprivate static let deleteTokens = Query("DELETE FROM token WHERE device = ?1 AND access >= ?2")
    // Without a presented token, the tokens that were replaced earlier are deleted.
    fileprivate static let deleteTokensExcept = Query(
        """
        DELETE FROM token
        WHERE device = ?1 AND access = ?2 AND iif(?3 IS NULL, expires_at IS NOT NULL, digest <> ?3)
        """)
    fileprivate static let endTokens = Query(
        """
        UPDATE token SET expires_at = min(coalesce(expires_at, ?3), ?3) WHERE device = ?1 AND access = ?2
        """)
    static let deleteTokensOfDevice = Query(
        "DELETE FROM token WHERE device = (SELECT id FROM device WHERE uuid = ?1)")
}
