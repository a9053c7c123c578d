import PlacekeeperCore
import PlacekeeperService

extension UserKey {
    var values: [Value] { [.id(app), .id(user)] }
}

extension SceneKey {
    var values: [Value] { owner.values + [.text(name)] }
}

extension Context {
    /// Five values: idiom, layout, bundle version, system version and state version.
    var values: [Value] {
        [
            .int(idiom.rawValue), .int(layout.map { Int64($0.rawValue) }), .text(bundleVersion), .text(systemVersion),
            .int(stateVersion),
        ]
    }
}

extension Archive {
    /// The values of an archive's columns (`TableRow.Kind.addArchive`).
    func values(_ screenshot: Screenshot?, _ bytes: [UInt8]) -> [Value] {
        let order: [Value] = [
            .id(device), .time(capturedAt), .revision(orderRevision), .int(sequence ?? -1), .revision(revision),
            .time(writtenAt), .time(receivedAt),
        ]
        let rest: [Value] = [
            .digest(digest), .int(size), .anyText(Netstrings.join(summary.place)), .int(summary.objectCount),
            .int(summary.referenceCount), .bool(hasOutcomes), .bool(isViewOnly), .text(screenshot?.format.rawValue),
            .bytes(screenshot?.bytes), .bytes(bytes),
        ]
        return scene.values + [.id(id)] + order + context.values + rest
    }
}

extension Change {
    /// The values of a change's columns (`TableRow.Kind.addChange`).
    func values(of owner: UserKey) -> [Value] {
        owner.values + [
            .revision(revision), .text(kind.rawValue), .text(scene), .id(archive), .id(device), .time(at),
        ]
    }
}

extension Outcome {
    func insertion(to archive: Archive, number: Int64) -> Statement {
        let details: [Value] = [
            .text(launch?.text), .anyText(self.details.path), .int(self.details.step.map(Int64.init)),
            .int(self.details.duration?.wholeMilliseconds), .time(reportedAt),
        ]
        return Statement(
            """
            INSERT INTO outcome (app, owner, scene, archive, number, device, result, idiom, layout, bundle_version,
                system_version, state_version, launch, path, step, milliseconds, reported_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
            """,
            archive.scene.values + [.id(archive.id), .int(number), .id(device), .text(result.rawValue)]
                + context.values + details)
    }
}

extension Row {
    mutating func idiom() throws(StoreError) -> Idiom {
        guard let idiom = Idiom(rawValue: Int(try number(.idiom))) else { throw .unknown("idiom") }
        return idiom
    }

    mutating func context() throws(StoreError) -> Context {
        var context = Context(idiom: try idiom())
        context.layout = try optionalNumber(.layout).flatMap { Layout(rawValue: UInt8($0)) }
        context.bundleVersion = try optionalText()
        context.systemVersion = try optionalText()
        context.stateVersion = try optionalKey()
        return context
    }

    mutating func word<Word: RawRepresentable<String>>() throws(StoreError) -> Word {
        guard let word = Word(rawValue: try text()) else { throw .unknown("word") }
        return word
    }

    /// Reads an app and a user.
    mutating func owner() throws(StoreError) -> UserKey { UserKey(app: try id(), user: try id()) }

    static let archiveColumns = """
        archive.uuid, archive.device, archive.revision, archive.captured_at, archive.order_revision, archive.sequence,
        archive.written_at, archive.received_at, archive.idiom, archive.layout, archive.bundle_version,
        archive.system_version, archive.state_version, archive.digest, archive.size, archive.place,
        archive.object_count, archive.reference_count, archive.screenshot_format IS NOT NULL, archive.has_outcomes,
        archive.is_view_only
        """
    /// The condition for undeleted archives of a scene ($1, $2, $3).
    static let storedArchives =
        "archive.app = $1 AND archive.owner = $2 AND archive.scene = $3 AND archive.deleted_at IS NULL"
    static let newestFirst = """
        archive.captured_at DESC, archive.order_revision DESC, archive.sequence DESC, archive.revision DESC
        """
    static let orderColumns = "archive.captured_at, archive.order_revision, archive.sequence, archive.revision"

