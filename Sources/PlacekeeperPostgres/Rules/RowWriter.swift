import PlacekeeperCore
import PlacekeeperService

/// Creates the statements that store the row changes that a rule decided on.
struct RowWriter {
    private var write = WriteStatements()
    private let bytes: [UInt8]?
    private var subjects: [UserKey: (digest: Digest, sealed: [UInt8])] = [:]
    private var moves: [Route: [MovedArchive]] = [:]
    /// The archives whose rows in `served_last` must be deleted.
    private var unserved: [SceneKey: [ArchiveID]] = [:]

    private struct Route: Hashable {
        var source: UserKey
        var target: UserKey
    }

    private struct MovedArchive {
        var scene: String
        var id: ArchiveID
        var position: Archive.Position
    }

    /// - Parameter bytes: the rule's bytes.
    init(bytes: [UInt8]?) { self.bytes = bytes }

    private mutating func add(_ kind: TableRow.Kind, _ values: [Value]) { write.rows.append(TableRow(kind, values)) }
    private mutating func add(_ sql: String, _ values: [Value]) { write.statements.append(Statement(sql, values)) }

    mutating func carryOut(_ change: RowChange) throws(StoreError) {
        switch change {
        case .addUser: break
        case .setSubject(let user, let sealed): subjects[user.key] = user.subject.map { ($0, sealed) }

        case .addDevice(let device, let user):
            add(
                """
                INSERT INTO device (app, owner, uuid, idiom, model, name, system_version, created_at, last_seen_at,
                    joined_revision, counts_since, launch_number, launch)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12)
                """,
                user.key.values + [.id(device.id)] + device.description + [
                    .time(device.createdAt), .time(device.lastSeenAt), .revision(user.devices[device.id]?.countsSince),
                    .int(device.launch?.number), .text(device.launch?.id.text),
                ])
            // A new device counts as seen, an imported one when it was last seen.
            if device.lastSeenAt > user.createdAt {
                add(
                    "UPDATE users SET seen_at = $3 WHERE app = $1 AND owner = $2 AND seen_at < $3",
                    user.key.values + [.time(device.lastSeenAt)])
            }
        case .describeDevice(let device, let user):
            add(
                """
                UPDATE device SET idiom = $4, model = $5, name = $6, system_version = $7
                WHERE app = $1 AND owner = $2 AND uuid = $3
                """, user.key.values + [.id(device.id)] + device.description)
        case .setLaunch(let launch, let device, let user):
            add(
                "UPDATE device SET launch_number = $4, launch = $5 WHERE app = $1 AND owner = $2 AND uuid = $3",
                user.key.values + [.id(device), .int(launch.number), .text(launch.id.text)])
        case .setCountsSince(let device, let user):
            add(
                "UPDATE device SET counts_since = $4 WHERE app = $1 AND owner = $2 AND uuid = $3",
                user.key.values + [.id(device), .revision(user.devices[device]?.countsSince)])
        case .moveDevice(let device, let source, let target):
            let values = source.key.values + [.id(device), .id(target.key.user)]
            add(
                """
                UPDATE device SET owner = $4, joined_revision = $5, counts_since = $6
                WHERE app = $1 AND owner = $2 AND uuid = $3
                """,
                values + [
                    .revision(target.devices[device]?.joined), .revision(target.devices[device]?.countsSince),
                ])
            for table in ["token", "installation"] {
                add("UPDATE \(table) SET owner = $4 WHERE app = $1 AND owner = $2 AND device = $3", values)
            }
        case .dropDevice(let device, let user):
            for table in ["token", "installation"] {
                add(
                    "DELETE FROM \(table) WHERE app = $1 AND owner = $2 AND device = $3",
                    user.key.values + [.id(device)])
            }
            add("DELETE FROM device WHERE app = $1 AND owner = $2 AND uuid = $3", user.key.values + [.id(device)])
        case .addToken(let digest, let record, let user):
            add(
                "INSERT INTO token (app, owner, digest, device, access, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
                user.key.values + [
                    .digest(digest), .id(record.device), .int(record.access.rawValue), .time(record.expiresAt),
                ])
        case .endToken(let digest, let time, let user):
            add(
                "UPDATE token SET expires_at = $4 WHERE app = $1 AND owner = $2 AND digest = $3",
                user.key.values + [.digest(digest), .time(time)])
        case .dropToken(let digest, let user):
            add("DELETE FROM token WHERE app = $1 AND owner = $2 AND digest = $3", user.key.values + [.digest(digest)])
        case .addInstallation(let installation, let device, let user):
            add(
                "INSERT INTO installation (app, owner, device, uuid, secret) VALUES ($1, $2, $3, $4, $5)",
                user.key.values + [.id(device), .id(installation.id), .digest(installation.secret)])
        case .addCode(let code, let user):
            add(
                """
                INSERT INTO link_code (app, owner, digest, expires_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (app, owner, digest) DO UPDATE SET expires_at = $4, used_by = NULL
                """, user.key.values + [.digest(code.digest), .time(code.expiresAt)])
        case .useCode(let digest, let device, let user):
            add(
                "UPDATE link_code SET used_by = $4 WHERE app = $1 AND owner = $2 AND digest = $3",
                user.key.values + [.digest(digest), .id(device)])
        case .dropCodes(let user, let unusedOnly):
            add(
                "DELETE FROM link_code WHERE app = $1 AND owner = $2" + (unusedOnly ? " AND used_by IS NULL" : ""),
                user.key.values)
        case .auditExpiry(let user, let time): write.statements.append(.inserting(.expiry(of: user, at: time)))

        case .addScene(let scene, _): add("INSERT INTO scene (app, owner, name) VALUES ($1, $2, $3)", scene.key.values)
        case .setForgotten(let scene):
            add(
                """
                UPDATE scene SET forgotten_at = $4, forgotten_revision = $5 WHERE app = $1 AND owner = $2 AND name = $3
                """, scene.key.values + [.time(scene.forgotten?.at), .revision(scene.forgotten?.revision)])
        case .addArchive(let archive, _):
            guard let bytes else { throw .withoutBytes }
            add(.addArchive, archive.values(nil, bytes))
        case .removeArchive(let entry, let scene):
            if entry.isServedLast { unserved[scene.key, default: []].append(entry.id) }
            remove(entry, of: scene)
        case .moveArchive(let entry, let source, let target, let position):
            moves[Route(source: source.key.owner, target: target.key.owner), default: []].append(
                MovedArchive(scene: source.key.name, id: entry.id, position: position))
        case .softDelete(let entry, let time, let scene): setDeletion(of: entry, scene, time)
        case .bringBack(let entry, let scene): setDeletion(of: entry, scene, nil)
        case .endDeletion(let entry, let scene):
            unserved[scene.key, default: []].append(entry.id)
            remove(entry, of: scene)
        case .endDeletions(let user, let maker): endDeletions(of: user, maker: maker)
        case .addTombstone(let id, let time, let scene):
            add(
                """
                INSERT INTO tombstone (app, owner, scene, archive, deleted_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (app, owner, scene, archive) DO UPDATE SET deleted_at = $5
                """, scene.key.values + [.id(id), .time(time)])
        case .dropTombstone(let id, let scene):
            add(
                "DELETE FROM tombstone WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = $4",
                scene.key.values + [.id(id)])
        case .putScreenshot(let screenshot, let entry, let scene):
            add(
                """
                UPDATE archive SET screenshot_format = $5, screenshot = $6
                WHERE app = $1 AND owner = $2 AND scene = $3 AND uuid = $4
                """, scene.key.values + [.id(entry.id), .text(screenshot.format.rawValue), .bytes(screenshot.bytes)])
        case .addServing(let entry, let device, let time, let scene):
            add(.addServing, scene.key.values + [.id(entry.id), .id(device), .time(time)])
        case .setServedLast(let entry, let device, let scene):
            add(.setServedLast, scene.key.values + [.id(device), .id(entry.id)])
        case .dropServedLast(let entry, let scene): unserved[scene.key, default: []].append(entry.id)
        case .dropAllServedLast(let device, let user):
            add(
                "DELETE FROM served_last WHERE app = $1 AND owner = $2 AND device = $3", user.key.values + [.id(device)]
            )
        case .addOutcome(let outcome, let entry, let details, let scene, let dropped):
            add(outcome, of: entry, details, scene, dropping: dropped)

        case .addChange(let change, let user, _): add(.addChange, change.values(of: user.key))
        case .dropChanges(let end, let user): dropChanges(through: end, of: user)

        case .putLink(let link, let list, _): put(link, in: list)
        case .dropLink(let ends, let list, _):
            add(
                """
                DELETE FROM link WHERE app = $1 AND owner = $2 AND data_source = $3
                    AND (first_device, first_key, second_device, second_key) = ($4, $5, $6, $7)
                """, list.owner.values + [.text(list.dataSource)] + ends.values)
        case .dropRegistrations(let device, let user):
            let values = user.key.values + [.id(device)]
            for table in ["ambiguous_alias", "alias", "item"] {
                add(
                    """
                    DELETE FROM \(table) WHERE app = $1 AND owner = $2 AND registry IN (
                        SELECT number FROM registry WHERE app = $1 AND owner = $2 AND device = $3)
                    """, values)
            }
            add("DELETE FROM registry WHERE app = $1 AND owner = $2 AND device = $3", values)
        case .dropLinks(let device, let user):
            add(
                "DELETE FROM link WHERE app = $1 AND owner = $2 AND (first_device = $3 OR second_device = $3)",
                user.key.values + [.id(device)])
        case .indexHeads(let user):
            add("DELETE FROM device_head WHERE app = $1 AND owner = $2", user.key.values)
            add("\(Schema.indexHeads) AND app = $1 AND owner = $2 \(Schema.ofEachHead)", user.key.values)
        case .moveLogEntries(let device, let source, let target):
            add(
                """
                UPDATE restore_log SET owner = $4 WHERE app = $1 AND owner = $2 AND (device = $3 OR $3 IS NULL)
                """, source.key.values + [.id(device), .id(target.key.user)])
        }
    }

