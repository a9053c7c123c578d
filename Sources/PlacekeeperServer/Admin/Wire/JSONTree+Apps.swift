import PlacekeeperCore
import PlacekeeperService

extension JSONTree {
    init(_ app: App, usage: Usage) {
        self = [
            "id": .id(app.id), "bundleIdentifier": .text(app.bundleIdentifier),
            "publishableKey": .text(app.publishableKey), "createdAt": .time(app.createdAt),
            "beingDeleted": app.isBeingDeleted ? .truth(true) : nil,
            "restoration": .text(app.settings.restoration.rawValue), "usage": JSONTree(usage),
        ]
    }

    init(_ event: AppChange) {
        let change = event.change
        self = [
            "kind": .text(change.kind.rawValue), "at": .time(change.at), "user": .id(event.user),
            "revision": .number(change.revision.rawValue), "scene": change.scene.map(JSONTree.text),
            "archive": change.archive.map { .id($0) },
            "device": change.device.map { .id($0) }, "result": event.outcome.map { .text($0.result.rawValue) },
            "path": event.outcome?.details.path.map(JSONTree.text),
        ]
    }

    init(_ entry: AnswerFeed.Entry) {
        let answer = entry.answer
        let served = answer.served
        self = [
            "kind": .text(served == nil ? "restoreRefused" : "restoreServed"), "at": .time(answer.at),
            "user": .id(answer.owner.user), "scene": .text(answer.scene), "archive": served.map { .id($0.archive) },
            "device": .id(answer.device), "asked": JSONTree(answer.asked),
            "fidelity": served?.fidelity.map(JSONTree.fidelity),
            "reasons": .list(entry.reasons.map { JSONTree($0) }),
        ]
    }

    init(_ usage: Usage) {
        self = [
            "users": .number(usage.users), "devices": .number(usage.devices), "archives": .number(usage.archives),
            "bytes": .number(usage.bytes),
        ]
    }
}
