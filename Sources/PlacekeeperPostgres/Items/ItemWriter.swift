import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// Creates the statements that write the items of one registration.
struct ItemWriter {
    struct Change {
        /// The stored item, or `nil` for a new item.
        var before: StoredItem?
        var item: StoredItem
        var removedAt: Timestamp?
        /// The new texts, or `nil` to keep the stored ones.
        var texts: [UInt8]?
        var changesAliases: Bool
    }

    let owner: UserKey
    let registry: Int64
    let lastOrdinal: Int64

    private func values(_ values: Value...) -> [Value] { owner.values + [.int(registry)] + values }

    func insertion(_ dataSource: String, _ device: DeviceID) -> Statement {
        Statement(
            """
            INSERT INTO registry (app, owner, number, data_source, device, cursor, digest, count, removed, ambiguous, bytes,
                last_ordinal)
            VALUES ($1, $2, $3, $4, $5, 0, $6, 0, 0, 0, 0, 0)
            """, values(.text(dataSource), .id(device), .digest(ItemDigest())))
    }

    /// Writes items, their aliases, and which aliases are ambiguous. New items get the next ordinals in order.
    func write(_ changes: [Change]) -> [Statement] {
        var changes = changes
        var ordinal = lastOrdinal
        for index in changes.indices where changes[index].before == nil {
            ordinal += 1
            changes[index].item.ordinal = ordinal
        }
        var statements: [Statement] = []
        let new = changes.filter { $0.before == nil }
        if !new.isEmpty { statements.append(insert(new)) }
        let old = changes.filter { $0.before != nil }
        if !old.isEmpty { statements.append(update(old)) }
        return statements + aliases(changes.filter(\.changesAliases))
    }

    private static let columns = """
        unnest($4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            AS new (key, ordinal, position, changed_at, since, is_reuse, aliases, removed_at, replaced_by, texts)
        """

    private func columns(_ changes: [Change]) -> [Value] {
        values(
            .ints(changes.map(\.item.key.rawValue)), .ints(changes.map(\.item.ordinal)),
            .ints(changes.map(\.item.position)),
            .ints(changes.map(\.item.changedAt.milliseconds)), .ints(changes.map(\.item.since.milliseconds)),
            .bools(changes.map(\.item.isReuse)), .byteArrays(changes.map { bytes(of: $0.item.aliases) }),
            .ints(changes.map { $0.removedAt?.milliseconds }), .ints(changes.map { $0.item.successor?.rawValue }),
            .byteArrays(changes.map(\.texts)))
    }

    private func bytes(of keys: [LookupKey]) -> [UInt8] {
        keys.flatMap { key in withUnsafeBytes(of: key.rawValue.bigEndian, Array.init) }
    }

    private func insert(_ changes: [Change]) -> Statement {
        Statement(
            """
            INSERT INTO item (app, owner, registry, key, ordinal, position, changed_at, since, is_reuse, aliases,
                removed_at, replaced_by, texts)
            SELECT $1, $2, $3, key, ordinal, position, changed_at, since, is_reuse, aliases, removed_at, replaced_by,
                coalesce(texts, ''::bytea)
            FROM \(Self.columns)
            """, columns(changes))
    }

    private func update(_ changes: [Change]) -> Statement {
        Statement(
            """
            UPDATE item SET position = new.position, changed_at = new.changed_at, since = new.since,
                is_reuse = new.is_reuse, aliases = new.aliases, removed_at = new.removed_at,
                replaced_by = new.replaced_by, texts = coalesce(new.texts, item.texts)
            FROM \(Self.columns)
            WHERE item.app = $1 AND item.owner = $2 AND item.registry = $3 AND item.key = new.key
            """, columns(changes))
    }

    private func aliases(_ changes: [Change]) -> [Statement] {
        let old = changes.compactMap(\.before)
        let touched = Set(old.flatMap(\.aliases) + changes.flatMap(\.item.aliases))
        guard !touched.isEmpty else { return [] }
        let touchedKeys = Value.ints(touched.map(\.rawValue))
        var statements: [Statement] = []
        if !old.isEmpty {
            statements.append(
                Statement(
                    """
                    DELETE FROM alias WHERE app = $1 AND owner = $2 AND registry = $3 AND alias = ANY($4)
                        AND ordinal = ANY($5)
                    """, values(.ints(Set(old.flatMap(\.aliases)).map(\.rawValue)), .ints(old.map(\.ordinal)))))
        }
        let new = changes.flatMap { change in Set(change.item.aliases).map { (alias: $0, item: change.item) } }
        statements.append(
            Statement(
                """
                INSERT INTO alias (app, owner, registry, alias, is_live, ordinal, item)
                SELECT $1, $2, $3, alias, is_live, ordinal, item
                FROM unnest($4, $5, $6, $7) AS new (alias, is_live, ordinal, item)
                """,
                values(
                    .ints(new.map(\.alias.rawValue)), .bools(new.map(\.item.isLive)), .ints(new.map(\.item.ordinal)),
                    .ints(new.map(\.item.key.rawValue)))))
        return statements + ambiguity(touchedKeys)
    }

    /// Writes which of the given aliases are ambiguous.
    private func ambiguity(_ aliases: Value) -> [Statement] {
        [
            Statement(
                "DELETE FROM ambiguous_alias WHERE app = $1 AND owner = $2 AND registry = $3 AND alias = ANY($4)",
                values(aliases)),
            Statement(
                """
                INSERT INTO ambiguous_alias (app, owner, registry, alias)
                SELECT $1, $2, $3, alias FROM alias
                WHERE app = $1 AND owner = $2 AND registry = $3 AND alias = ANY($4) AND is_live
                GROUP BY alias HAVING count(*) > 1
                """, values(aliases)),
        ]
    }

    /// Deletes removed items and their aliases.
    func forget(_ keys: [LookupKey], aliases: Set<LookupKey>) -> [Statement] {
        guard !keys.isEmpty else { return [] }
        let items = Value.ints(keys.map(\.rawValue))
        return [
            Statement(
                """
                DELETE FROM alias WHERE app = $1 AND owner = $2 AND registry = $3 AND alias = ANY($4) AND item = ANY($5)
                """, values(.ints(aliases.map(\.rawValue)), items)),
            Statement(
                "DELETE FROM item WHERE app = $1 AND owner = $2 AND registry = $3 AND key = ANY($4)", values(items)),
        ]
    }

    /// Writes the state of the registration.
    func update(_ state: RegistrationState, removed: Int, bytes: Int, new: Int) -> Statement {
        Statement(
            """
            UPDATE registry SET cursor = $4, digest = $5, count = $6, removed = $7, bytes = bytes + $8,
                last_ordinal = last_ordinal + $9,
                ambiguous = (
                    SELECT count(*) FROM ambiguous_alias WHERE app = $1 AND owner = $2 AND ambiguous_alias.registry = $3)
            WHERE app = $1 AND owner = $2 AND number = $3
            """,
            values(.int(state.cursor), .digest(state.digest), .int(state.count), .int(removed), .int(bytes), .int(new)))
    }
}