    /// Returns the statements, including the users' rows.
    mutating func finish(_ work: Workspace) -> WriteStatements {
        for (route, archives) in moves { addMove(route, archives) }
        for change in work.headChanges {
            if let old = change.old { add(.dropHead, change.values(old)) }
            if let new = change.new { add(.addHead, change.values(new)) }
        }
        for (scene, ids) in unserved {
            add(
                "DELETE FROM served_last WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = ANY($4)",
                scene.values + [.ids(ids)])
        }
        for user in work.users where user.exists {
            guard let pending = user.pending else {
                write.requirements[user.key] = .user(user.key, version: user.version, raise: 0, nil)
                continue
            }
            let (counts, subject) = (user.sceneCounts ?? UserState.SceneCounts(), subjects[user.key])
            let values = TableRow.UserValues(
                revision: user.revision, prunedThrough: user.prunedThrough, latestTime: pending.time,
                createdAt: user.createdAt, subject: subject, usage: user.usage, scenes: counts.known,
                heldScenes: counts.held, raisesFresh: work.invalidations.users.contains(user.key),
                raisesAccess: work.invalidations.access.contains(user.key))
            write.requirements[user.key] =
                pending.isNew
                ? .newUser(user.key, values) : .user(user.key, version: user.version - 1, raise: 1, values)
            if pending.growth != Usage() { write.usage[user.key] = pending.growth }
        }
        return write
    }

