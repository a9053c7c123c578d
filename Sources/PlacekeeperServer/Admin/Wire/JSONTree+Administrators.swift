import PlacekeeperService

extension JSONTree {
    /// - Parameter invitation: the link to set a password, only in the response to the creation.
    init(_ administrator: Administrator, invitation: Invitation? = nil) {
        self = [
            "id": .id(administrator.id), "name": .text(administrator.name),
            "role": .text(administrator.role.rawValue), "createdAt": .time(administrator.createdAt),
            "lastSeenAt": administrator.lastSeenAt.map(JSONTree.time),
            "hasSecondFactor": .truth(administrator.hasSecondFactor), "invitation": invitation.map { JSONTree($0) },
        ]
    }

    init(_ invitation: Invitation) {
        self = [
            "path": .text("/admin/#/invitation/" + invitation.text), "invitation": .text(invitation.text),
            "expiresAt": .time(invitation.expiresAt),
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
