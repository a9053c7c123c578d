import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

extension Digest {
    /// The digest as 64 hexadecimal digits.
    var hexadecimal: String {
        var digits: [UInt8] = []
        digits.append(hexadecimal: words.0, words.1, words.2, words.3)
        return String(decoding: digits, as: UTF8.self)
    }
}

extension ExportLine.Header {
    init(_ header: ExportHeader, version: String) {
        self.init(
            format: ExportLine.format, app: header.app, user: header.user.description, subject: header.subject?.text,
            exportedAt: Time(header.exportedAt), version: version)
    }
}

extension ExportLine {
    init(_ record: ExportRecord) {
        self =
            switch record {
            case .revision(let revision): .revision(LatestRevision(revision: revision.rawValue))
            case .device(let device): .device(Device(device))
            case .scene(let name, let forgotten):
                .scene(
                    Scene(
                        name: name, forgottenAt: forgotten.map { Time($0.at) },
                        forgottenRevision: forgotten?.revision.rawValue))
            case .archive(let archive): .archive(Archive(archive))
            case .change(let change): .change(Change(change))
            case .registration(let registration):
                .registration(
                    Registration(
                        dataSource: registration.dataSource, device: registration.device.description,
                        cursor: registration.cursor, digest: registration.digest.description))
            case .item(let item): .item(Item(item))
            case .decision(let decision, let name): .decision(Decision(decision, name))
            }
    }
}

extension ExportLine.Device {
    init(_ device: Device) {
        self.init(
            id: device.id.description, idiom: Wire.Idiom(device.idiom), model: device.model, name: device.name,
            systemVersion: device.systemVersion, createdAt: Time(device.createdAt),
            lastSeenAt: Time(device.lastSeenAt))
    }
}

extension ExportLine.Archive {
    init(_ exported: ExportedArchive) {
        let archive = exported.archive
        self.init(
            id: archive.id.description, scene: archive.scene.name, device: archive.device.description,
            revision: archive.revision.rawValue,
            orderRevision: archive.orderRevision == archive.revision ? nil : archive.orderRevision.rawValue,
            isViewOnly: archive.isViewOnly ? true : nil, capturedAt: Time(archive.capturedAt),
            writtenAt: Time(archive.writtenAt), receivedAt: Time(archive.receivedAt), sequence: archive.sequence,
            context: Wire.Context(archive.context), digest: archive.digest.hexadecimal, size: archive.size,
            place: archive.summary.place, objectCount: archive.summary.objectCount,
            referenceCount: archive.summary.referenceCount, bytes: Base64.encode(exported.bytes),
            screenshot: exported.screenshot.map {
                ExportLine.Screenshot(format: $0.format.rawValue, bytes: Base64.encode($0.bytes))
            },
            outcomes: exported.outcomes.map { outcome in
                ExportLine.Outcome(
                    device: outcome.device.description, result: Wire.Outcome.Result(rawValue: outcome.result.rawValue),
                    context: Wire.Context(outcome.context), launch: outcome.launch?.text, path: outcome.details.path,
                    step: outcome.details.step.map(Int64.init), duration: outcome.details.seconds,
                    reportedAt: Time(outcome.reportedAt))
            })
    }
}

extension ExportLine.Change {
    init(_ change: Change) {
        let wire = Wire.Change(change)
        self.init(
            revision: wire.revision, change: wire.kind, scene: wire.scene, archive: wire.archive, device: wire.device,
            at: wire.at)
    }
}

extension ExportLine.Item {
    init(_ exported: ExportedItem) {
        self.init(
            dataSource: exported.dataSource, device: exported.device.description, identifier: exported.item.identifier,
            aliases: exported.item.aliases, position: exported.item.position, changedAt: Time(exported.changedAt),
            since: exported.since.flatMap { $0 == exported.changedAt ? nil : Time($0) },
            isReuse: exported.isReuse ? true : nil, removedAt: exported.removedAt.map { Time($0) },
            replacedBy: exported.replacedBy)
    }
}

extension ExportLine.Decision {
    init(_ decision: Lists.Decision, _ dataSource: String) {
        self.init(
            dataSource: dataSource, decision: decision.kind.rawValue, first: End(decision.first),
            second: End(decision.second), note: decision.note, decidedAt: Time(decision.decidedAt))
    }
}

extension ExportLine.Decision.End {
    init(_ item: ItemName) { self.init(device: item.device.description, identifier: item.identifier) }
}