    /// Reads the columns `archiveColumns`.
    mutating func archive(in scene: SceneKey) throws(StoreError) -> Archive {
        let (id, device): (ArchiveID, DeviceID) = (try self.id(), try self.id())
        let (revision, position) = (try revision(), (try time(), try self.revision(), try sequence()))
        let (writtenAt, receivedAt, context) = (try time(), try time(), try context())
        let (digest, size) = (try digest(), Int(try number(.size)))
        let summary = Archive.Summary(
            place: try netstrings(), objectCount: try count(), referenceCount: try count())
        return Archive(
            id: id, scene: scene, device: device, revision: revision, capturedAt: position.0, writtenAt: writtenAt,
            receivedAt: receivedAt, sequence: position.2, context: context,
            digest: digest, size: size, summary: summary, hasScreenshot: try bool(), hasOutcomes: try bool(),
            orderRevision: position.1, isViewOnly: try bool())
    }

    /// Reads the columns `orderColumns`.
    mutating func position() throws(StoreError) -> Archive.Position {
        let (capturedAt, orderRevision) = (try time(), try revision())
        let sequence = try sequence()
        return Archive.Position(
            capturedAt: capturedAt, orderRevision: orderRevision, sequence: sequence, revision: try revision())
    }

    private mutating func sequence() throws(StoreError) -> Int64? {
        try optionalNumber(.sequence).flatMap { $0 < 0 ? nil : $0 }
    }

    static let outcomeColumns = """
        outcome.device, outcome.result, outcome.idiom, outcome.layout, outcome.bundle_version, outcome.system_version,
        outcome.state_version, outcome.launch, outcome.path, outcome.step, outcome.milliseconds, outcome.reported_at
        """

    /// Reads the columns `outcomeColumns`.
    mutating func outcome(of archive: ArchiveID) throws(StoreError) -> Outcome {
        let (device, result): (DeviceID, Outcome.Result) = (try id(), try word())
        let (context, launch) = (try context(), try optionalText())
        let details = Outcome.Details(
            path: try optionalText(), step: try optionalNumber(.step).map { Int($0) },
            duration: try optionalNumber(.duration).map { .milliseconds($0) })
        return Outcome(
            archive: archive, device: device, result: result, context: context, launch: launch.flatMap(LaunchID.init),
            details: details, reportedAt: try time())
    }

    static let changeColumns = "revision, kind, scene, archive, device, at"

    /// Reads the columns `changeColumns`.
    mutating func change() throws(StoreError) -> Change {
        let revision = try revision()
        let kind: Change.Kind = try word()
        return Change(
            revision: revision, kind: kind, scene: try optionalText(), archive: try optionalID(),
            device: try optionalID(), at: try time())
    }

    static let deviceColumns = """
        device.app, device.owner, device.uuid, device.idiom, device.model, device.name, device.system_version,
        device.created_at, device.last_seen_at, device.launch_number, device.launch
        """

    /// Reads the columns `deviceColumns`, and then whether the user is signed in.
    mutating func device() throws(StoreError) -> Device {
        let (owner, id): (UserKey, DeviceID) = (try owner(), try id())
        let idiom = try idiom()
        var device = Device(
            id: id, owner: owner, idiom: idiom, model: try optionalText(), name: try optionalText(),
            systemVersion: try optionalText(), createdAt: try time(), lastSeenAt: try time(), launch: try launch())
        device.isSignedIn = try bool()
        return device
    }

    private mutating func launch() throws(StoreError) -> CountedLaunch? {
        let (number, text) = (try optionalNumber(.launchNumber), try optionalText())
        guard let number else { return nil }
        guard let id = text.flatMap(LaunchID.init) else { throw .unknown("launch") }
        return CountedLaunch(number: number, id: id)
    }

    mutating func access() throws(StoreError) -> TokenAccess {
        guard let access = TokenAccess(rawValue: try number(.access)) else { throw .unknown("access") }
        return access
    }
}
