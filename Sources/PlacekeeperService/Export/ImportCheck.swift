import PlacekeeperCore
import PlacekeeperMatching

/// Checks the values, order and number of an import's records, one after another. The file comes from outside the
/// service, so it is not trusted.
struct ImportCheck {
    /// The part of the file to which the last record belongs.
    private enum Part: Int {
        case start, revision, devices, scenes, changes, dataSources
    }

    /// The devices checked so far.
    private(set) var devices: [Device] = []
    private let owner: UserKey
    private let now: Timestamp
    private let itemLimit: Int
    private let hashing: any Hashing
    private var part = Part.start
    private var latest = Revision(rawValue: 0)
    private var firstChange: Revision?
    private var lastChange = Revision(rawValue: 0)
    private var changeCount = 0
    private var sceneCount = 0
    private var scene: String?
    private var position: Archive.Position?
    private var archives: Set<ArchiveID> = []
    private var dataSource: String?
    private var registered: Set<DeviceID> = []
    private var registrationCount = 0
    private var registration: ExportedRegistration?
    private var itemCount = 0
    private var liveCount = 0
    private var decisionCount = 0

    init(of owner: UserKey, at now: Timestamp, itemLimit: Int, hashing: any Hashing) {
        self.owner = owner
        self.now = now
        self.itemLimit = itemLimit
        self.hashing = hashing
    }

    /// The user described by the checked records. No record has a greater revision than the user.
    var user: ImportedUser {
        ImportedUser(
            owner: owner, createdAt: now, revision: latest,
            prunedThrough: firstChange.map { Revision(rawValue: $0.rawValue - 1) } ?? latest)
    }

    mutating func add(_ record: ExportRecord) throws(ServiceError) {
        switch record {
        case .revision(let revision): try add(revision)
        case .device(let device): try add(device)
        case .scene(let name, let forgotten): try add(name, forgotten)
        case .archive(let archive): try add(archive)
        case .change(let change): try add(change)
        case .registration(let registration): try add(registration)
        case .item(let item): try add(item)
        case .decision(let decision, let name): try add(decision, name)
        }
    }

    /// Checks that the file contains the line with the revision, which every export has.
    func end() throws(ServiceError) { try require(part != .start, "The line with the revision is missing.") }

    private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(ServiceError) {
        guard condition else { throw ServiceError(.importInvalid, message()) }
    }

    private mutating func enter(_ next: Part) throws(ServiceError) {
        try require(part != .start || next == .revision, "The first line after the header must be the revision.")
        try require(part.rawValue <= next.rawValue, "The line is out of order.")
        part = next
    }

    private func check(_ times: Timestamp...) throws(ServiceError) {
        for time in times {
            try require(time.milliseconds >= 0, "A time is before 1970.")
            try require(time <= now, "A time is later than this machine's clock. Check the clock.")
        }
    }

    private func check(_ revision: Revision) throws(ServiceError) {
        try require(
            StoredNumber.imported.contains(revision.rawValue), "The revision \(revision.rawValue) is out of range.")
    }

    private mutating func note(_ revision: Revision) throws(ServiceError) {
        try require(revision.rawValue > 0, "A revision is not positive.")
        try check(revision)
        latest = max(latest, revision)
    }

    private mutating func add(_ revision: Revision) throws(ServiceError) {
        try require(part == .start, "The line with the revision is repeated.")
        try check(revision)
        part = .revision
        latest = revision
    }

    private mutating func add(_ device: Device) throws(ServiceError) {
        try enter(.devices)
        try require(devices.count < Limits.devices, "The file has more than \(Limits.devices) devices.")
        try require(!devices.contains { $0.id == device.id }, "A device is repeated.")
        try check(device.createdAt, device.lastSeenAt)
        for (member, text) in [
            ("name", device.name), ("model", device.model), ("systemVersion", device.systemVersion),
        ] {
            try Validation.deviceText(text, member: member)
        }
        devices.append(device)
    }

    private mutating func add(_ name: String, _ forgotten: CaptureOrder.Forgotten?) throws(ServiceError) {
        try enter(.scenes)
        try Validation.sceneName(name)
        try require(scene.map { $0 < name } ?? true, "The scenes are not in the order of their names.")
        sceneCount += 1
        let limit = App.Settings.Quotas.none.knownScenes
        try require(sceneCount <= limit, "The file has more than \(limit) scenes.")
        if let forgotten {
            try check(forgotten.at)
            try note(forgotten.revision)
        }
        scene = name
        position = nil
        archives.removeAll()
    }

