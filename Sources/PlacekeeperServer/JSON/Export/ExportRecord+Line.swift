import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// An error in a line's member that has the right type but an invalid value.
struct InvalidLine: Error {
    var message: String

    static func member(_ name: String) -> InvalidLine { InvalidLine(message: "The member \(name) is not valid.") }
}

extension ExportHeader {
    init(_ line: ExportLine.Header) throws(InvalidLine) {
        guard line.format == ExportLine.format else {
            throw InvalidLine(
                message: "The file has the format \(line.format), and this version reads format \(ExportLine.format).")
        }
        guard let user = UserID(line.user) else { throw .member("user") }
        var subject: Subject?
        if let text = line.subject {
            subject = Subject(text)
            guard subject != nil else { throw .member("subject") }
        }
        self.init(app: line.app, user: user, subject: subject, exportedAt: Timestamp(line.exportedAt))
    }
}

extension Timestamp {
    fileprivate init(_ time: Time) { self.init(milliseconds: time.milliseconds) }
}

extension ID {
    fileprivate init(_ text: String, member: String) throws(InvalidLine) {
        guard let id = Self(text) else { throw .member(member) }
        self = id
    }
}

extension ExportRecord {
    /// Converts a line between the header and the end.
    init(_ line: ExportLine, owner: UserKey) throws {
        switch line {
        case .header, .end: throw InvalidLine(message: "Unexpected header or end line inside the export.")
        case .revision(let line): self = .revision(Revision(rawValue: line.revision))
        case .device(let line): self = .device(try Device(line, owner))
        case .scene(let line): self = .scene(name: line.name, forgotten: try CaptureOrder.Forgotten(line))
        case .archive(let line): self = .archive(try ExportedArchive(line, owner))
        case .change(let line): self = .change(try Change(line))
        case .registration(let line):
            self = .registration(
                ExportedRegistration(
                    dataSource: line.dataSource, device: try DeviceID(line.device, member: "device"),
                    cursor: line.cursor, digest: try ItemDigest(line.digest)))
        case .item(let line):
            self = .item(
                ExportedItem(
                    dataSource: line.dataSource, device: try DeviceID(line.device, member: "device"),
                    item: Item(line.identifier, aliases: line.aliases, position: line.position),
                    changedAt: Timestamp(line.changedAt), since: line.since.map { Timestamp($0) },
                    isReuse: line.isReuse ?? false, removedAt: line.removedAt.map { Timestamp($0) },
                    replacedBy: line.replacedBy))
        case .decision(let line):
            guard let kind = Link.Kind(rawValue: line.decision) else { throw InvalidLine.member("decision") }
            self = .decision(
                Lists.Decision(
                    first: try ItemName(line.first), second: try ItemName(line.second), kind: kind, note: line.note,
                    decidedAt: Timestamp(line.decidedAt)), dataSource: line.dataSource)
        }
    }
}

extension Device {
    fileprivate init(_ line: ExportLine.Device, _ owner: UserKey) throws {
        self.init(
            id: try DeviceID(line.id, member: "id"), owner: owner, idiom: try Idiom(line.idiom), model: line.model,
            name: line.name, systemVersion: line.systemVersion, createdAt: Timestamp(line.createdAt),
            lastSeenAt: Timestamp(line.lastSeenAt))
    }
}

extension CaptureOrder.Forgotten {
    fileprivate init?(_ line: ExportLine.Scene) throws(InvalidLine) {
        switch (line.forgottenAt, line.forgottenRevision) {
        case (nil, nil): return nil
        case (let time?, let revision?): self.init(at: Timestamp(time), revision: Revision(rawValue: revision))
        default: throw .member("forgottenRevision")
        }
    }
}

extension Context {
    fileprivate init(_ context: Wire.Context) throws {
        self.init(
            idiom: try Idiom(context.idiom), layout: try context.layout.map { try Layout($0) },
            bundleVersion: context.bundleVersion, systemVersion: context.systemVersion,
            stateVersion: context.stateVersion)
    }
}

extension ExportedArchive {
    fileprivate init(_ line: ExportLine.Archive, _ owner: UserKey) throws {
        guard let bytes = Base64.decode(line.bytes) else { throw InvalidLine.member("bytes") }
        let id = try ArchiveID(line.id, member: "id")
        let screenshot = line.screenshot ?? line.snapshot
        let archive = Archive(
            id: id, scene: SceneKey(owner: owner, name: line.scene),
            device: try DeviceID(line.device, member: "device"), revision: Revision(rawValue: line.revision),
            capturedAt: Timestamp(line.capturedAt), writtenAt: Timestamp(line.writtenAt),
            receivedAt: Timestamp(line.receivedAt), sequence: line.sequence, context: try Context(line.context),
            digest: try Digest(hexadecimal: line.digest), size: line.size,
            summary: Archive.Summary(
                place: line.place, objectCount: line.objectCount, referenceCount: line.referenceCount),
            hasScreenshot: screenshot != nil, hasOutcomes: !line.outcomes.isEmpty,
            orderRevision: line.orderRevision.map(Revision.init), isViewOnly: line.isViewOnly ?? line.isGlance ?? false)
        self.init(
            archive: archive, bytes: bytes, screenshot: try screenshot.map { try Screenshot($0) },
            outcomes: try line.outcomes.map { outcome in
                Outcome(
                    archive: id, device: try DeviceID(outcome.device, member: "device"),
                    result: try Outcome.Result(outcome.result), context: try Context(outcome.context),
                    launch: try outcome.launch.map { try LaunchID(member: $0) },
                    details: Outcome.Details(path: outcome.path, step: outcome.step, duration: outcome.duration),
                    reportedAt: Timestamp(outcome.reportedAt))
            })
    }
}

extension Screenshot {
    fileprivate init(_ line: ExportLine.Screenshot) throws(InvalidLine) {
        guard let format = Format(rawValue: line.format) else { throw .member("format") }
        guard let bytes = Base64.decode(line.bytes) else { throw .member("bytes") }
        self.init(format: format, bytes: bytes)
    }
}

extension Change {
    fileprivate init(_ line: ExportLine.Change) throws(InvalidLine) {
        guard let kind = Kind(rawValue: line.change.rawValue) else { throw .member("change") }
        self.init(
            revision: Revision(rawValue: line.revision), kind: kind, scene: line.scene,
            archive: try line.archive.map { (text) throws(InvalidLine) in try ArchiveID(text, member: "archive") },
            device: try line.device.map { (text) throws(InvalidLine) in try DeviceID(text, member: "device") },
            at: Timestamp(line.at))
    }
}

extension ItemName {
    fileprivate init(_ line: ExportLine.Decision.End) throws(InvalidLine) {
        self.init(device: try DeviceID(line.device, member: "device"), identifier: line.identifier)
    }
}

extension Digest {
    fileprivate init(hexadecimal text: String) throws(InvalidLine) {
        guard let bytes = [UInt8](hexadecimal: text), let digest = Digest(bytes: bytes) else {
            throw .member("digest")
        }
        self = digest
    }
}

extension ItemDigest {
    fileprivate init(_ text: String) throws(InvalidLine) {
        guard let bytes = [UInt8](hexadecimal: text), bytes.count == 16 else { throw .member("digest") }
        let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: words[0], low: words[1])
    }
}

extension [UInt8] {
    /// Parses lowercase hexadecimal digits. Nil for any other text.
    fileprivate init?(hexadecimal text: String) {
        self = []
        var high: UInt8?
        for byte in text.utf8 {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            if let left = high {
                append(left << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        if high != nil { return nil }
    }
}
