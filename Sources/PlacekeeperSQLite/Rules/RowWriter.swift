import PlacekeeperCore
import PlacekeeperService

/// Stores the row changes that a rule decided on.
struct RowWriter {
    private let transaction: Transaction
    private let connection: Connection
    /// The rule's bytes in stored form.
    private let content: Content?
    /// A removed archive whose row in `content` is reused for the rule's bytes. An upload to a full scene then writes
    /// one page of bytes instead of two, and the file doesn't fragment.
    private var spare: ArchiveRow?

    init(_ transaction: Transaction, _ content: Content?) {
        self.transaction = transaction
        self.connection = transaction.connection
        self.content = content
    }

    mutating func carryOut(_ change: RowChange) throws(StoreError) {
        switch change {
        case .addUser(let user): try add(user)
        case .setSubject(let user, let sealed):
            guard let digest = user.subject else { return }
            try connection.run(.setSubject, user.row, sealed, digest)

        case .addDevice(let device, let user):
            try connection.run(
                .addDevice, device.id, user.row, device.createdAt, device.lastSeenAt, device.idiom.rawValue,
                device.model, device.name, device.systemVersion, state(of: device.id, user).countsSince,
                device.launch?.number, device.launch?.id.text)
            // A new device counts as seen, an imported one when it was last seen.
            if device.lastSeenAt > user.createdAt { try connection.run(.raiseSeen, user.row, device.lastSeenAt) }
        case .describeDevice(let device, _):
            try connection.run(
                .describeDevice, device.id, device.idiom.rawValue, device.model, device.name, device.systemVersion)
        case .setLaunch(let launch, let device, _):
            try connection.run(.setLaunch, device, launch.number, launch.id.text)
        case .setCountsSince(let device, let user):
            try connection.run(.setCountsSince, device, state(of: device, user).countsSince)
        case .moveDevice(let device, _, let target):
            let state = state(of: device, target)
            try connection.run(.moveDevice, device, target.row, state.joined, state.countsSince)
        case .dropDevice(let device, _):
            for query in [Query.dropTokens, .dropInstallation, .dropDevice] { try connection.run(query, device) }
        case .addToken(let digest, let record, _):
            try connection.run(.addToken, digest, record.device, record.access.rawValue, record.expiresAt)
        case .endToken(let digest, let time, _):
            try connection.run(.endToken, digest, time)
        case .dropToken(let digest, _):
            try connection.run(.dropToken, digest)
        case .addInstallation(let installation, let device, let user):
            try connection.run(
                .addInstallation, user.key.app, installation.id, installation.secret, device)
        case .addCode(let code, let user):
            try connection.run(.addCode, code.digest, user.row, code.expiresAt)
        case .useCode(let digest, let device, _):
            try connection.run(.useCode, digest, device)
        case .dropCodes(let user, let unusedOnly):
            try connection.run(unusedOnly ? .dropUnusedCodes : .dropCodes, user.row)
        case .auditExpiry(let user, let time): try connection.insert(.expiry(of: user, at: time))

        case .addScene(let scene, let user):
            try connection.run(.addScene, user.row, scene.key.name)
            scene.row = connection.lastInsertedRow
        case .setForgotten(let scene):
            guard let forgotten = scene.forgotten else { return }
            try connection.run(.setForgotten, scene.row, forgotten.at, forgotten.revision)
        case .addArchive(let archive, let scene): try add(archive, to: scene)
        case .removeArchive(let entry, let scene):
            let row = ArchiveRow(entry, in: scene.row)
            try transaction.deleteRow(of: row)
            try transaction.removeParts(of: row)
            if content != nil, spare == nil { spare = row } else { try transaction.removeContent(of: row) }
        case .moveArchive(let entry, let source, let target, let position):
            try connection.run(
                .moveArchive, source.row, entry.position.capturedAt, entry.position.revision, target.row,
                position.revision, position.orderRevision, position.capturedAt)
        case .softDelete(let entry, let time, let scene):
            let row = ArchiveRow(entry, in: scene.row)
            try transaction.copyToDeleted(row, at: time)
            try transaction.deleteRow(of: row)
        case .bringBack(let entry, let scene): try transaction.bringBack(entry.id, to: scene.row)
        case .endDeletion(let entry, let scene):
            try transaction.endDeletion(of: ArchiveRow(entry, in: scene.row), entry.id)
        case .endDeletions(let user, let maker): try transaction.endDeletions(of: user.row, maker: maker)
        case .addTombstone(let id, let time, let scene): try transaction.tombstone(id, in: scene.row, at: time)
        case .dropTombstone(let id, let scene):
            try connection.run(.dropTombstone, scene.row, id)
        case .putScreenshot(let screenshot, let entry, let scene):
            try transaction.insert(screenshot, content: entry.row)
            if !entry.hasScreenshot { try transaction.mark(ArchiveRow(entry, in: scene.row), by: .markScreenshot) }
        case .addServing(let entry, let device, let time, _):
            try connection.run(.addServing, entry.row, device, time)
        case .setServedLast(let entry, let device, let scene):
            try connection.run(.setServedLast, scene.row, device, entry.row)
        case .dropServedLast(let entry, _):
            try connection.run(.dropServedLast, entry.row)
        case .dropAllServedLast(let device, let user):
            try connection.run(.dropAllServedLast, user.row, device)
        case .addOutcome(let outcome, let entry, _, let scene, let dropped):
            try transaction.insert(outcome, content: entry.row)
            if dropped > 0 { try connection.run(.dropFirstOutcomes, entry.row, dropped) }
            try connection.markOutcomes(of: ArchiveRow(entry, in: scene.row), isServable: entry.isServable)

        case .addChange(let change, let user, let scene): try add(change, of: user, scene)
        case .dropChanges(let end, let user): try transaction.dropChanges(through: end, of: user)

        case .putLink(let link, let list, let user): try transaction.put(link, in: list, of: user.row)
        case .dropLink(let ends, let list, let user): try transaction.drop(ends, in: list, of: user.row)
        case .dropRegistrations(let device, let user): try transaction.leaveRegistries(of: device, by: user.row)
        case .dropLinks(let device, let user): try transaction.dropLinks(of: device, by: user.row)
        case .indexHeads(let user): try indexHeads(of: user)
        case .moveLogEntries(let device, let source, let target):
            try transaction.moveLogEntries(of: device, from: source.row, to: target.row)
        }
    }

