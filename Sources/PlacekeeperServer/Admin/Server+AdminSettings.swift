import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperJSON
import PlacekeeperMatching
import PlacekeeperService

extension Server {
    /// `POST /admin/api/apps`
    func createApp(_ requestContext: RequestContext, _ principal: AdminPrincipal) async throws -> Response {
        let body = try requestContext.members(self)
        let app = try await service.apps.createApp(try body.text("bundleIdentifier"), by: principal.auditor)
        var response = try await document(of: app, for: requestContext, status: .created)
        response.fields.add(.location, "/admin/api/apps/\(app.id)")
        return response
    }

    /// `GET /admin/api/apps/{app}`
    func readApp(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        try await document(of: look.app, for: requestContext)
    }

    /// `PATCH /admin/api/apps/{app}/settings`: a merge patch (RFC 7396) of the settings.
    func changeAppSettings(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        try await change(look, try requestContext.json(self, values: 10_000), for: requestContext)
    }

    /// `PUT /admin/api/apps/{app}/stopped-restores`: operators stop and allow restores, but change no other setting.
    func replaceStoppedRestores(_ requestContext: RequestContext, _ look: AppRead) async throws -> Response {
        guard let stops = try requestContext.json(self, values: 1000)["stoppedRestores"], case .array = stops else {
            throw Problem.invalid("stoppedRestores", "The member must be an array.")
        }
        return try await change(look, .object([Array("stoppedRestores".utf8): stops]), for: requestContext)
    }

    /// Applies a merge patch to an app's settings, if they have the entity tag in the field If-Match.
    private func change(
        _ look: AppRead, _ body: JSONValue, for requestContext: RequestContext
    ) async throws -> Response {
        let tag = tag(of: look.app)
        guard let matches = requestContext.head.ifMatchNames(tag) else {
            throw Problem(
                .preconditionRequired, "Send the entity tag of GET /admin/api/apps/{app} in the field If-Match.")
        }
        guard matches else { throw changed(tag) }
        let (settings, changes) = try SettingsPatch(body).applied(to: look.app.settings)
        var app = look.app
        if !changes.isEmpty {
            let isReplaced = try await service.apps.replaceSettings(
                of: app, with: settings, changing: changes, by: look.principal.auditor)
            guard isReplaced else { throw changed(self.tag(of: try await service.apps.app(.id(app.id)))) }
            app.settings = settings
        }
        return try await document(of: app, for: requestContext)
    }

    private func changed(_ tag: [UInt8]) -> Problem {
        var problem = Problem(
            .settingsChanged,
            "Somebody else changed the settings after you read them. Read them again, and repeat your change.")
        problem.fields.add(.etag, String(decoding: tag, as: UTF8.self))
        return problem
    }

    /// Returns the response with an app and its settings. The entity tag covers only the settings: the usage changes
    /// with each upload, which must not block a change of the settings.
    private func document(
        of app: App, for requestContext: RequestContext, status: Status = .ok
    ) async throws -> Response {
        let tree = JSONTree(app, usage: try await service.apps.usage(of: app.id))
        let settings: JSONTree = ["settings": .encoded(try app.settings.adminJSON.bytes)]
        var response = json(
            JSONTree.joined([tree, settings]).bytes, status, for: requestContext, isTagged: false)
        response.fields.add(.etag, String(decoding: tag(of: app), as: UTF8.self))
        return response
    }

    /// Returns the entity tag of an app's settings. Keyed, so it reveals nothing about the secrets of keys.
    private func tag(of app: App) -> [UInt8] {
        let text = (try? JSONBody.encode(app.settings)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var tag: [UInt8] = [0x22]
        tag.append(
            hexadecimal: UInt64(
                bitPattern: service.lists.keys(of: [.identifier(text)], for: .everyone(of: app.id))[0].rawValue))
        tag.append(0x22)
        return tag
    }
}
