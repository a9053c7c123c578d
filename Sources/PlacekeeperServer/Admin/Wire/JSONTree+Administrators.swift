import PlacekeeperService

extension JSONTree {
    init(_ administrator: Administrator) {
        self = [
            "id": .id(administrator.id), "name": .text(administrator.name),
            "role": .text(administrator.role.rawValue), "createdAt": .time(administrator.createdAt),
            "lastSeenAt": administrator.lastSeenAt.map(JSONTree.time),
        ]
    }

    /// - Parameter text: the token itself, only in the response to its creation.
    init(_ token: APIToken, text: String? = nil) {
        self = [
            "id": .id(token.id), "label": .text(token.label), "role": .text(token.role.rawValue),
            "createdAt": .time(token.createdAt), "expiresAt": token.expiresAt.map(JSONTree.time),
            "lastUsedAt": token.lastUsedAt.map(JSONTree.time), "token": text.map(JSONTree.text),
        ]
    }
}
