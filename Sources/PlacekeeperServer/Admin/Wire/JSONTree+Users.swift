import PlacekeeperCore
import PlacekeeperService

extension JSONTree {
    /// - Parameter subject: nil if the user is anonymous, or if texts are redacted.
    init(_ user: UserOverview, _ subject: Subject?) {
        self = [
            "id": .id(user.user), "subject": (subject?.text).map(JSONTree.text),
            "signedIn": .truth(user.isSignedIn), "devices": .number(user.deviceCount),
            "archives": .number(user.archiveCount), "bytes": .number(user.bytes),
            "createdAt": user.createdAt.map(JSONTree.time), "lastSeenAt": user.lastSeenAt.map(JSONTree.time),
        ]
    }

    /// - Parameter subject: as in a list of users.
    init(_ found: FoundEntity, _ subject: Subject?) {
        self = [
            "kind": .text(found.archive != nil ? "archive" : found.device != nil ? "device" : "user"),
            "user": .id(found.user), "subject": (subject?.text).map(JSONTree.text),
            "device": found.device.map { .id($0) }, "scene": found.scene.map(JSONTree.text),
            "archive": found.archive.map { .id($0) },
        ]
    }

    /// - Parameters:
    ///   - redaction: that of the item's user.
    ///   - subject: as in a list of users.
    init(_ found: FoundItem, _ redaction: Redaction, _ subject: Subject?) {
        self = [
            "kind": .text("item"), "user": .id(found.list.owner.user),
            "subject": (subject?.text).map(JSONTree.text), "device": .id(found.device),
            "dataSource": .text(found.list.dataSource), "identifier": .text(redaction.identifier(found.identifier)),
        ]
    }

    init(_ page: UserPage, _ redaction: Redaction) {
        let summary = page.summary
        self = [
            "id": .id(summary.user),
            "subject": redaction.isOn ? nil : summary.subject.map { .text($0.text) },
            "signedIn": .truth(summary.subject != nil), "createdAt": summary.createdAt.map(JSONTree.time),
            "lastSeenAt": page.lastSeenAt.map(JSONTree.time), "archives": .number(page.usage.archives),
            "bytes": .number(page.usage.bytes),
            "devices": .list(summary.devices.map { JSONTree(redaction.device($0)) }),
            "scenes": .list(
                summary.scenes.map { scene in
                    [
                        "name": .text(scene.name), "archives": .number(scene.archiveCount),
                        "head": page.heads[scene.name].map { JSONTree($0, redaction) },
                        "forgottenAt": (scene.forgotten?.at).map(JSONTree.time),
                    ]
                }), "next": summary.nextScene.map(JSONTree.text),
        ]
    }

    private init(_ device: Device) {
        self = [
            "id": .id(device.id), "idiom": .text(device.idiom.name), "model": device.model.map(JSONTree.text),
            "name": device.name.map(JSONTree.text), "systemVersion": device.systemVersion.map(JSONTree.text),
            "createdAt": .time(device.createdAt), "lastSeenAt": .time(device.lastSeenAt),
        ]
    }

    init(_ entry: AuditEntry) {
        self = [
            "number": .number(entry.number), "at": .time(entry.at), "actor": .text(entry.actor.text),
            "action": .text(entry.action.rawValue), "kind": .text(entry.action.kind.rawValue),
            "about": entry.subject.map(JSONTree.digest), "detail": .text(entry.detail),
        ]
    }
}
