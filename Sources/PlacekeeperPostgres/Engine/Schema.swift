import PlacekeeperCore

/// The tables. Their primary keys begin with the app and the user, so each user's data is stored together, and a
/// distributed engine may put users on different machines. There are no triggers, sequences, enumerated types or
/// extensions (docs/decisions/0083-postgresql.md).
///
/// Times are milliseconds since 1970. Arbitrary text is stored as `bytea` in UTF-8, because the type `text` can't
/// contain the character 0.
enum Schema {
    /// The schema version of 0.1.0. Earlier versions belong to builds before the first release.
    static let oldest: Int64 = 3

    /// The tables of 0.1.0, then the statements that raise the version by one each. Never edit a released step.
    ///
    /// A step that earlier programs don't support raises `usable_from`. Put new indexes first: while they are built,
    /// only writes wait. Dropping an index also blocks reads until the migration ends.
    static let steps = [store + users + archives + items + logs, next, transactions]

    /// The changes since 0.1.0. The next release makes them final.
    private static let next = [
        // The user's revision when the device last registered again or was imported, or when it moved after that.
        // Otherwise 0. Only sequences of captures with later revisions are compared.
        "ALTER TABLE device ADD COLUMN counts_since bigint NOT NULL DEFAULT 0",
        // The last launch of the device's app. NULL if the device doesn't count its launches.
        "ALTER TABLE device ADD COLUMN launch_number bigint, ADD COLUMN launch text COLLATE \"C\"",
        "ALTER TABLE archive RENAME COLUMN is_glance TO is_view_only",
        "ALTER TABLE archive RENAME COLUMN snapshot_format TO screenshot_format",
        "ALTER TABLE archive RENAME COLUMN snapshot TO screenshot",
        """
        UPDATE app SET
            settings = convert_to(
                replace(convert_from(settings, 'UTF8'), '"allowsSnapshots":', '"allowsScreenshots":'), 'UTF8'),
            data_sources = convert_to(replace(replace(
                convert_from(data_sources, 'UTF8'), '"selectsNeighbours":true', '"selectsNeighbors":true'),
                '"selectsNeighbours":false', '"selectsNeighbors":false'), 'UTF8')
        """,
        // For each device and scene with archives, the period of the newest capture (`HeadChange`), so a page of heads
        // reads only its own archives.
        """
        CREATE TABLE device_head (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            period bigint NOT NULL,
            scene text COLLATE "C" NOT NULL,
            device uuid NOT NULL,
            PRIMARY KEY (app, owner, period, scene, device)
        )
        """,
        "\(indexHeads) \(ofEachHead)",
        // 0.1.0 took canonically equivalent identifiers for one identifier. A registration that names an identifier
        // outside Unicode normalization form C may lack items, and its keys are those of other identifiers. The device
        // registers its list again.
        """
        WITH former AS MATERIALIZED (
            SELECT DISTINCT app, owner, registry AS number FROM item WHERE \(isFormer("texts"))
        ), no_ambiguous AS (
            DELETE FROM ambiguous_alias AS old USING former
            WHERE (old.app, old.owner, old.registry) = (former.app, former.owner, former.number)
        ), no_aliases AS (
            DELETE FROM alias AS old USING former
            WHERE (old.app, old.owner, old.registry) = (former.app, former.owner, former.number)
        ), no_items AS (
            DELETE FROM item AS old USING former
            WHERE (old.app, old.owner, old.registry) = (former.app, former.owner, former.number)
        ), dropped AS (
            DELETE FROM registry AS old USING former
            WHERE (old.app, old.owner, old.number) = (former.app, former.owner, former.number)
            RETURNING old.app, old.owner, old.bytes
        ), lost AS (
            SELECT app, owner, sum(bytes)::bigint AS bytes FROM dropped GROUP BY app, owner
        ), changed AS (
            UPDATE users SET bytes = users.bytes - lost.bytes, version = version + 1, fresh_version = fresh_version + 1
            FROM lost WHERE (users.app, users.owner) = (lost.app, lost.owner)
        )
        UPDATE app_usage SET bytes = app_usage.bytes - apps.bytes
        FROM (SELECT app, sum(bytes)::bigint AS bytes FROM lost GROUP BY app) AS apps
        WHERE app_usage.app = apps.app
            AND slot = (SELECT min(slot) FROM app_usage AS first WHERE first.app = apps.app)
        """,
        "DELETE FROM link WHERE \(isFormer("first_texts")) OR \(isFormer("second_texts"))",
        // Earlier programs don't maintain the index of heads.
        "UPDATE store SET usable_from = 4",
    ]

