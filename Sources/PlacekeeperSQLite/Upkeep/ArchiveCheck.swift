package import PlacekeeperCore
package import PlacekeeperService

/// An archive whose stored bytes don't match the digest from its upload.
package struct DamagedArchive: Sendable, Hashable {
    package var id: ArchiveID
    package var scene: SceneKey
}

/// Compares the bytes of all archives in a database with their digests. SQLite's own checks don't detect changed bytes.
package struct ArchiveCheck: Sendable {
    /// The maximum number of damaged archives listed. The check stops if it finds more.
    package static let maximumDamaged = 10_000

    private let compression: any BlobCompression
    private let hashing: any Hashing

    package init(compression: any BlobCompression, hashing: any Hashing) {
        self.compression = compression
        self.hashing = hashing
    }

    /// Returns the damaged archives.
    ///
    /// - Parameter count: the number of archives in the database, for progress reports.
    func damagedArchives(
        in connection: Connection, count: Int, report: Backup.Report
    ) throws(StoreError) -> [DamagedArchive] {
        let select = try connection.statement(.archivesWithBytes)
        var damaged: [DamagedArchive] = []
        var checked = 0
        while try select.step() {
            if checked.isMultiple(of: 64) { report(.checking(min(1, Double(checked) / Double(max(count, 1))))) }
            checked += 1
            if isWhole(select) { continue }
            guard damaged.count < Self.maximumDamaged else {
                throw StoreError(
                    .corrupt, "The file is damaged: more than \(Self.maximumDamaged) archives are damaged.")
            }
            let owner = UserKey(app: try select.id(0), user: try select.id(1))
            damaged.append(
                DamagedArchive(id: try select.id(3), scene: SceneKey(owner: owner, name: select.text(2))))
        }
        return damaged
    }

    private func isWhole(_ row: borrowing Statement) -> Bool {
        guard let digest = try? row.digest(4), let size = try? row.number(5, .size),
            let encoding = try? row.number(6, .encoding), (try? row.withBytes(8, Netstrings.split)) != nil
        else { return false }
        if encoding == Content.Encoding.plain.rawValue {
            return row.withBytes(7) { hashing.sha256($0) == digest }
        }
        guard let content = try? Content(encoding: encoding, bytes: row.bytes(7)),
            let bytes = try? content.original(count: Int(size), with: compression)
        else { return false }
        return hashing.sha256(bytes) == digest
    }
}

extension Query {
    /// Reads every archive of a database that nothing else uses yet, including deleted ones whose deletion can be
    /// undone.
    static let archivesWithBytes = Query(
        """
        SELECT user.app, user.uuid, scene.name, archive.uuid, archive.digest, archive.size, content.encoding,
        content.bytes, archive.place
        FROM (
            SELECT scene, uuid, digest, size, content, place FROM archive
            UNION ALL SELECT scene, uuid, digest, size, content, place FROM deleted_archive
        ) AS archive CROSS JOIN scene ON scene.id = archive.scene CROSS JOIN user ON user.id = scene.user
        CROSS JOIN content ON content.id = archive.content
        """)
}
