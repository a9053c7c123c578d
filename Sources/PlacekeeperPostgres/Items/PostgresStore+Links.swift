package import PlacekeeperService

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

    package func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Committed<Bool> {
        let ends = [link.first, link.second].flatMap { [Value.id($0.device), .int($0.key.rawValue)] }
        let values = list.owner.values + [.text(list.dataSource)]
        return try await writeLinks(of: list.owner, at: link.decidedAt) {
            Statement(
                """
                SELECT count(*) FROM link WHERE app = $1 AND owner = $2 AND data_source = $3
                    AND (first_device, first_key, second_device, second_key) <> ($4, $5, $6, $7)
                """, values + ends)
        } isChange: { others in
            others < Limits.links
        } by: {
            Statement(
                """
                INSERT INTO link (app, owner, data_source, first_device, first_key, second_device, second_key, kind, note,
                    at, first_texts, second_texts)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                ON CONFLICT (app, owner, data_source, first_device, first_key, second_device, second_key)
                DO UPDATE SET kind = $8, note = $9, at = $10, first_texts = $11, second_texts = $12
                """,
                values + ends + [
                    .text(link.kind.rawValue), .anyText(link.note), .time(link.decidedAt), .bytes(link.first.texts),
                    .bytes(link.second.texts),
                ])
        }
    }

    package func undecide(
        _ first: Link.End, _ second: Link.End, in list: ItemList
    ) async throws(StoreError) -> Committed<Bool> {
        let link = Link(first, second, .same, note: "", at: Timestamp(milliseconds: 0))
        let ends = [link.first, link.second].flatMap { [Value.id($0.device), .int($0.key.rawValue)] }
        let values = list.owner.values + [.text(list.dataSource)] + ends
        let condition = """
            WHERE app = $1 AND owner = $2 AND data_source = $3
                AND (first_device, first_key, second_device, second_key) = ($4, $5, $6, $7)
            """
        return try await writeLinks(of: list.owner, at: nil) {
            Statement("SELECT count(*) FROM link \(condition)", values)
        } isChange: { found in
            found > 0
        } by: {
            Statement("DELETE FROM link \(condition)", values)
        }
    }

    /// Counts decisions, and writes if the count allows it. Throws `userGone` if a decision is for a user that does not
    /// exist.
    private func writeLinks(
        of owner: UserKey, at time: Timestamp?, counted: () -> Statement, isChange: (Int64) -> Bool,
        by change: () -> Statement
    ) async throws(StoreError) -> Committed<Bool> {
        try await retrying { attempt throws(Failure) in
            let select = Statement("SELECT version FROM users WHERE app = $1 AND owner = $2", owner.values)
            let results = try await pool.read([select, counted()])
            let (version, count): (Int64?, Int64)
            do throws(StoreError) {
                version = try results[0].first { row throws(StoreError) in try row.key() }
                count = try results[1].first { row throws(StoreError) in try row.key() } ?? 0
            } catch {
                throw .store(error)
            }
            guard let version else {
                if time != nil { throw .store(.userGone) }
                return Committed(false, .none)
            }
            guard isChange(count) else {
                try await commit(WriteStatements.confirmation(of: owner, version: version), until: attempt.end)
                return Committed(false, .none)
            }
            try await commit([Self.noteWrite(to: owner, version: version, at: time), change()], until: attempt.end)
            return Committed(true, .write(to: owner))
        }
    }

    /// Requires the version of a user, and raises the versions for a write at a time.
    static func noteWrite(to owner: UserKey, version: Int64, at time: Timestamp?, bytes: Int = 0) -> Statement {
        Statement(
            """
            WITH written AS (
                UPDATE users SET version = version + 1, fresh_version = fresh_version + 1,
                    latest_time = greatest(latest_time, $4), bytes = bytes + $5
                WHERE app = $1 AND owner = $2 AND version = $3 RETURNING 1)
            SELECT 1 / count(*) FROM written
            """, owner.values + [.int(version), .time(time), .int(bytes)])
    }
}

extension Row {
    fileprivate mutating func end() throws(StoreError) -> Link.End {
        Link.End(device: try id(), key: LookupKey(rawValue: try key()), texts: try bytes())
    }
}
