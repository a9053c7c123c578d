extension TransferTable {
    /// All tables. A table comes after the tables that its rows refer to.
    package static let all = [
        store, app, users, appUsage, device, token, installation, linkCode, scene, archive, tombstone, served,
        servedLast,
        outcome, change, registry, item, alias, ambiguousAlias, link, counter, audit, restoreLog, administrator,
        adminSession, apiToken,
    ]

    /// One row: the key for look-ups, and the last positions of the logs, which are never given again.
    package static let store = TransferTable(
        "store", key: 1, [.bytes("lookup_secret"), .int("change_position"), .int("restore_log_position")])
    static let app = TransferTable(
        "app", key: 1,
        [
            .id("uuid"), .text("bundle_identifier"), .text("publishable_key"), .int("created_at"), .anyText("settings"),
            .anyText("data_sources"),
        ])
    package static let users = TransferTable(
        "users", key: 2,
        [
            .id("app"), .id("owner"), .int("revision"), .int("pruned_revision"), .int("latest_time").orNull,
            .int("created_at"), .bytes("subject_digest").orNull, .bytes("subject").orNull, .int("bytes"),
            .int("archives"), .int("first_restore_day").orNull, .int("last_restore_day").orNull,
        ])
    package static let appUsage = TransferTable(
        "app_usage", key: 1, [.id("app"), .int("bytes"), .int("archives"), .int("devices"), .int("users")])
    static let device = TransferTable(
        "device", key: 3,
        [
            .id("app"), .id("owner"), .id("uuid"), .int("idiom"), .anyText("model").orNull, .anyText("name").orNull,
            .anyText("system_version").orNull, .int("created_at"), .int("last_seen_at"), .int("joined_revision"),
        ])
    static let token = TransferTable(
        "token", key: 3,
        [.id("app"), .id("owner"), .bytes("digest"), .id("device"), .int("access"), .int("expires_at").orNull])
    static let installation = TransferTable(
        "installation", key: 3, [.id("app"), .id("owner"), .id("uuid"), .id("device"), .bytes("secret")])
    static let linkCode = TransferTable(
        "link_code", key: 3,
        [.id("app"), .id("owner"), .bytes("digest"), .int("expires_at"), .id("used_by").orNull])
    package static let scene = TransferTable(
        "scene", key: 3,
        [.id("app"), .id("owner"), .text("name"), .int("forgotten_at").orNull, .int("forgotten_revision").orNull])

    /// The stored archives, and the deleted archives whose deletion can be undone. The bytes are those of the upload.
    package static let archive = {
        var table = TransferTable(
            "archive", key: 4,
            ofArchive + [
                .int("deleted_at").orNull, .id("device"), .int("captured_at"), .int("order_revision"), .int("sequence"),
                .int("revision"), .int("written_at"), .int("received_at"),
            ] + context + [
                .bytes("digest"), .int("size"), .anyText("place"), .int("object_count"), .int("reference_count"),
                .bool("has_outcomes"), .bool("is_glance"), .text("snapshot_format").orNull, .bytes("snapshot").orNull,
                .bytes("bytes"),
            ])
        table.columns[3].name = "uuid"
        table.rowsAtOnce = 32
        return table
    }()
    static let tombstone = TransferTable("tombstone", key: 4, ofArchive + [.int("deleted_at")])
    static let served = TransferTable("served", key: 5, ofArchive + [.id("device"), .int("at")])
    static let servedLast = TransferTable(
        "served_last", key: 4, [.id("app"), .id("owner"), .text("scene"), .id("device"), .id("archive")])
    static let outcome = TransferTable(
        "outcome", key: 5,
        ofArchive + [.int("number"), .id("device"), .text("result")] + context + [
            .text("launch").orNull, .anyText("path").orNull, .int("step").orNull, .int("milliseconds").orNull,
            .int("reported_at"),
        ])
    package static let change = TransferTable(
        "change", key: 1,
        [
            .int("position"), .id("app"), .id("owner"), .int("revision"), .text("kind"), .text("scene").orNull,
            .id("archive").orNull, .id("device").orNull, .int("at"),
        ])

    /// The registrations of each user, in the order in which they were made.
    package static let registry = TransferTable(
        "registry", key: nil,
        ofRegistry + [
            .int("cursor"), .bytes("digest"), .int("count"), .int("removed"), .int("ambiguous"), .int("bytes"),
        ])
    /// The items of each registration, in the order in which they were registered.
    package static let item = TransferTable(
        "item", key: nil,
        ofRegistry + [
            .int("key"), .int("position").orNull, .int("changed_at"), .int("since"), .bool("is_reuse"),
            .bytes("aliases"), .int("removed_at").orNull, .int("replaced_by").orNull, .bytes("texts"),
        ])
    /// The aliases of each registration, by alias. Of one alias, removed items come first, and then the older items.
    package static let alias = TransferTable(
        "alias", key: nil, ofRegistry + [.int("alias"), .bool("is_live"), .int("item")])
    package static let ambiguousAlias = TransferTable("ambiguous_alias", key: nil, ofRegistry + [.int("alias")])
    static let link = TransferTable(
        "link", key: 7,
        [
            .id("app"), .id("owner"), .text("data_source"), .id("first_device"), .int("first_key"),
            .id("second_device"),
            .int("second_key"), .text("kind"), .anyText("note"), .int("at"), .bytes("first_texts"),
            .bytes("second_texts"),
        ])
    static let counter = TransferTable(
        "counter", key: 4, [.int("hour"), .bytes("app"), .text("name"), .anyText("label"), .int("count")])
    package static let audit = TransferTable(
        "audit", key: 1,
        [
            .int("number"), .bytes("app"), .int("at"), .anyText("actor"), .text("action"), .bytes("subject").orNull,
            .anyText("detail"),
        ])
    package static let restoreLog = TransferTable(
        "restore_log", key: 1,
        [
            .int("position"), .id("app"), .int("kind"), .id("owner").orNull, .id("device").orNull, .int("at"),
            .bytes("body"),
        ])
    static let administrator = TransferTable(
        "administrator", key: 1,
        [
            .id("uuid"), .anyText("name"), .text("role"), .bytes("salt"), .bytes("key"), .int("created_at"),
            .int("last_seen_at").orNull,
        ])
    static let adminSession = TransferTable(
        "admin_session", key: 1,
        [.bytes("digest"), .id("administrator"), .int("created_at"), .int("last_used_at")])
    static let apiToken = TransferTable(
        "api_token", key: 1,
        [
            .id("uuid"), .bytes("digest"), .anyText("label"), .text("role"), .id("creator").orNull, .int("created_at"),
            .int("expires_at").orNull, .int("last_used_at").orNull,
        ])

    private static let ofArchive: [Column] = [.id("app"), .id("owner"), .text("scene"), .id("archive")]
    private static let ofRegistry: [Column] = [.id("app"), .id("owner"), .text("data_source"), .id("device")]
    private static let context: [Column] = [
        .int("idiom"), .int("layout").orNull, .text("bundle_version").orNull, .text("system_version").orNull,
        .int("state_version").orNull,
    ]
}
