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
}
