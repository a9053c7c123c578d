import PlacekeeperCore

extension TransferTable {
    /// All tables. Each comes after the tables that its rows refer to.
    package static let all = [
        store, app, users, appUsage, device, token, installation, linkCode, scene, archive, tombstone, served,
        servedLast,
        outcome, change, registry, item, alias, ambiguousAlias, link, counter, audit, restoreLog, administrator,
        adminSession, apiToken,
    ]

    /// One row: the key for lookups and the last position in the restore log. Positions are never reused.
    package static let store = TransferTable(
        "store", key: 1,
        [.bytes("lookup_secret"), .int("restore_log_position", .revision)])
    static let app = TransferTable(
        "app", key: 1,
        [
            .id("uuid"), .text("bundle_identifier"), .text("publishable_key"), .int("created_at", .time),
            .anyText("settings"),
            .anyText("data_sources"),
        ])
    package static let users = TransferTable(
        "users", key: 2,
        [
            .id("app"), .id("owner"), .int("revision", .revision), .int("pruned_revision", .revision),
            .int("latest_time", .time).orNull,
            .int("created_at", .time), .digest("subject_digest").orNull, .bytes("subject").orNull,
            .int("bytes", .count),
            .int("archives", .count), .int("first_restore_day", .day).orNull, .int("last_restore_day", .day).orNull,
            .int("seen_at", .any), .int("seen_bytes", .any),
        ])
    package static let appUsage = TransferTable(
        "app_usage", key: 1,
        [.id("app"), .int("bytes", .count), .int("archives", .count), .int("devices", .count), .int("users", .count)])
    static let device = TransferTable(
        "device", key: 3,
        [
            .id("app"), .id("owner"), .id("uuid"), .int("idiom", .idiom), .anyText("model").orNull,
            .anyText("name").orNull,
            .anyText("system_version").orNull, .int("created_at", .time), .int("last_seen_at", .time),
            .int("joined_revision", .revision), .int("counts_since", .revision),
            .int("launch_number", .launchNumber).orNull, .text("launch").orNull,
        ])
    static let token = TransferTable(
        "token", key: 3,
        [
            .id("app"), .id("owner"), .digest("digest"), .id("device"), .int("access", .access),
            .int("expires_at", .time).orNull,
        ])
    static let installation = TransferTable(
        "installation", key: 3, [.id("app"), .id("owner"), .id("uuid"), .id("device"), .digest("secret")])
    static let linkCode = TransferTable(
        "link_code", key: 3,
        [.id("app"), .id("owner"), .digest("digest"), .int("expires_at", .time), .id("used_by").orNull])
    package static let scene = TransferTable(
        "scene", key: 3,
        [
            .id("app"), .id("owner"), .text("name"), .int("forgotten_at", .time).orNull,
            .int("forgotten_revision", .revision).orNull,
        ])

    /// The stored archives, and the deleted ones that can be undeleted. The bytes are those of the upload.
    package static let archive = {
        var table = TransferTable(
            "archive", key: 4,
            ofArchive + [
                .int("deleted_at", .time).orNull, .id("device"), .int("captured_at", .time),
                .int("order_revision", .revision), .int("sequence", .sequence),
                .int("revision", .revision), .int("written_at", .time), .int("received_at", .time),
            ] + context + [
                .digest("digest"), .int("size", .size), .anyText("place"), .int("object_count", .count),
                .int("reference_count", .count),
                .bool("has_outcomes"), .bool("is_view_only"), .word("screenshot_format", Screenshot.Format.self).orNull,
                .bytes("screenshot").orNull,
                .bytes("bytes"),
            ])
        table.columns[3].name = "uuid"
        table.rowsAtOnce = 32
        return table
    }()
    static let tombstone = TransferTable("tombstone", key: 4, ofArchive + [.int("deleted_at", .time)])
    static let served = TransferTable("served", key: 5, ofArchive + [.id("device"), .int("at", .time)])
    static let servedLast = TransferTable(
        "served_last", key: 4, [.id("app"), .id("owner"), .text("scene"), .id("device"), .id("archive")])
    static let outcome = TransferTable(
        "outcome", key: 5,
        ofArchive + [.int("number", .revision), .id("device"), .word("result", Outcome.Result.self)] + context + [
            .text("launch").orNull, .anyText("path").orNull, .int("step", .step).orNull,
            .int("milliseconds", .duration).orNull,
            .int("reported_at", .time),
        ])
    /// The changes, numbered from 1 in the order in which they were made.
    package static let change = TransferTable(
        "change", key: 1,
        [
            .int("number", .revision), .id("app"), .id("owner"), .int("revision", .revision),
            .word("kind", Change.Kind.self), .text("scene").orNull,
            .id("archive").orNull, .id("device").orNull, .int("at", .time),
        ])