    /// The log of all changes is read by transactions (`changes(of:after:)`), not by positions. Programs of
    /// version 4, which still assign positions, may run beside this one, so `position` stays until they are gone.
    private static let transactions = [
        "ALTER TABLE change ADD COLUMN transaction xid8",
        "ALTER TABLE change ALTER COLUMN transaction SET DEFAULT pg_current_xact_id()",
        "CREATE INDEX change_by_transaction ON change (transaction) WHERE transaction IS NOT NULL",
        // When a device of the user was last seen, and how many bytes the user had then (`UserPosition`).
        """
        ALTER TABLE users ADD COLUMN seen_at bigint NOT NULL DEFAULT 0,
            ADD COLUMN seen_bytes bigint NOT NULL DEFAULT 0
        """,
        """
        UPDATE users SET seen_bytes = greatest(bytes, 0), seen_at = least(greatest(coalesce(
            (SELECT max(last_seen_at) FROM device WHERE device.app = users.app AND device.owner = users.owner),
            created_at), -62135596800000), 253402300799999)
        """,
        "CREATE INDEX users_by_seen ON users (app, seen_at, owner)",
        "CREATE INDEX users_by_bytes ON users (app, seen_bytes, owner)",
        // A second factor (`SecondFactor`). NULL without one.
        "ALTER TABLE administrator ADD COLUMN second_factor bytea",
        "DROP INDEX change_without_position",
        "DROP INDEX change_by_making",
    ]

    /// Whether the identifier in an item's texts, which 0.1.0 didn't encrypt, isn't in normalization form C. In a
    /// database that can't normalize texts, whether it isn't ASCII.
    private static func isFormer(_ texts: String) -> String {
        let identifier = "substring(\(texts) FROM 3 FOR 256 * get_byte(\(texts), 0) + get_byte(\(texts), 1))"
        return """
            CASE WHEN octet_length(\(texts)) < 2 THEN false
            WHEN getdatabaseencoding() = 'UTF8' THEN convert_from(\(identifier), 'UTF8') IS NOT NFC NORMALIZED
            ELSE encode(\(identifier), 'escape') ~ '\\\\[23]' END
            """
    }

    /// Fills the index of heads from the archives.
    static let indexHeads = """
        INSERT INTO device_head (app, owner, period, scene, device)
        SELECT app, owner, max(captured_at) >> \(HeadChange.periodBits), scene, device FROM archive
        WHERE deleted_at IS NULL
        """
    static let ofEachHead = "GROUP BY app, owner, scene, device"

