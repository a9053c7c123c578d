import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `DELETE …/archives/{archive}`
    func deleteUsersArchive(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, id) = (try requestContext.scene(of: look), try requestContext.usersArchive())
        try await look.begin("archive \(id)", as: .archiveDeleted)
        let end = try await service.archives.deleteUndoably(id, in: scene)
        return json((["undoableUntil": .time(end)] as JSONTree).bytes, for: requestContext)
    }

    /// `GET …/scenes/{scene}/deleted-archives`: the latest deletion first.
    func listDeletedArchives(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let scene = try requestContext.scene(of: look)
        try await look.begin("deleted archives")
        let found = try await service.archives.deletedArchives(in: scene)
        return json(JSONTree(page: found.map { JSONTree($0) }).bytes, for: requestContext)
    }

    /// `POST …/archives/{archive}/undelete`
    func undeleteArchive(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        let (scene, id) = (try requestContext.scene(of: look), try requestContext.usersArchive())
        try await look.begin("archive \(id)", as: .archiveUndeleted)
        let entry = try await service.archives.undelete(id, in: scene, of: look.app)
        return json(JSONTree(entry, look.redaction).bytes, for: requestContext)
    }

    /// `DELETE /admin/api/apps/{app}/users/{user}`
    func eraseUsersData(_ look: UserRead) async throws -> Response {
        guard try await service.accounts.erase(look.owner, by: look.principal.auditor) else {
            throw Problem(.userNotFound, "The app has no such user.")
        }
        return Response(.noContent)
    }

    /// `DELETE …/devices/{device}`
    func revokeUsersDevice(_ requestContext: RequestContext, _ look: UserRead) async throws -> Response {
        guard let id: DeviceID = requestContext.id(\.parameters.2) else {
            throw Problem(.deviceNotFound, "The user has no such device.")
        }
        try await look.begin("device \(id)", as: .deviceRevoked)
        try await service.devices.revoke(id, of: look.owner)
        return Response(.noContent)
    }
}
