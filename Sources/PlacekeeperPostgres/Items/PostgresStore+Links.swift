package import PlacekeeperCore
import PlacekeeperService

extension PostgresStore {
    package func links(in list: ItemList) async throws(StoreError) -> [Link] {
        try await rows(
            """
            SELECT first_device, first_key, first_texts, second_device, second_key, second_texts, kind, note, at FROM link
            WHERE app = $1 AND owner = $2 AND data_source = $3
            ORDER BY at, first_device, first_key, second_device, second_key
            """, .id(list.owner.app), .id(list.owner.user), .text(list.dataSource)
        ).map { row throws(StoreError) in
            let (first, second) = (try row.end(), try row.end())
            let kind: Link.Kind = try row.word()
            return Link(first, second, kind, note: try row.text(), at: try row.time())
        }
    }

    /// Requires a user's version, and raises the versions for a write at the given time.
    static func recordWrite(to owner: UserKey, version: Int64, at time: Timestamp?, bytes: Int = 0) -> Statement {
        Statement(
            """
            UPDATE users SET version = version + 1, fresh_version = fresh_version + 1,
                latest_time = greatest(latest_time, $4), bytes = bytes + $5
            WHERE app = $1 AND owner = $2 AND version = $3 RETURNING version
            """, owner.values + [.int(version), .time(time), .int(bytes)]
        ).requiring(1)
    }
}

extension Row {
    fileprivate mutating func end() throws(StoreError) -> Link.End {
        Link.End(device: try id(), key: LookupKey(rawValue: try key()), texts: try bytes())
    }
}