    private static let store = [
        // A single row: the store's own facts, and the last number of each log. A log's number is raised in the
        // transaction that adds to the log, so later numbers become visible later.
        """
        CREATE TABLE store (
            id bigint PRIMARY KEY CHECK (id = 1),
            schema_version bigint NOT NULL,
            lookup_secret bytea NOT NULL,
            -- Raised by each check that the store can write.
            checks bigint NOT NULL DEFAULT 0,
            -- Raised by each change of administrators.
            administration bigint NOT NULL DEFAULT 0,
            audit_number bigint NOT NULL DEFAULT 0,
            restore_log_position bigint NOT NULL DEFAULT 0,
            -- Of 0.1.0 (docs/decisions/0095-changes-are-not-numbered.md).
            change_position bigint NOT NULL DEFAULT 0,
            -- Raised by each erasure, so that no version of an erased user comes back.
            access_base bigint NOT NULL DEFAULT 0,
            version_base bigint NOT NULL DEFAULT 0,
            -- The lowest schema version of a program that may use these tables. During an upgrade, instances of two versions
            -- of the program use the database.
            usable_from bigint NOT NULL DEFAULT 1
        )
        """,
        // Only the instance that holds a lease does the work that the lease names.
        """
        CREATE TABLE lease (
            name text COLLATE "C" PRIMARY KEY,
            holder bytea NOT NULL,
            ends_at timestamp with time zone NOT NULL
        )
        """,
        """
        CREATE TABLE app (
            uuid uuid PRIMARY KEY,
            bundle_identifier text COLLATE "C" NOT NULL UNIQUE,
            publishable_key text COLLATE "C" NOT NULL UNIQUE,
            created_at bigint NOT NULL,
            -- JSON in UTF-8, so that a new setting needs no migration.
            settings bytea NOT NULL,
            data_sources bytea NOT NULL,
            -- Raised by each change of the settings or the data sources.
            version bigint NOT NULL DEFAULT 0
        )
        """,
        // An app's usage is the sum of its rows. It has several, so writes for different users seldom wait for each
        // other.
        """
        CREATE TABLE app_usage (
            app uuid NOT NULL,
            slot bigint NOT NULL,
            bytes bigint NOT NULL,
            archives bigint NOT NULL,
            devices bigint NOT NULL,
            users bigint NOT NULL,
            PRIMARY KEY (app, slot)
        )
        """,
        """
        CREATE TABLE counter (
            hour bigint NOT NULL,
            -- Empty if the count belongs to no app.
            app bytea NOT NULL,
            name text COLLATE "C" NOT NULL,
            label bytea NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (hour, app, name, label)
        )
        """,
    ]

    private static let users = [
        """
        CREATE TABLE users (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            -- Raised by every write to the user. A write requires the version that it has read.
            version bigint NOT NULL,
            -- The versions of cached answers (`UserVersion`).
            fresh_version bigint NOT NULL,
            access_version bigint NOT NULL,
            revision bigint NOT NULL,
            pruned_revision bigint NOT NULL,
            latest_time bigint,
            created_at bigint NOT NULL,
            subject_digest bytea,
            -- Sealed.
            subject bytea,
            -- The bytes of the user's archives, snapshots and items, and the numbers of archives, of scenes, and of
            -- scenes with archives.
            bytes bigint NOT NULL,
            archives bigint NOT NULL,
            scenes bigint NOT NULL,
            held_scenes bigint NOT NULL,
            -- The first and the last day, since 1970, on which the restore log got a report of a successful restore.
            first_restore_day bigint,
            last_restore_day bigint,
            PRIMARY KEY (app, owner)
        )
        """,
        "CREATE UNIQUE INDEX users_by_subject ON users (app, subject_digest)",
        """
        CREATE TABLE device (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            uuid uuid NOT NULL,
            idiom bigint NOT NULL,
            model bytea,
            name bytea,
            system_version bytea,
            created_at bigint NOT NULL,
            last_seen_at bigint NOT NULL,
            -- The user's revision when the device moved to this user from another user. 0 if the device never moved.
            joined_revision bigint NOT NULL,
            PRIMARY KEY (app, owner, uuid)
        )
        """,
        "CREATE UNIQUE INDEX device_by_uuid ON device (uuid)",
        """
        CREATE TABLE token (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            device uuid NOT NULL,
            digest bytea NOT NULL,
            access bigint NOT NULL,
            expires_at bigint,
            PRIMARY KEY (app, owner, digest)
        )
        """,
        "CREATE UNIQUE INDEX token_by_digest ON token (digest)",
        "CREATE INDEX token_by_expiry ON token (expires_at) WHERE expires_at IS NOT NULL",
        """
        CREATE TABLE installation (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            device uuid NOT NULL,
            uuid uuid NOT NULL,
            secret bytea NOT NULL,
            PRIMARY KEY (app, owner, uuid)
        )
        """,
        "CREATE UNIQUE INDEX installation_by_uuid ON installation (app, uuid)",
        """
        CREATE TABLE link_code (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            digest bytea NOT NULL,
            expires_at bigint NOT NULL,
            used_by uuid,
            PRIMARY KEY (app, owner, digest)
        )
        """,
        "CREATE UNIQUE INDEX link_code_by_digest ON link_code (digest)",
        "CREATE INDEX link_code_by_expiry ON link_code (expires_at)",
    ]
}
