import RestorationService

extension JSONTree {
    init(_ app: App, usage: Usage) {
        self = [
            "id": .id(app.id), "bundleIdentifier": .text(app.bundleIdentifier),
            "publishableKey": .text(app.publishableKey), "createdAt": .time(app.createdAt),
            "restoration": .text(app.settings.restoration.rawValue), "usage": JSONTree(usage),
        ]
    }

    init(_ event: AppChange) {
        let change = event.change
        self = [
            "kind": .text(change.kind.rawValue), "at": .time(change.at), "user": .id(event.user),
            "scene": change.scene.map(JSONTree.text), "archive": change.archive.map { .id($0) },
            "device": change.device.map { .id($0) },
        ]
    }

    init(_ usage: Usage) {
        self = [
            "users": .number(usage.users), "devices": .number(usage.devices), "archives": .number(usage.archives),
            "bytes": .number(usage.bytes),
        ]
    }
}
