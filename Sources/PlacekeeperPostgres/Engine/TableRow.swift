import PlacekeeperCore
import PlacekeeperService

/// A row that a write adds, changes or drops. In a transaction, all rows of a kind share one statement, even across
/// writes: the server runs one statement with many rows much faster than many statements. The parameters for several
/// rows are arrays with one element for each row. A single row has none, because the server plans a statement with an
/// array anew each time.
struct TableRow: Sendable {
    /// The kinds, in the order in which a transaction applies them. Users come first (`WriteStatements`).
    enum Kind: Int, CaseIterable, Sendable {
        case addUser, changeUser, dropOutcomes, dropServings, dropArchive, addArchive, addServing, setServedLast,
            addChange, dropHead, addHead

        /// The statements for several rows and for one row.
        fileprivate static let statements = allCases.map { kind in
            (many: kind.sql { "unnest(\($0))" }, one: kind.sql { "(VALUES (\($0)))" })
        }
    }

    let kind: Kind
    /// The values of the columns. All rows of a kind have the same number and types of values.
    let values: [Value]

    init(_ kind: Kind, _ values: [Value]) {
        self.kind = kind
        self.values = values
    }

    /// Returns one statement for each kind of row.
    static func statements(for rows: [TableRow]) -> [Statement] {
        var groups = [[TableRow]](repeating: [], count: Kind.allCases.count)
        for row in rows { groups[row.kind.rawValue].append(row) }
        return zip(Kind.allCases, groups).compactMap { kind, rows in
            guard let first = rows.first else { return nil }
            let sql = Kind.statements[kind.rawValue]
            let statement =
                rows.count == 1
                ? Statement(sql.one, first.values)
                : Statement(
                    sql.many,
                    first.values.indices.map { column in
                        Value.array(of: first.values[column].kind, rows.map { $0.values[column] })
                    })
            return kind == .changeUser ? statement.requiring(rows.count) : statement
        }
    }
}

extension TableRow {
    /// A change of a user's row, which requires the version that was read.
    ///
    /// - Parameters:
    ///   - raise: how much to raise the version.
    ///   - values: the other columns, or `nil` to keep them.
    static func user(_ owner: UserKey, version: Int64, raise: Int, _ values: UserValues?) -> TableRow {
        TableRow(
            .changeUser,
            owner.values + [.int(version), .int(raise), .bool(values != nil)] + (values ?? .none).columns)
    }

    static func newUser(_ owner: UserKey, _ values: UserValues) -> TableRow {
        TableRow(.addUser, owner.values + values.columns)
    }

    /// The columns of a user's row that a write sets.
    struct UserValues {
        fileprivate let columns: [Value]

        /// - Parameters:
        ///   - latestTime: the time of the write. The user's latest time never goes back.
        ///   - subject: `nil` to keep the subject.
        ///   - raisesFresh: whether to invalidate cached answers for the user.
        ///   - raisesAccess: whether to invalidate the user's cached principals.
        init(
            revision: Revision, prunedThrough: Revision, latestTime: Timestamp?, createdAt: Timestamp,
            subject: (digest: Digest, sealed: [UInt8])?, usage: Usage, scenes: Int, heldScenes: Int,
            raisesFresh: Bool, raisesAccess: Bool
        ) {
            columns = [
                .revision(revision), .revision(prunedThrough), .time(latestTime), .time(createdAt),
                .digest(subject?.digest), .bytes(subject?.sealed), .int(usage.bytes), .int(usage.archives),
                .int(scenes), .int(heldScenes), .int(raisesFresh ? 1 : 0), .int(raisesAccess ? 1 : 0),
            ]
        }

        /// Unused values.
        fileprivate static let none = UserValues(
            revision: Revision(rawValue: 0), prunedThrough: Revision(rawValue: 0), latestTime: nil,
            createdAt: Timestamp(milliseconds: 0), subject: nil, usage: Usage(), scenes: 0, heldScenes: 0,
            raisesFresh: false, raisesAccess: false)
    }
}