    func carryOut(_ change: HeadChange) throws(StoreError) {
        let (user, scene) = (change.user.row, change.scene.row)
        if let old = change.old { try connection.run(.dropHead, user, old, scene, change.device) }
        if let new = change.new { try connection.run(.addHead, user, new, scene, change.device) }
    }

    private func indexHeads(of user: UserState) throws(StoreError) {
        try connection.run(.dropHeads, user.row)
        try connection.run(.indexHeads, user.row)
    }

    /// Completes the changes of a rule.
    mutating func finish() throws(StoreError) {
        if let spare { try transaction.removeContent(of: spare) }
        spare = nil
    }

    private func state(of device: DeviceID, _ user: UserState) -> UserState.DeviceState {
        user.devices[device] ?? UserState.DeviceState()
    }

    private func add(_ user: UserState) throws(StoreError) {
        try connection.run(.addUser, user.key, user.createdAt, user.version)
        user.row = connection.lastInsertedRow
    }

    private mutating func add(_ archive: Archive, to scene: SceneState) throws(StoreError) {
        guard let content else { throw .withoutBytes }
        let row = ArchiveRow(
            scene: scene.row, position: archive.position, content: try transaction.write(content, replacing: spare),
            bytes: archive.size, hasScreenshot: false, hasOutcomes: false)
        spare = nil
        try transaction.insert(archive, at: row)
        scene.history.change(archive.id) { $0.row = row.content }
    }

    private func add(_ change: Change, of user: UserState, _ scene: SceneState?) throws(StoreError) {
        try connection.run(
            .addChange, user.row, change.revision, user.newestChange, change.kind.rawValue, scene?.row, change.archive,
            change.device, change.at)
        user.newestChange = connection.lastInsertedRow
        guard let scene, change.kind == .archiveDeleted || change.kind == .sceneForgotten else { return }
        // Pruning finds empty scenes by their last removal.
        try connection.run(.recordRemoval, scene.row, user.newestChange, change.at)
    }
}

extension ArchiveRow {
    init(_ entry: History.Entry, in scene: Int64) {
        self.init(
            scene: scene, position: entry.position, content: entry.row, bytes: entry.size + entry.screenshotSize,
            hasScreenshot: entry.hasScreenshot, hasOutcomes: entry.hasOutcomes, hasServings: entry.hasServings)
    }
}