    private mutating func remove(_ entry: History.Entry, of scene: SceneState) {
        let values = scene.key.values + [.id(entry.id)]
        if entry.hasOutcomes { add(.dropOutcomes, values) }
        if entry.hasServings { add(.dropServings, values) }
        add(.dropArchive, values)
    }

    private mutating func setDeletion(of entry: History.Entry, _ scene: SceneState, _ time: Timestamp?) {
        add(
            "UPDATE archive SET deleted_at = $5 WHERE app = $1 AND owner = $2 AND scene = $3 AND uuid = $4",
            scene.key.values + [.id(entry.id), .time(time)])
    }

    private mutating func endDeletions(of user: UserState, maker: DeviceID?) {
        let values = user.key.values + [.id(maker)]
        let condition = "archive.deleted_at IS NOT NULL AND ($3 IS NULL OR archive.device = $3)"
        for table in ["outcome", "served", "served_last"] {
            add(
                """
                DELETE FROM \(table) USING archive
                WHERE \(table).app = $1 AND \(table).owner = $2 AND archive.app = $1 AND archive.owner = $2
                    AND archive.scene = \(table).scene AND archive.uuid = \(table).archive AND \(condition)
                """, values)
        }
        add("DELETE FROM archive WHERE app = $1 AND owner = $2 AND \(condition)", values)
    }

