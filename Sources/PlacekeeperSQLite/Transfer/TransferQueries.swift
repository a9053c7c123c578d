import PlacekeeperCore
import PlacekeeperService

/// The statements that read and write a table in the neutral form.
struct TransferQueries: Sendable {
    /// Rows of another table; `rows` runs once for each. The first column is the parameter of `rows`; the others become
    /// the first columns of each resulting row. `nil` if `rows` runs only once.
    var scope: Query?
    /// The rows, or their remaining columns if there is a scope. A scope is small, so sorting its rows needs little
    /// memory.
    var rows: Query
    var count: Query
    /// The statements that write a row. Their parameters are the columns in order.
    var inserts: [Query]

    init(scope: Query? = nil, _ rows: String, count: String, _ inserts: String...) {
        self.scope = scope
        self.rows = Query(rows)
        self.count = Query("SELECT count(*) FROM " + count)
        self.inserts = inserts.map { Query($0) }
    }

    static let all: [String: TransferQueries] = service.merging(users) { $1 }.merging(scenes) { $1 }
        .merging(registries) { $1 }

    var sql: [String] { ([scope].compactMap(\.self) + [rows, count] + inserts).map(\.sql) }

    /// No app or user has id 0 (`Transaction.nobody`).
    static let isSomebody = "user.app <> zeroblob(16)"
    private static let user = "(SELECT id FROM user WHERE app = ?1 AND uuid = ?2)"

