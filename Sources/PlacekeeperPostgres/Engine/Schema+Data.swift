extension Schema {
    static let archives = [
        """
        CREATE TABLE scene (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            name text COLLATE "C" NOT NULL,
            forgotten_at bigint,
            forgotten_revision bigint,
            PRIMARY KEY (app, owner, name)
        )
        """,
        """
        CREATE TABLE archive (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            scene text COLLATE "C" NOT NULL,
            uuid uuid NOT NULL,
            -- NULL for a stored archive. The time of a deletion that can be undone.
            deleted_at bigint,
            device uuid NOT NULL,
            captured_at bigint NOT NULL,
            order_revision bigint NOT NULL,
            -- -1 if the client did not send it.
            sequence bigint NOT NULL,
            revision bigint NOT NULL,
            written_at bigint NOT NULL,
            received_at bigint NOT NULL,
            idiom bigint NOT NULL,
            layout bigint,
            bundle_version text COLLATE "C",
            system_version text COLLATE "C",
            state_version bigint,
            digest bytea NOT NULL,
            size bigint NOT NULL,
            -- The titles of the place as netstrings.
            place bytea NOT NULL,
            object_count bigint NOT NULL,
            reference_count bigint NOT NULL,
            has_outcomes bool NOT NULL,
            is_glance bool NOT NULL,
            snapshot_format text COLLATE "C",
            snapshot bytea,
            bytes bytea NOT NULL,
            PRIMARY KEY (app, owner, scene, uuid)
        )
        """,
        // The bytes are either compressed already or small.
        "ALTER TABLE archive ALTER COLUMN bytes SET STORAGE EXTERNAL, ALTER COLUMN snapshot SET STORAGE EXTERNAL",
        """
        CREATE INDEX archive_by_position
        ON archive (app, owner, scene, captured_at, order_revision, sequence, revision) WHERE deleted_at IS NULL
        """,
        "CREATE INDEX archive_by_deletion ON archive (deleted_at) WHERE deleted_at IS NOT NULL",
        """
        CREATE TABLE tombstone (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            scene text COLLATE "C" NOT NULL,
            archive uuid NOT NULL,
            deleted_at bigint NOT NULL,
            PRIMARY KEY (app, owner, scene, archive)
        )
        """,
        "CREATE INDEX tombstone_by_time ON tombstone (deleted_at)",
        // The devices that were served an archive. Only their outcomes count.
        """
        CREATE TABLE served (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            scene text COLLATE "C" NOT NULL,
            archive uuid NOT NULL,
            device uuid NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (app, owner, scene, archive, device)
        )
        """,
        // The last archive of a scene served to each of the user's devices. Retention keeps it.
        """
        CREATE TABLE served_last (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            scene text COLLATE "C" NOT NULL,
            device uuid NOT NULL,
            archive uuid NOT NULL,
            PRIMARY KEY (app, owner, scene, device)
        )
        """,
        """
        CREATE TABLE outcome (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            scene text COLLATE "C" NOT NULL,
            archive uuid NOT NULL,
            number bigint NOT NULL,
            device uuid NOT NULL,
            result text COLLATE "C" NOT NULL,
            idiom bigint NOT NULL,
            layout bigint,
            bundle_version text COLLATE "C",
            system_version text COLLATE "C",
            state_version bigint,
            launch text COLLATE "C",
            path bytea,
            step bigint,
            milliseconds bigint,
            reported_at bigint NOT NULL,
            PRIMARY KEY (app, owner, scene, archive, number)
        )
        """,
        """
        CREATE TABLE change (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            revision bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            scene text COLLATE "C",
            archive uuid,
            device uuid,
            at bigint NOT NULL,
            made_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
            position bigint,
            PRIMARY KEY (app, owner, revision)
        )
        """,
        // Positions are of 0.1.0 (docs/decisions/0095-changes-are-not-numbered.md).
        "CREATE UNIQUE INDEX change_of_position ON change (position) WHERE position IS NOT NULL",
        "CREATE INDEX change_without_position ON change (made_at) WHERE position IS NULL",
        "CREATE INDEX change_by_time ON change (at)",
        "CREATE INDEX change_by_making ON change (made_at)",
    ]

    static let items = [
        """
        CREATE TABLE registry (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            -- A number of the user's registration. A later registration has a greater number.
            number bigint NOT NULL,
            data_source text COLLATE "C" NOT NULL,
            device uuid NOT NULL,
            cursor bigint NOT NULL,
            digest bytea NOT NULL,
            -- The numbers of live and of removed items, and of ambiguous aliases.
            count bigint NOT NULL,
            removed bigint NOT NULL,
            ambiguous bigint NOT NULL,
            -- The bytes of the texts.
            bytes bigint NOT NULL,
            last_ordinal bigint NOT NULL,
            PRIMARY KEY (app, owner, number)
        )
        """,
        "CREATE UNIQUE INDEX registry_by_device ON registry (app, owner, data_source, device)",
        """
        CREATE TABLE item (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            registry bigint NOT NULL,
            key bigint NOT NULL,
            ordinal bigint NOT NULL,
            position bigint,
            changed_at bigint NOT NULL,
            since bigint NOT NULL,
            is_reuse bool NOT NULL,
            -- The lookup keys of the aliases. Each key has 8 bytes.
            aliases bytea NOT NULL,
            -- NULL for a live item.
            removed_at bigint,
            replaced_by bigint,
            -- Sealed.
            texts bytea NOT NULL,
            PRIMARY KEY (app, owner, registry, key)
        )
        """,
        """
        CREATE INDEX item_by_position ON item (app, owner, registry, position, key)
        WHERE position IS NOT NULL AND removed_at IS NULL
        """,
        // All ordinals are greater than 0, but only a query that states this condition uses the index. Without
        // statistics, the database would use an unconditional index to look up keys, scanning a whole list each time.
        "CREATE INDEX item_of_ordinal ON item (app, owner, registry, ordinal) WHERE ordinal > 0",
        "CREATE INDEX item_by_removal ON item (removed_at) WHERE removed_at IS NOT NULL",
        """
        CREATE TABLE alias (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            registry bigint NOT NULL,
            alias bigint NOT NULL,
            is_live bool NOT NULL,
            ordinal bigint NOT NULL,
            item bigint NOT NULL,
            PRIMARY KEY (app, owner, registry, alias, is_live, ordinal)
        )
        """,
        // Aliases that two or more live items of the registration share.
        """
        CREATE TABLE ambiguous_alias (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            registry bigint NOT NULL,
            alias bigint NOT NULL,
            PRIMARY KEY (app, owner, registry, alias)
        )
        """,
        """
        CREATE TABLE link (
            app uuid NOT NULL,
            owner uuid NOT NULL,
            data_source text COLLATE "C" NOT NULL,
            first_device uuid NOT NULL,
            first_key bigint NOT NULL,
            second_device uuid NOT NULL,
            second_key bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            note bytea NOT NULL,
            at bigint NOT NULL,
            -- Sealed.
            first_texts bytea NOT NULL,
            second_texts bytea NOT NULL,
            PRIMARY KEY (app, owner, data_source, first_device, first_key, second_device, second_key)
        )
        """,
    ]

    static let logs = [
        """
        CREATE TABLE audit (
            number bigint PRIMARY KEY,
            -- Empty if the entry concerns the whole service.
            app bytea NOT NULL,
            at bigint NOT NULL,
            actor bytea NOT NULL,
            action text COLLATE "C" NOT NULL,
            subject bytea,
            detail bytea NOT NULL
        )
        """,
        "CREATE INDEX audit_by_app ON audit (app, number)",
        "CREATE INDEX audit_by_subject ON audit (app, subject, number) WHERE subject IS NOT NULL",
        """
        CREATE TABLE restore_log (
            position bigint PRIMARY KEY,
            app uuid NOT NULL,
            kind bigint NOT NULL,
            -- NULL for a note of the breaker.
            owner uuid,
            device uuid,
            at bigint NOT NULL,
            body bytea NOT NULL
        )
        """,
        "CREATE INDEX restore_log_by_app ON restore_log (app, kind, position)",
        "CREATE INDEX restore_log_by_user ON restore_log (app, owner, position) WHERE owner IS NOT NULL",
        """
        CREATE TABLE administrator (
            uuid uuid PRIMARY KEY,
            name bytea NOT NULL UNIQUE,
            role text COLLATE "C" NOT NULL,
            salt bytea NOT NULL,
            key bytea NOT NULL,
            created_at bigint NOT NULL,
            last_seen_at bigint
        )
        """,
        """
        CREATE TABLE admin_session (
            digest bytea PRIMARY KEY,
            administrator uuid NOT NULL,
            created_at bigint NOT NULL,
            last_used_at bigint NOT NULL
        )
        """,
        """
        CREATE TABLE api_token (
            uuid uuid PRIMARY KEY,
            digest bytea NOT NULL UNIQUE,
            label bytea NOT NULL,
            role text COLLATE "C" NOT NULL,
            creator uuid,
            created_at bigint NOT NULL,
            expires_at bigint,
            last_used_at bigint
        )
        """,
    ]
}