    private mutating func add(_ exported: ExportedArchive) throws(ServiceError) {
        try enter(.scenes)
        let archive = exported.archive
        try require(archive.scene.name == scene, "An archive must come after its scene.")
        try require(
            position.map { archive.position < $0 } ?? true, "The archives of a scene are not in descending order.")
        try require(archives.count < Limits.importedArchives, "A scene has too many archives.")
        try require(archives.insert(archive.id).inserted, "An archive is repeated.")
        position = archive.position
        try note(archive.revision)
        try check(archive.orderRevision)
        try require(archive.orderRevision <= archive.revision, "The order revision of an archive is too large.")
        try check(archive.capturedAt, archive.writtenAt, archive.receivedAt)
        try require(archive.sequence ?? 0 >= 0, "A capture sequence is negative.")
        try Validation.context(archive.context)
        try checkSummary(archive.summary)
        try checkBytes(exported)
        try require(exported.outcomes.count <= Retention.outcomes, "An archive has too many outcomes.")
        for outcome in exported.outcomes {
            try check(outcome.reportedAt)
            try Validation.context(outcome.context)
            try Validation.outcome(outcome.details)
        }
    }

    private func checkSummary(_ summary: Archive.Summary) throws(ServiceError) {
        let isBounded =
            summary.place.count <= Limits.summarySteps
            && summary.place.allSatisfy { $0.utf8.count <= Limits.summaryTitle }
            && 0...Limits.archive ~= summary.objectCount && 0...Limits.archive ~= summary.referenceCount
        try require(isBounded, "The summary of an archive is too large.")
    }

    /// Applies the checks of an upload to the bytes.
    private func checkBytes(_ exported: ExportedArchive) throws(ServiceError) {
        let bytes = exported.bytes
        try require(bytes.count <= Limits.archive, "An archive can have at most \(Limits.archive) bytes.")
        try require(bytes.count == exported.archive.size, "An archive does not have its stated size.")
        try require(hashing.sha256(bytes) == exported.archive.digest, "An archive's bytes do not have its digest.")
        do {
            _ = try ArchiveFacts(reading: bytes)
        } catch {
            throw ServiceError(.importInvalid, "An archive cannot be read. \(error.message)")
        }
        guard let screenshot = exported.screenshot else { return }
        try require(
            screenshot.bytes.count <= Limits.screenshot && Screenshot.Format(of: screenshot.bytes) == screenshot.format,
            "A screenshot is too large, or not an image of its stated format.")
    }

    private mutating func add(_ change: Change) throws(ServiceError) {
        try enter(.changes)
        try note(change.revision)
        try require(lastChange < change.revision, "The changes are not in the order of their revisions.")
        try check(change.at)
        if let scene = change.scene { try Validation.sceneName(scene) }
        changeCount += 1
        try require(changeCount <= 2 * Limits.changesBehind, "The file has too many changes.")
        firstChange = firstChange ?? change.revision
        lastChange = change.revision
    }

    /// Begins a data source's part, unless it has already begun.
    private mutating func enter(dataSource name: String) throws(ServiceError) {
        try enter(.dataSources)
        guard dataSource != name else { return }
        try Validation.dataSourceName(name)
        try require(dataSource.map { $0 < name } ?? true, "The data sources are not in the order of their names.")
        dataSource = name
        registered.removeAll()
        registration = nil
        decisionCount = 0
    }

    private mutating func add(_ new: ExportedRegistration) throws(ServiceError) {
        try enter(dataSource: new.dataSource)
        try require(decisionCount == 0, "A registration must come before the decisions.")
        try require(registered.insert(new.device).inserted, "A registration is repeated.")
        try require(registered.count <= Limits.registries, "A data source has too many registrations.")
        registrationCount += 1
        try require(registrationCount <= Limits.importedRegistrations, "The file has too many registrations.")
        try check(Revision(rawValue: new.cursor))
        registration = new
        itemCount = 0
        liveCount = 0
    }

    private mutating func add(_ item: ExportedItem) throws(ServiceError) {
        try enter(.dataSources)
        try require(
            decisionCount == 0 && registration?.dataSource == item.dataSource && registration?.device == item.device,
            "An item must come after its registration.")
        itemCount += 1
        liveCount += item.removedAt == nil ? 1 : 0
        try require(
            liveCount <= itemLimit && itemCount <= 2 * itemLimit,
            "A registration can have at most \(itemLimit) items, and as many removed items.")
        try Validation.identifier(item.item.identifier, at: ["identifier"])
        try require(item.item.aliases.count <= Limits.aliases, "An item has too many aliases.")
        for (index, alias) in item.item.aliases.enumerated() {
            try Validation.alias(alias, at: ["aliases", .index(index)])
        }
        try check(item.changedAt)
        if let since = item.since { try check(since) }
        if let removedAt = item.removedAt { try check(removedAt) }
        guard let successor = item.replacedBy else { return }
        try require(item.removedAt != nil, "An item is replaced, but not removed.")
        try Validation.identifier(successor, at: ["replacedBy"])
    }

    private mutating func add(_ decision: Lists.Decision, _ name: String) throws(ServiceError) {
        try enter(dataSource: name)
        decisionCount += 1
        try require(decisionCount <= Limits.links, "A data source has too many decisions.")
        try require(decision.first.device < decision.second.device, "The items of a decision are not in order.")
        try Validation.identifier(decision.first.identifier, at: ["first", "identifier"])
        try Validation.identifier(decision.second.identifier, at: ["second", "identifier"])
        try require(decision.note.utf8.count <= Limits.identifier, "The note of a decision is too long.")
        try check(decision.decidedAt)
    }
}
