import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `DELETE /v1/users/self`
    func eraseUser(_ caller: Caller) async throws -> Response {
        // If another request erased the user in the meantime, there is no such user any more, and the answer is the same.
        try await service.accounts.erase(caller.owner)
        return Response(.noContent)
    }
}
