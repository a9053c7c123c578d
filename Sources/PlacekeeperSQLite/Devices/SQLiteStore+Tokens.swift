package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>? {
        try readers.read { connection throws(StoreError) in
            try versions.fresh(ownedBy: \.device.owner) { () throws(StoreError) in
                let select = try connection.statement(.credential, token)
                return try select.step() ? try select.credential() : nil
            }
        }
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
}