extension TableRow.Kind {
    /// - Parameter rows: the rows of parameters, from the list of parameters.
    private func sql(_ rows: (String) -> String) -> String {
        func new(_ count: Int) -> String { rows((1...count).map { "$\($0)" }.joined(separator: ", ")) }
        switch self {
        case .addUser:
            // Versions start at the current time, so a new user with an erased user's id never repeats the old versions. The
            // lock makes the removal of the app wait, so that it sees the user.
            return """
                WITH new (app, owner, revision, pruned_revision, latest_time, created_at, subject_digest, subject, bytes,
                    archives, scenes, held_scenes, fresh, access) AS (SELECT * FROM \(new(14)) AS new),
                locked AS (SELECT uuid FROM app WHERE uuid IN (SELECT app FROM new) FOR KEY SHARE)
                INSERT INTO users (app, owner, revision, pruned_revision, latest_time, created_at, subject_digest, subject,
                    bytes, archives, scenes, held_scenes, seen_at, fresh_version, access_version, version)
                SELECT app, owner, revision, pruned_revision, latest_time, created_at, subject_digest, subject, bytes,
                    archives, scenes, held_scenes, created_at, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + fresh, access,
                    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
                FROM new LEFT JOIN locked ON locked.uuid = new.app
                RETURNING app, owner
                """
        case .changeUser:
            // Returns the users who exist and have the required versions.
            return """
                UPDATE users SET version = users.version + new.raise,
                    revision = CASE WHEN whole THEN new.revision ELSE users.revision END,
                    pruned_revision = CASE WHEN whole THEN new.pruned_revision ELSE users.pruned_revision END,
                    latest_time = CASE WHEN whole THEN greatest(users.latest_time, new.latest_time)
                        ELSE users.latest_time END,
                    created_at = CASE WHEN whole THEN new.created_at ELSE users.created_at END,
                    subject_digest = coalesce(new.subject_digest, users.subject_digest),
                    subject = coalesce(new.subject, users.subject),
                    bytes = CASE WHEN whole THEN new.bytes ELSE users.bytes END,
                    archives = CASE WHEN whole THEN new.archives ELSE users.archives END,
                    scenes = CASE WHEN whole THEN new.scenes ELSE users.scenes END,
                    held_scenes = CASE WHEN whole THEN new.held_scenes ELSE users.held_scenes END,
                    fresh_version = fresh_version + new.fresh, access_version = access_version + new.access
                FROM \(new(17)) AS new (app, owner, version, raise, whole, revision, pruned_revision,
                    latest_time, created_at, subject_digest, subject, bytes, archives, scenes, held_scenes, fresh, access)
                WHERE users.app = new.app AND users.owner = new.owner AND users.version = new.version
                RETURNING users.app, users.owner
                """
        case .dropOutcomes: return delete(from: "outcome", "archive", new(4))
        case .dropServings: return delete(from: "served", "archive", new(4))
        case .dropArchive: return delete(from: "archive", "uuid", new(4))
        case .addArchive:
            return """
                INSERT INTO archive (app, owner, scene, uuid, device, captured_at, order_revision, sequence, revision,
                    written_at, received_at, idiom, layout, bundle_version, system_version, state_version, digest, size,
                    place, object_count, reference_count, has_outcomes, is_view_only, screenshot_format, screenshot, bytes)
                SELECT * FROM \(new(26)) AS new
                """
        case .addServing:
            return "INSERT INTO served (app, owner, scene, archive, device, at) SELECT * FROM \(new(6)) AS new"
        case .setServedLast:
            return """
                INSERT INTO served_last (app, owner, scene, device, archive) SELECT * FROM \(new(5)) AS new
                ON CONFLICT (app, owner, scene, device) DO UPDATE SET archive = EXCLUDED.archive
                """
        case .addChange:
            return """
                INSERT INTO change (app, owner, revision, kind, scene, archive, device, at) SELECT * FROM \(new(8)) AS new
                """
        case .dropHead:
            return """
                DELETE FROM device_head USING \(new(5)) AS gone (app, owner, period, scene, device)
                WHERE device_head.app = gone.app AND device_head.owner = gone.owner AND device_head.period = gone.period
                    AND device_head.scene = gone.scene AND device_head.device = gone.device
                """
        case .addHead:
            return """
                INSERT INTO device_head (app, owner, period, scene, device) SELECT * FROM \(new(5)) AS new
                ON CONFLICT DO NOTHING
                """
        }
    }

    /// Drops rows of archives.
    ///
    /// - Parameter column: the column with the archive's id.
    private func delete(from table: String, _ column: String, _ rows: String) -> String {
        """
        DELETE FROM \(table) USING \(rows) AS gone (app, owner, scene, id)
        WHERE \(table).app = gone.app AND \(table).owner = gone.owner AND \(table).scene = gone.scene
            AND \(table).\(column) = gone.id
        """
    }
}
