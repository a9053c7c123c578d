import PlacekeeperCore
import PlacekeeperService

extension Schema {
    private typealias Rules = [String: ColumnRule]

    /// The rules for all columns whose values the store checks on reading. References to rows and arbitrary text have
    /// no rule, and neither have `seen_at` and `seen_bytes`, which only sort lists.
    static let rules: [String: [String: ColumnRule]] = [
        "app": ["uuid": .id, "created_at": .number(.time)],
        "user": [
            "app": .id, "uuid": .id, "revision": .number(.revision), "pruned_revision": .number(.revision),
            "latest_time": .number(.time), "created_at": .number(.time), "subject_digest": .digest,
            "bytes": .number(.count), "archives": .number(.count), "first_restore_day": .number(.day),
            "last_restore_day": .number(.day), "version": .number(.version),
        ],
        "app_usage": [
            "app": .id, "bytes": .number(.count), "archives": .number(.count), "devices": .number(.count),
            "users": .number(.count),
        ],
        "device": [
            "uuid": .id, "idiom": .number(.idiom), "created_at": .number(.time), "last_seen_at": .number(.time),
            "joined_revision": .number(.revision), "counts_since": .number(.revision),
            "launch_number": .number(.launchNumber),
        ],
        "token": ["digest": .digest, "access": .number(.access), "expires_at": .number(.time)],
        "installation": ["app": .id, "uuid": .id, "secret": .digest],
        "link_code": ["digest": .digest, "expires_at": .number(.time), "used_by": .id],
        "scene": [
            "forgotten_at": .number(.time), "forgotten_revision": .number(.revision), "removed_at": .number(.time),
        ],
        "archive": archive,
        "deleted_archive": archive.merging(["deleted_at": .number(.time)]) { _, new in new },
        "content": ["encoding": .number(.encoding)],
        "device_head": ["device": .id],
        "screenshot": ["format": .word(Screenshot.Format.self)],
        "tombstone": ["uuid": .id, "deleted_at": .number(.time)],
        "served": ["device": .id, "at": .number(.time)],
        "served_last": ["device": .id],
        "outcome": context.merging([
            "number": .number(.revision), "device": .id, "result": .word(Outcome.Result.self),
            "step": .number(.step), "duration": .number(.duration), "reported_at": .number(.time),
        ]) { _, new in new },
        "change": [
            "revision": .number(.revision), "kind": .word(Change.Kind.self), "archive": .id, "device": .id,
            "at": .number(.time),
        ],
        "registry": [
            "device": .id, "cursor": .number(.revision), "digest": .itemDigest, "count": .number(.count),
            "ambiguous": .number(.count), "removed": .number(.count), "bytes": .number(.count),
        ],
        "item": [
            "changed_at": .number(.time), "removed_at": .number(.time), "since": .number(.time),
            "is_reuse": .number(.flag), "aliases": .keys,
        ],
        "alias": ["live": .number(.flag)],
        "link": [
            "first_device": .id, "second_device": .id, "kind": .word(Link.Kind.self), "at": .number(.time),
        ],
        "counter": ["hour": .number(.hour), "app": .idOrNothing, "count": .number(.count)],
        "audit": ["app": .idOrNothing, "at": .number(.time), "subject": .digest],
        "restore_log": ["app": .id, "kind": .number(.logKind), "device": .id, "at": .number(.time)],
        "administrator": [
            "uuid": .id, "role": .word(Role.self), "created_at": .number(.time), "last_seen_at": .number(.time),
        ],
        "admin_session": ["digest": .digest, "created_at": .number(.time), "last_used_at": .number(.time)],
        "api_token": [
            "uuid": .id, "digest": .digest, "role": .word(Role.self), "created_at": .number(.time),
            "expires_at": .number(.time), "last_used_at": .number(.time),
        ],
        "store": ["last_registry": .number(.revision)],
    ]

    private static let archive = context.merging([
        "uuid": .id, "device": .id, "captured_at": .number(.time), "order_revision": .number(.revision),
        "sequence": .number(.sequence), "revision": .number(.revision), "written_at": .number(.time),
        "received_at": .number(.time), "digest": .digest, "size": .number(.size), "object_count": .number(.count),
        "reference_count": .number(.count), "has_screenshot": .number(.flag), "has_outcomes": .number(.flag),
        "is_servable": .number(.flag), "is_view_only": .number(.flag),
    ]) { _, new in new }

    private static let context: Rules = ["idiom": .number(.idiom), "layout": .number(.layout)]
}
