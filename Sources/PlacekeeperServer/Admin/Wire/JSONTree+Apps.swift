import RestorationService

extension JSONTree {
    init(_ app: App, usage: Usage) {
        self = [
            "id": .id(app.id), "bundleIdentifier": .text(app.bundleIdentifier),
            "publishableKey": .text(app.publishableKey), "createdAt": .time(app.createdAt),
            "restoration": .text(app.settings.restoration.rawValue), "usage": JSONTree(usage),
        ]
    }

    init(_ usage: Usage) {
        self = [
            "users": .number(usage.users), "devices": .number(usage.devices), "archives": .number(usage.archives),
            "bytes": .number(usage.bytes),
        ]
    }
}