    /// Each user's registrations, in the order of creation.
    package static let registry = TransferTable(
        "registry", key: nil,
        ofRegistry + [
            .int("cursor", .revision), .digest("digest", 16), .int("count", .count), .int("removed", .count),
            .int("ambiguous", .count), .int("bytes", .count),
        ])
    /// Each registration's items, in the order of registration.
    package static let item = TransferTable(
        "item", key: nil,
        ofRegistry + [
            .int("key", .any), .int("position", .any).orNull, .int("changed_at", .time), .int("since", .time),
            .bool("is_reuse"),
            .bytes("aliases"), .int("removed_at", .time).orNull, .int("replaced_by", .any).orNull, .bytes("texts"),
        ])
    /// Each registration's aliases, sorted by alias. Among items with the same alias, removed items come first. Among
    /// these, and among live items, older items come first.
    package static let alias = TransferTable(
        "alias", key: nil, ofRegistry + [.int("alias", .any), .bool("is_live"), .int("item", .any)])
    package static let ambiguousAlias = TransferTable("ambiguous_alias", key: nil, ofRegistry + [.int("alias", .any)])
    static let link = TransferTable(
        "link", key: 7,
        [
            .id("app"), .id("owner"), .text("data_source"), .id("first_device"), .int("first_key", .any),
            .id("second_device"),
            .int("second_key", .any), .word("kind", Link.Kind.self), .anyText("note"), .int("at", .time),
            .bytes("first_texts"),
            .bytes("second_texts"),
        ])
    static let counter = TransferTable(
        "counter", key: 4,
        [.int("hour", .hour), .bytes("app"), .text("name"), .anyText("label"), .int("count", .count)])
    package static let audit = TransferTable(
        "audit", key: 1,
        [
            .int("number", .revision), .bytes("app"), .int("at", .time), .anyText("actor"), .text("action"),
            .digest("subject").orNull,
            .anyText("detail"),
        ])
    package static let restoreLog = TransferTable(
        "restore_log", key: 1,
        [
            .int("position", .revision), .id("app"), .int("kind", .logKind), .id("owner").orNull, .id("device").orNull,
            .int("at", .time),
            .bytes("body"),
        ])
    static let administrator = TransferTable(
        "administrator", key: 1,
        [
            .id("uuid"), .anyText("name"), .word("role", Role.self), .bytes("salt"), .bytes("key"),
            .int("created_at", .time),
            .int("last_seen_at", .time).orNull, .bytes("second_factor").orNull,
        ])
    static let adminSession = TransferTable(
        "admin_session", key: 1,
        [.digest("digest"), .id("administrator"), .int("created_at", .time), .int("last_used_at", .time)])
    static let apiToken = TransferTable(
        "api_token", key: 1,
        [
            .id("uuid"), .digest("digest"), .anyText("label"), .word("role", Role.self), .id("creator").orNull,
            .int("created_at", .time),
            .int("expires_at", .time).orNull, .int("last_used_at", .time).orNull,
        ])

    private static let ofArchive: [Column] = [.id("app"), .id("owner"), .text("scene"), .id("archive")]
    private static let ofRegistry: [Column] = [.id("app"), .id("owner"), .text("data_source"), .id("device")]
    private static let context: [Column] = [
        .int("idiom", .idiom), .int("layout", .layout).orNull, .text("bundle_version").orNull,
        .text("system_version").orNull,
        .int("state_version", .any).orNull,
    ]
}
