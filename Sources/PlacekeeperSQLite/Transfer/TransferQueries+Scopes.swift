extension TransferQueries {
    private static let eachScene = Query(
        """
        SELECT scene.id, user.app, user.uuid, scene.name FROM user CROSS JOIN scene ON scene.user = user.id
        ORDER BY user.app, user.uuid, scene.name
        """)
    private static let eachRegistry = Query(
        """
        SELECT registry.id, user.app, user.uuid, data_source, device
        FROM user CROSS JOIN registry ON registry.user = user.id ORDER BY user.app, user.uuid, registry.id
        """)

    private static let archiveColumns = """
        uuid, content, device, captured_at, order_revision, sequence, revision, written_at, received_at, idiom, layout,
        bundle_version, system_version, state_version, digest, size, place, object_count, reference_count, has_outcomes,
        is_view_only
        """
    /// The archives of the scene ?1. Without the limit, SQLite would include the archives' bytes when it sorts.
    private static let archives = """
        (SELECT \(archiveColumns), NULL AS deleted_at FROM archive WHERE scene = ?1
            UNION ALL SELECT \(archiveColumns), deleted_at FROM deleted_archive WHERE scene = ?1
            ORDER BY uuid LIMIT -1) AS archive
        """
    private static let scene = """
        (SELECT scene.id FROM user CROSS JOIN scene ON scene.user = user.id
            WHERE user.app = ?1 AND user.uuid = ?2 AND scene.name = ?3)
        """
    /// Selects the `content` of the scene's archive whose id is the parameter `archive`, such as `?4`.
    private static func content(of archive: String) -> String {
        """
        (SELECT content FROM archive WHERE scene = \(scene) AND uuid = \(archive)
            UNION ALL SELECT content FROM deleted_archive WHERE scene = \(scene) AND uuid = \(archive)) AS found
        """
    }

    static let scenes: [String: TransferQueries] = [
        // The last two columns hold the archive's bytes. They come from `content`.
        "archive": TransferQueries(
            scope: eachScene,
            """
            SELECT archive.uuid, deleted_at, device, captured_at, order_revision, coalesce(sequence, -1), revision,
                written_at, received_at, idiom, layout, bundle_version, system_version, state_version, digest,
                archive.size, place, object_count, reference_count, has_outcomes, is_view_only, screenshot.format,
                screenshot.bytes, encoding, content.bytes
            FROM \(archives) CROSS JOIN content ON content.id = archive.content
                LEFT JOIN screenshot ON screenshot.content = archive.content
            """, count: "(SELECT 1 FROM archive UNION ALL SELECT 1 FROM deleted_archive)"),
        "tombstone": TransferQueries(
            scope: eachScene, "SELECT uuid, deleted_at FROM tombstone WHERE scene = ?1 ORDER BY uuid",
            count: "tombstone", "INSERT INTO tombstone (scene, uuid, deleted_at) VALUES (\(scene), ?4, ?5)"),
        "served": TransferQueries(
            scope: eachScene,
            """
            SELECT archive.uuid, served.device, at
            FROM \(archives) CROSS JOIN served ON served.content = archive.content ORDER BY archive.uuid, served.device
            """, count: "served",
            "INSERT INTO served (content, device, at) SELECT content, ?5, ?6 FROM \(content(of: "?4"))"),
        "served_last": TransferQueries(
            scope: eachScene,
            """
            SELECT served_last.device, archive.uuid
            FROM served_last CROSS JOIN \(archives) ON archive.content = served_last.content
            WHERE served_last.scene = ?1 ORDER BY served_last.device
            """, count: "served_last",
            """
            INSERT INTO served_last (scene, device, content) SELECT \(scene), ?4, content FROM \(content(of: "?5"))
            """),
        "outcome": TransferQueries(
            scope: eachScene,
            """
            SELECT archive.uuid, number, outcome.device, result, outcome.idiom, outcome.layout, outcome.bundle_version,
                outcome.system_version, outcome.state_version, launch, path, step, duration, reported_at
            FROM \(archives) CROSS JOIN outcome ON outcome.content = archive.content ORDER BY archive.uuid, number
            """, count: "outcome",
            """
            INSERT INTO outcome (content, number, device, result, idiom, layout, bundle_version, system_version,
                state_version, launch, path, step, duration, reported_at)
            SELECT content, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17 FROM \(content(of: "?4"))
            """),
    ]

    private static let archiveValues = """
        scene, uuid, device, captured_at, order_revision, sequence, revision, written_at, received_at, idiom, layout,
        bundle_version, system_version, state_version, digest, size, place, object_count, reference_count, has_outcomes,
        is_view_only, content, has_screenshot
        """
    private static let archiveParameters = """
        \(scene), ?4, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26
        """
    /// ?25 is the row id of the bytes; ?26 is 1 if the archive has a screenshot.
    static let insertArchive = Query("INSERT INTO archive (\(archiveValues)) VALUES (\(archiveParameters))")
    static let insertDeletedArchive = Query(
        """
        INSERT INTO deleted_archive (\(archiveValues), deleted_at, is_servable) VALUES (\(archiveParameters), ?5, 1)
        """)

    private static let ofRegistry = """
        FROM user CROSS JOIN registry ON registry.user = user.id
        """
    private static let isRegistry = """
        user.app = ?1 AND user.uuid = ?2 AND registry.data_source = ?3 AND registry.device = ?4
        """

    /// Registrations without a user are about to be deleted, so their items are skipped.
    static let registries: [String: TransferQueries] = [
        "item": TransferQueries(
            scope: eachRegistry,
            """
            SELECT item.key, position, changed_at, coalesce(since, changed_at), is_reuse, coalesce(aliases, x''),
                removed_at, replaced_by, texts
            FROM (SELECT * FROM item WHERE registry = ?1 ORDER BY number LIMIT -1) AS item
                CROSS JOIN item_text ON item_text.number = item.number
            """, count: "registry CROSS JOIN item ON item.registry = registry.id WHERE user IS NOT NULL",
            "INSERT INTO item_text (key, texts) VALUES (?5, ?13)",
            """
            INSERT INTO item (registry, key, number, position, changed_at, since, is_reuse, aliases, removed_at,
                replaced_by)
            SELECT registry.id, ?5, last_insert_rowid(), ?6, ?7, nullif(?8, ?7), ?9, nullif(?10, x''), ?11, ?12
            \(ofRegistry) WHERE \(isRegistry)
            """),
        "alias": TransferQueries(
            scope: eachRegistry,
            """
            SELECT alias.key, live, item_text.key FROM alias CROSS JOIN item_text ON item_text.number = alias.item
            WHERE registry = ?1 ORDER BY alias.key, live, item
            """, count: "registry CROSS JOIN alias ON alias.registry = registry.id WHERE user IS NOT NULL",
            """
            INSERT INTO alias (registry, key, live, item) SELECT registry.id, ?5, ?6, item.number
            \(ofRegistry) CROSS JOIN item ON item.registry = registry.id AND item.key = ?7 WHERE \(isRegistry)
            """),
        "ambiguous_alias": TransferQueries(
            scope: eachRegistry, "SELECT key FROM ambiguous_alias WHERE registry = ?1 ORDER BY key",
            count:
                "registry CROSS JOIN ambiguous_alias ON ambiguous_alias.registry = registry.id WHERE user IS NOT NULL",
            "INSERT INTO ambiguous_alias (registry, key) SELECT registry.id, ?5 \(ofRegistry) WHERE \(isRegistry)"),
    ]
}