extension Query {
    fileprivate static let addUser = Query(
        "INSERT INTO user (app, uuid, created_at, version, seen_at) VALUES (?1, ?2, ?3, ?4, ?3)")
    fileprivate static let setSubject = Query("UPDATE user SET subject = ?2, subject_digest = ?3 WHERE id = ?1")
    fileprivate static let addDevice = Query(
        """
        INSERT INTO device (uuid, user, created_at, last_seen_at, idiom, model, name, system_version, counts_since,
            launch_number, launch)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """)
    fileprivate static let raiseSeen = Query("UPDATE user SET seen_at = ?2 WHERE id = ?1 AND seen_at < ?2")
    fileprivate static let describeDevice = Query(
        "UPDATE device SET idiom = ?2, model = ?3, name = ?4, system_version = ?5 WHERE uuid = ?1")
    fileprivate static let setLaunch = Query("UPDATE device SET launch_number = ?2, launch = ?3 WHERE uuid = ?1")
    fileprivate static let setCountsSince = Query("UPDATE device SET counts_since = ?2 WHERE uuid = ?1")
    fileprivate static let moveDevice = Query(
        "UPDATE device SET user = ?2, joined_revision = ?3, counts_since = ?4 WHERE uuid = ?1")
    private static let ofDevice = "WHERE device = (SELECT id FROM device WHERE uuid = ?1)"
    fileprivate static let dropTokens = Query("DELETE FROM token \(ofDevice)")
    fileprivate static let dropInstallation = Query("DELETE FROM installation \(ofDevice)")
    fileprivate static let dropDevice = Query("DELETE FROM device WHERE uuid = ?1")
    fileprivate static let addToken = Query(
        "INSERT INTO token (digest, device, access, expires_at) SELECT ?1, id, ?3, ?4 FROM device WHERE uuid = ?2")
    fileprivate static let endToken = Query("UPDATE token SET expires_at = ?2 WHERE digest = ?1")
    fileprivate static let dropToken = Query("DELETE FROM token WHERE digest = ?1")
    fileprivate static let addInstallation = Query(
        "INSERT INTO installation (app, uuid, secret, device) SELECT ?1, ?2, ?3, id FROM device WHERE uuid = ?4")
    fileprivate static let addCode = Query("INSERT OR REPLACE INTO link_code VALUES (?1, ?2, ?3, NULL)")
    fileprivate static let useCode = Query("UPDATE link_code SET used_by = ?2 WHERE digest = ?1")
    fileprivate static let dropCodes = Query("DELETE FROM link_code WHERE user = ?1")
    fileprivate static let dropUnusedCodes = Query("DELETE FROM link_code WHERE user = ?1 AND used_by IS NULL")
    fileprivate static let addScene = Query("INSERT INTO scene (user, name) VALUES (?1, ?2)")
    fileprivate static let setForgotten = Query(
        "UPDATE scene SET forgotten_at = ?2, forgotten_revision = ?3 WHERE id = ?1")
    fileprivate static let moveArchive = Query(
        """
        UPDATE archive SET scene = ?4, revision = ?5, order_revision = ?6, captured_at = ?7
        WHERE scene = ?1 AND captured_at = ?2 AND revision = ?3
        """)
    fileprivate static let dropHead = Query(
        "DELETE FROM device_head WHERE user = ?1 AND period = ?2 AND scene = ?3 AND device = ?4")
    fileprivate static let addHead = Query("INSERT OR IGNORE INTO device_head VALUES (?1, ?2, ?3, ?4)")
    fileprivate static let dropHeads = Query("DELETE FROM device_head WHERE user = ?1")
    fileprivate static let indexHeads = Query("\(Schema.indexHeads) WHERE scene.user = ?1 \(Schema.ofEachHead)")
    fileprivate static let dropTombstone = Query("DELETE FROM tombstone WHERE scene = ?1 AND uuid = ?2")
    fileprivate static let addServing = Query("INSERT INTO served VALUES (?1, ?2, ?3)")
    fileprivate static let setServedLast = Query("INSERT OR REPLACE INTO served_last VALUES (?1, ?2, ?3)")
    fileprivate static let dropServedLast = Query("DELETE FROM served_last WHERE content = ?1")
    fileprivate static let dropAllServedLast = Query(
        "DELETE FROM served_last WHERE device = ?2 AND scene IN (SELECT id FROM scene WHERE user = ?1)")
    fileprivate static let dropFirstOutcomes = Query(
        """
        DELETE FROM outcome WHERE content = ?1
            AND number IN (SELECT number FROM outcome WHERE content = ?1 ORDER BY number LIMIT ?2)
        """)
    fileprivate static let addChange = Query(
        """
        INSERT INTO change (user, revision, previous, kind, scene, archive, device, at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
    fileprivate static let recordRemoval = Query("UPDATE scene SET last_removal = ?2, removed_at = ?3 WHERE id = ?1")
}
