import PlacekeeperHTTP
import PlacekeeperAPI

// Requests about data sources and items. The default data source is `photos`.
extension ServerFixture {
    static let lines = "Content-Type: application/x-ndjson"

    @discardableResult
    func declare(_ scope: String = "registered", named name: String = "photos", by member: Member) async throws
        -> Answer
    {
        try await send(.put, "/v1/data-sources/\(name)", token: member.token, json: ["scope": scope])
    }

    /// Declares `photos` as registered. `uniqueAliases` is JSON.
    func declare(uniqueAliases: String, by member: Member) async throws -> Answer {
        let body = #"{"scope": "registered", "uniqueAliases": \#(uniqueAliases)}"#
        return try await send(.put, "/v1/data-sources/photos", token: member.token, body: Array(body.utf8))
    }

    /// Sends a delta, or JSON lines if `fields` has `lines`.
    @discardableResult
    func change(
        _ text: String, of name: String = "photos", by member: Member, fields: [String] = []
    ) async throws -> Answer {
        try await send(
            .patch, "/v1/data-sources/\(name)/items", token: member.token, fields: fields, body: Array(text.utf8))
    }

    func resolve(
        _ identifiers: [String], of device: String, in name: String = "photos", by member: Member
    ) async throws -> Answer {
        let body = try JSONText.value(Wire.ResolutionQuestion(device: device, identifiers: identifiers))
        return try await send(.post, "/v1/data-sources/\(name)/resolve", token: member.token, body: body)
    }

    func registration(of member: Member) async throws -> Wire.RegistrationState? {
        try await send(.get, "/v1/data-sources/photos", token: member.token).json(Wire.DataSource.self).registration
    }

    /// The registration state and items of a device.
    struct Registered: Equatable {
        var state: Wire.RegistrationState?
        var items: Set<Wire.Item>
    }

    func registered(by member: Member) async throws -> Registered {
        var items: [Wire.Item] = []
        var target: String? = "/v1/data-sources/photos/items"
        while let next = target {
            let page = try await send(.get, next, token: member.token).json(Wire.Page<Wire.Item>.self)
            items += page.items
            target = page.next.map { "/v1/data-sources/photos/items?cursor=\($0)" }
        }
        return Registered(state: try await registration(of: member), items: Set(items))
    }
}
