import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `DELETE /v1/users/self`
    func eraseUser(_ principal: Principal) async throws -> Response {
        // If another request erased the user in the meantime, the response is the same.
        try await service.accounts.erase(principal.owner)
        return Response(.noContent)
    }
}
