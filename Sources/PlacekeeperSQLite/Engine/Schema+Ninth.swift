extension Schema {
    /// The first schema version with segments.
    static let versionWithSegments = 9

    /// The ninth migration. After this migration, the bytes of larger archives are in segments
    /// (docs/decisions/0085-larger-archives-in-segments.md).
    static let ninth = """
        -- The greatest number of a segment so far. A committed number is not used again.
        ALTER TABLE store ADD COLUMN last_segment INTEGER NOT NULL DEFAULT 0;

        -- The files beside the database that have the bytes of larger archives.
        CREATE TABLE segment (
            number INTEGER PRIMARY KEY,
            -- The end of the committed bytes. After a crash the file may be longer.
            size INTEGER NOT NULL,
            -- The bytes of all blocks that contents use.
            used INTEGER NOT NULL
        ) STRICT;

        -- The place of the bytes in a segment. NULL if `bytes` has the bytes. Otherwise `bytes` is empty.
        ALTER TABLE content ADD COLUMN segment INTEGER REFERENCES segment;
        ALTER TABLE content ADD COLUMN position INTEGER;
        ALTER TABLE content ADD COLUMN size INTEGER;

        -- The places of removed contents whose bytes are not erased yet.
        CREATE TABLE freed (
            segment INTEGER NOT NULL REFERENCES segment,
            position INTEGER NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (segment, position)
        ) STRICT, WITHOUT ROWID;
        """
}
