import PlacekeeperCore
import PlacekeeperService

/// A row that a write adds, changes or drops. In a transaction, all rows of a kind share one statement, even across
/// writes; its parameters are arrays with one element for each row. The server runs one statement with many rows much
/// faster than many statements.
struct TableRow: Sendable {
    /// The kinds, in the order in which a transaction applies them. Users come first (`WriteStatements`).
    enum Kind: Int, CaseIterable, Sendable {
        case addUser, changeUser, dropOutcomes, dropServings, dropArchive, addArchive, addServing, setServedLast,
            addChange, dropHead, addHead

        fileprivate var sql: String {
            switch self {
            case .addUser: Self.insertUsers
            case .changeUser: Self.updateUsers
            case .dropOutcomes: Self.delete(from: "outcome", "archive")
            case .dropServings: Self.delete(from: "served", "archive")
            case .dropArchive: Self.delete(from: "archive", "uuid")
            case .addArchive: Self.insertArchives
            case .addServing: Self.insertServings
            case .setServedLast: Self.upsertServedLast
            case .addChange: Self.insertChanges
            case .dropHead: Self.deleteHeads
            case .addHead: Self.insertHeads
            }
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
            return Statement(
                kind.sql,
                first.values.indices.map { column in
                    Value.array(of: first.values[column].kind, rows.map { $0.values[column] })
                })
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
    /// The list of parameters from $1 to the last.
    private static func parameters(_ count: Int) -> String { (1...count).map { "$\($0)" }.joined(separator: ", ") }

    /// Versions start at the current time, so a new user with an erased user's id never repeats the old versions.
    fileprivate static let insertUsers = """
        INSERT INTO users (app, owner, revision, pruned_revision, latest_time, created_at, subject_digest, subject, bytes,
            archives, scenes, held_scenes, fresh_version, access_version, version)
        SELECT app, owner, revision, pruned_revision, latest_time, created_at, subject_digest, subject, bytes, archives,
            scenes, held_scenes, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + fresh, access,
            (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        FROM unnest(\(parameters(14))) AS new (app, owner, revision, pruned_revision, latest_time, created_at,
            subject_digest, subject, bytes, archives, scenes, held_scenes, fresh, access)
        """
    /// If a user has another version or doesn't exist, a division by zero rolls the transaction back.
    fileprivate static let updateUsers = """
        WITH written AS (
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
            FROM unnest(\(parameters(17))) AS new (app, owner, version, raise, whole, revision, pruned_revision,
                latest_time, created_at, subject_digest, subject, bytes, archives, scenes, held_scenes, fresh, access)
            WHERE users.app = new.app AND users.owner = new.owner AND users.version = new.version RETURNING 1)
        SELECT 1 / (count(*) / cardinality($1)) FROM written
        """
    fileprivate static let insertArchives = """
        INSERT INTO archive (app, owner, scene, uuid, device, captured_at, order_revision, sequence, revision, written_at,
            received_at, idiom, layout, bundle_version, system_version, state_version, digest, size, place, object_count,
            reference_count, has_outcomes, is_view_only, screenshot_format, screenshot, bytes)
        SELECT * FROM unnest(\(parameters(26)))
        """
    fileprivate static let insertServings = """
        INSERT INTO served (app, owner, scene, archive, device, at) SELECT * FROM unnest(\(parameters(6)))
        """
    fileprivate static let upsertServedLast = """
        INSERT INTO served_last (app, owner, scene, device, archive) SELECT * FROM unnest(\(parameters(5)))
        ON CONFLICT (app, owner, scene, device) DO UPDATE SET archive = EXCLUDED.archive
        """
    fileprivate static let insertChanges = """
        INSERT INTO change (app, owner, revision, kind, scene, archive, device, at)
        SELECT * FROM unnest(\(parameters(8)))
        """
    fileprivate static let deleteHeads = """
        DELETE FROM device_head USING unnest(\(parameters(5))) AS gone (app, owner, period, scene, device)
        WHERE device_head.app = gone.app AND device_head.owner = gone.owner AND device_head.period = gone.period
            AND device_head.scene = gone.scene AND device_head.device = gone.device
        """
    fileprivate static let insertHeads = """
        INSERT INTO device_head (app, owner, period, scene, device) SELECT * FROM unnest(\(parameters(5)))
        ON CONFLICT DO NOTHING
        """
    /// Drops rows of archives.
    ///
    /// - Parameter column: the column with the archive's id.
    fileprivate static func delete(from table: String, _ column: String) -> String {
        """
        DELETE FROM \(table) USING unnest($1, $2, $3, $4) AS gone (app, owner, scene, id)
        WHERE \(table).app = gone.app AND \(table).owner = gone.owner AND \(table).scene = gone.scene
            AND \(table).\(column) = gone.id
        """
    }
}