    private static let service: [String: TransferQueries] = [
        "store": TransferQueries(
            """
            SELECT lookup_secret, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'restore_log'), 0) FROM store
            """, count: "store", "UPDATE store SET lookup_secret = ?1",
            "INSERT INTO sqlite_sequence (name, seq) VALUES ('restore_log', ?2)"),
        "app": TransferQueries(
            """
            SELECT uuid, bundle_identifier, publishable_key, created_at, settings, data_sources FROM app ORDER BY uuid
            """, count: "app",
            """
            INSERT INTO app (uuid, bundle_identifier, publishable_key, created_at, settings, data_sources)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """),
        "app_usage": TransferQueries(
            "SELECT app, bytes, archives, devices, users FROM app_usage WHERE app <> zeroblob(16) ORDER BY app",
            count: "app_usage WHERE app <> zeroblob(16)",
            "INSERT INTO app_usage (app, bytes, archives, devices, users) VALUES (?1, ?2, ?3, ?4, ?5)"),
        "counter": TransferQueries(
            "SELECT hour, app, name, label, count FROM counter ORDER BY hour, app, name, label", count: "counter",
            "INSERT INTO counter (hour, app, name, label, count) VALUES (?1, ?2, ?3, ?4, ?5)"),
        "audit": TransferQueries(
            "SELECT id, app, at, actor, action, subject, detail FROM audit ORDER BY id", count: "audit",
            "INSERT INTO audit (id, app, at, actor, action, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
        "restore_log": TransferQueries(
            """
            SELECT restore_log.id, restore_log.app, kind, user.uuid, device, at, body
            FROM restore_log LEFT JOIN user ON user.id = restore_log.user ORDER BY restore_log.id
            """, count: "restore_log",
            """
            INSERT INTO restore_log (id, app, kind, user, device, at, body)
            VALUES (?1, ?2, ?3, (SELECT id FROM user WHERE app = ?2 AND uuid = ?4), ?5, ?6, ?7)
            """),
        "administrator": TransferQueries(
            """
            SELECT uuid, name, role, password_salt, password_key, created_at, last_seen_at, second_factor FROM administrator
            ORDER BY uuid
            """, count: "administrator",
            """
            INSERT INTO administrator
                (uuid, name, role, password_salt, password_key, created_at, last_seen_at, second_factor)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """),
        "admin_session": TransferQueries(
            """
            SELECT digest, administrator.uuid, admin_session.created_at, last_used_at
            FROM admin_session JOIN administrator ON administrator.id = administrator ORDER BY digest
            """, count: "admin_session",
            """
            INSERT INTO admin_session (digest, administrator, created_at, last_used_at)
            VALUES (?1, (SELECT id FROM administrator WHERE uuid = ?2), ?3, ?4)
            """),
        "api_token": TransferQueries(
            """
            SELECT api_token.uuid, digest, label, api_token.role, administrator.uuid, api_token.created_at, expires_at,
                last_used_at
            FROM api_token LEFT JOIN administrator ON administrator.id = administrator ORDER BY api_token.uuid
            """, count: "api_token",
            """
            INSERT INTO api_token (uuid, digest, label, role, administrator, created_at, expires_at, last_used_at)
            VALUES (?1, ?2, ?3, ?4, (SELECT id FROM administrator WHERE uuid = ?5), ?6, ?7, ?8)
            """),
        "change": TransferQueries(
            """
            SELECT row_number() OVER (ORDER BY change.id), user.app, user.uuid, change.revision, kind, scene.name, archive,
                device, at
            FROM change CROSS JOIN user ON user.id = change.user LEFT JOIN scene ON scene.id = change.scene
            WHERE \(isSomebody) ORDER BY change.id
            """,
            count: "change WHERE user NOT IN (SELECT id FROM user WHERE NOT \(isSomebody))",
            """
            INSERT INTO change (id, user, revision, previous, kind, scene, archive, device, at)
            SELECT ?1, user.id, ?4, last_change, ?5,
                (SELECT scene.id FROM scene WHERE scene.user = user.id AND name = ?6), ?7, ?8, ?9
            FROM user WHERE app = ?2 AND uuid = ?3
            """, "UPDATE user SET last_change = ?1 WHERE app = ?2 AND uuid = ?3",
            """
            UPDATE scene SET last_removal = ?1, removed_at = ?9
            WHERE ?5 IN ('\(Change.Kind.archiveDeleted.rawValue)', '\(Change.Kind.sceneForgotten.rawValue)')
                AND user = (SELECT id FROM user WHERE app = ?2 AND uuid = ?3) AND name = ?6
            """),
    ]

    private static let users: [String: TransferQueries] = [
        "users": TransferQueries(
            """
            SELECT app, uuid, revision, pruned_revision, latest_time, created_at, subject_digest, subject, bytes,
                archives, first_restore_day, last_restore_day, seen_at, seen_bytes
            FROM user WHERE \(isSomebody) ORDER BY app, uuid
            """, count: "user WHERE \(isSomebody)",
            """
            INSERT INTO user (app, uuid, revision, pruned_revision, latest_time, created_at, subject_digest, subject,
                bytes, archives, first_restore_day, last_restore_day, seen_at, seen_bytes)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """),
        "device": TransferQueries(
            """
            SELECT user.app, user.uuid, device.uuid, idiom, model, name, system_version, device.created_at, last_seen_at,
                joined_revision, counts_since, launch_number, launch
            FROM user CROSS JOIN device ON device.user = user.id ORDER BY user.app, user.uuid, device.uuid
            """, count: "device",
            """
            INSERT INTO device (uuid, user, idiom, model, name, system_version, created_at, last_seen_at,
                joined_revision, counts_since, launch_number, launch)
            VALUES (?3, \(user), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """),
        "token": TransferQueries(
            """
            SELECT user.app, user.uuid, digest, device.uuid, access, expires_at
            FROM user CROSS JOIN device ON device.user = user.id CROSS JOIN token ON token.device = device.id
            ORDER BY user.app, user.uuid, digest
            """, count: "token",
            """
            INSERT INTO token (digest, device, access, expires_at)
            VALUES (?3, (SELECT id FROM device WHERE uuid = ?4 AND user = \(user)), ?5, ?6)
            """),
        "installation": TransferQueries(
            """
            SELECT installation.app, user.uuid, installation.uuid, device.uuid, secret
            FROM user CROSS JOIN device ON device.user = user.id
                CROSS JOIN installation ON installation.device = device.id
            ORDER BY user.app, user.uuid, installation.uuid
            """, count: "installation",
            """
            INSERT INTO installation (app, uuid, secret, device)
            VALUES (?1, ?3, ?5, (SELECT id FROM device WHERE uuid = ?4 AND user = \(user)))
            """),
        "link_code": TransferQueries(
            """
            SELECT user.app, user.uuid, digest, expires_at, used_by FROM link_code JOIN user ON user.id = link_code.user
            ORDER BY user.app, user.uuid, digest
            """, count: "link_code",
            "INSERT INTO link_code (digest, user, expires_at, used_by) VALUES (?3, \(user), ?4, ?5)"),
        "scene": TransferQueries(
            """
            SELECT user.app, user.uuid, name, forgotten_at, forgotten_revision
            FROM user CROSS JOIN scene ON scene.user = user.id ORDER BY user.app, user.uuid, name
            """, count: "scene",
            """
            INSERT INTO scene (user, name, forgotten_at, forgotten_revision) VALUES (\(user), ?3, ?4, ?5)
            """),
        "link": TransferQueries(
            """
            SELECT user.app, user.uuid, data_source, first_device, first_key, second_device, second_key, kind, note, at,
                first_texts, second_texts
            FROM user CROSS JOIN link ON link.user = user.id
            ORDER BY user.app, user.uuid, data_source, first_device, first_key, second_device, second_key
            """, count: "link",
            """
            INSERT INTO link (user, data_source, first_device, first_key, second_device, second_key, kind, note, at,
                first_texts, second_texts)
            VALUES (\(user), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """),
        "registry": TransferQueries(
            """
            SELECT user.app, user.uuid, data_source, device, cursor, digest, count, removed, ambiguous, registry.bytes
            FROM user CROSS JOIN registry ON registry.user = user.id ORDER BY user.app, user.uuid, registry.id
            """, count: "registry WHERE user IS NOT NULL",
            """
            INSERT INTO registry (user, data_source, device, cursor, digest, count, removed, ambiguous, bytes)
            VALUES (\(user), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """),
    ]
}
