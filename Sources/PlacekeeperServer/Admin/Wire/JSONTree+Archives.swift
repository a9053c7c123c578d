import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService

extension JSONTree {
    init(_ context: Context) {
        self = [
            "idiom": .text(context.idiom.name), "layout": context.layout.map { .text($0.name) },
            "bundleVersion": context.bundleVersion.map(JSONTree.text),
            "systemVersion": context.systemVersion.map(JSONTree.text),
            "stateVersion": context.stateVersion.map(JSONTree.number),
        ]
    }

    init(_ archive: Archive, _ redaction: Redaction) {
        self = [
            "id": .id(archive.id), "scene": .text(archive.scene.name), "device": .id(archive.device),
            "revision": .number(archive.revision.rawValue), "capturedAt": .time(archive.stateTime),
            "receivedAt": .time(archive.receivedAt), "sequence": archive.sequence.map(JSONTree.number),
            "context": JSONTree(archive.context), "size": .number(archive.size),
            "place": .list(archive.summary.titles.map { .text(redaction.title($0)) }),
            "objectCount": .number(archive.summary.objectCount),
            "referenceCount": .number(archive.summary.referenceCount), "hasScreenshot": .truth(archive.hasScreenshot),
            "digest": .digest(archive.digest),
        ]
    }

    init(_ deleted: DeletedArchive) {
        self = [
            "archive": .id(deleted.archive.id), "device": .id(deleted.archive.device),
            "deletedAt": .time(deleted.deletedAt),
            "undoableUntil": .time(deleted.deletedAt + Retention.tombstones),
            "capturedAt": .time(deleted.archive.stateTime), "context": JSONTree(deleted.archive.context),
            "byteCount": .number(deleted.archive.size),
        ]
    }

    static func digest(_ digest: Digest) -> JSONTree {
        var digits: [UInt8] = []
        let words = digest.words
        digits.append(hexadecimal: words.0, words.1, words.2, words.3)
        return .text(String(decoding: digits, as: UTF8.self))
    }

    init(_ entry: TimelineEntry, _ redaction: Redaction) {
        let counts = entry.counts
        func count(_ result: Outcome.Result) -> JSONTree { .number(counts[result] ?? 0) }
        self = .joined([
            JSONTree(entry.archive, redaction),
            [
                "isHead": .truth(entry.isHead), "isLate": .truth(entry.isLate), "isViewOnly": .truth(entry.isViewOnly),
                "isBelowAllWork": .truth(entry.archive.capturedAt == .belowAllWork),
                "quarantines": .list(entry.quarantines.map(JSONTree.init)),
                "outcomes": [
                    "restored": count(.restored), "failed": count(.failed), "crashed": count(.crashed),
                    "abandoned": count(.abandoned), "began": count(.began),
                ],
            ],
        ])
    }

    private init(_ quarantine: TimelineEntry.Quarantine) {
        self = [
            "idiom": .text(quarantine.idiom.name), "bundleVersion": quarantine.bundleVersion.map(JSONTree.text),
            "result": .text(quarantine.result.rawValue), "path": quarantine.path.map(JSONTree.text),
        ]
    }

    init(_ outcome: Outcome) {
        self = [
            "device": .id(outcome.device), "result": .text(outcome.result.rawValue),
            "context": JSONTree(outcome.context), "path": outcome.details.path.map(JSONTree.text),
            "step": outcome.details.step.map { .number($0) },
            "duration": outcome.details.seconds.map { .encoded(Array("\($0)".utf8)) },
            "reportedAt": .time(outcome.reportedAt),
        ]
    }

    init(_ reference: ModelReference, at index: Int, _ redaction: Redaction) {
        self = [
            "index": .number(index), "dataSource": .text(reference.dataSource),
            "identifier": reference.element.identifier.map { .text(redaction.identifier($0)) },
            "aliases": .list(redaction.aliases(reference.element.aliases).map(JSONTree.text)),
            "role": .text(reference.role.rawValue),
        ]
    }

    init(_ change: ArchiveDifference.Change, isRedacted: Bool) {
        func value(_ value: ArchiveInspection.Value?) -> JSONTree? {
            // Without a key, the value is a class name.
            value.map { .encoded($0.jsonBytes(isRedacted: isRedacted && change.key != nil)) }
        }
        self = [
            "kind": .text(change.before == nil ? "added" : change.after == nil ? "removed" : "changed"),
            "path": .text(change.section + (change.key.map { "/" + $0 } ?? "")), "section": .text(change.section),
            "key": change.key.map(JSONTree.text), "before": value(change.before), "after": value(change.after),
        ]
    }
}