    private mutating func addMove(_ route: Route, _ archives: [MovedArchive]) {
        let values =
            route.source.values + [
                .id(route.target.user), .texts(archives.map(\.scene)), .ids(archives.map(\.id)),
            ]
        write.moves.append(
            Statement(
                """
                UPDATE archive SET owner = $3, revision = moved.revision, order_revision = moved.order_revision,
                    captured_at = moved.captured_at
                FROM unnest($4, $5, $6, $7, $8) AS moved (scene, id, revision, order_revision, captured_at)
                WHERE app = $1 AND owner = $2 AND archive.scene = moved.scene AND uuid = moved.id
                """,
                values + [
                    .ints(archives.map(\.position.revision.rawValue)),
                    .ints(archives.map(\.position.orderRevision.rawValue)),
                    .ints(archives.map(\.position.capturedAt.milliseconds)),
                ]))
        for table in ["outcome", "served"] {
            write.moves.append(
                Statement(
                    """
                    UPDATE \(table) SET owner = $3 FROM unnest($4, $5) AS moved (scene, id)
                    WHERE app = $1 AND owner = $2 AND \(table).scene = moved.scene AND archive = moved.id
                    """, values))
        }
    }

    private mutating func add(
        _ outcome: Outcome, of entry: History.Entry, _ details: ArchiveDetails, _ scene: SceneState,
        dropping dropped: Int
    ) {
        let values = scene.key.values + [.id(entry.id)]
        if !details.archive.hasOutcomes {
            add(
                "UPDATE archive SET has_outcomes = true WHERE app = $1 AND owner = $2 AND scene = $3 AND uuid = $4",
                values)
        }
        let number = details.firstOutcome + Int64(details.outcomes.count - 1)
        write.statements.append(outcome.insertion(to: details.archive, number: number))
        guard dropped > 0 else { return }
        add(
            "DELETE FROM outcome WHERE app = $1 AND owner = $2 AND scene = $3 AND archive = $4 AND number <= $5",
            values + [.int(details.firstOutcome + Int64(dropped - 1))])
    }

    private mutating func dropChanges(through end: Revision, of user: UserState) {
        add(
            "DELETE FROM change WHERE app = $1 AND owner = $2 AND revision <= $3",
            user.key.values + [.revision(end)])
    }

    private mutating func put(_ link: Link, in list: ItemList) {
        add(
            """
            INSERT INTO link (app, owner, data_source, first_device, first_key, second_device, second_key, kind, note,
                at, first_texts, second_texts)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (app, owner, data_source, first_device, first_key, second_device, second_key)
            DO UPDATE SET kind = $8, note = $9, at = $10, first_texts = $11, second_texts = $12
            """,
            list.owner.values + [.text(list.dataSource)] + LinkEnds(link.first, link.second).values + [
                .text(link.kind.rawValue), .anyText(link.note), .time(link.decidedAt), .bytes(link.first.texts),
                .bytes(link.second.texts),
            ])
    }
}

extension Device {
    /// Four values: idiom, model, name and system version.
    fileprivate var description: [Value] {
        [.int(idiom.rawValue), .anyText(model), .anyText(name), .anyText(systemVersion)]
    }
}

extension HeadChange {
    fileprivate func values(_ period: Int64) -> [Value] {
        user.key.values + [.int(period), .text(scene.key.name), .id(device)]
    }
}

extension LinkEnds {
    fileprivate var values: [Value] {
        [.id(first.device), .int(first.key.rawValue), .id(second.device), .int(second.key.rawValue)]
    }
}
