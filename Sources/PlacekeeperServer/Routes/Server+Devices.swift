import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperHTTP
import PlacekeeperService

extension Server {
    /// `POST /v1/devices`
    func registerDevice(_ requestContext: RequestContext) async throws -> Response {
        // A page of an unlisted origin can send only other types without a preflight.
        let type = requestContext.head.mediaType
        guard type == "application/json" || type == nil && requestContext.head[.origin] == nil else {
            throw Problem(.unsupportedMediaType, "A registration has the Content-Type application/json.")
        }
        let client = client(of: requestContext.request)
        if !client.isExempt { try consumeRegistration(of: client.network) }
        let body = try requestContext.body(Wire.Registration.self, self)
        var registration = Registration(
            publishableKey: body.app, idiom: try Idiom(body.idiom), model: body.model, name: body.name,
            systemVersion: body.systemVersion, installation: try installation(body.installation, in: "installation"),
            linkCode: body.linkCode, source: client.network)
        registration.isExempt = client.isExempt
        registration.launch = try requestContext.head.countedLaunch()
        if let original = try installation(body.copyOf, in: "copyOf") { registration.joins = .copy(of: original) }
        if let token = body.signInToken { registration.joins = .account(token: token) }
        guard body.linkCode != nil else {
            return try created(try await service.devices.register(registration), for: requestContext)
        }
        return try await linking(from: client.network) {
            try created(try await service.devices.register(registration), for: requestContext)
        }
    }

    private func created(_ registered: Registered, for requestContext: RequestContext) throws -> Response {
        let device = registered.device
        var response = try json(
            Wire.Registered(
                device: device.id.description, token: registered.token, user: device.owner.user.description,
                isSignedIn: device.isSignedIn),
            .created, for: requestContext)
        response.fields.add(.location, "/v1/devices/self")
        return response
    }

    private func installation(
        _ installation: Wire.Installation?, in member: String
    ) throws(Problem) -> (id: InstallationID, secret: String)? {
        guard let installation else { return nil }
        guard let id = InstallationID(installation.id) else {
            var problem = Problem(.invalidBody, "An installation's id is a UUID.")
            problem.point(to: [member, "id"])
            throw problem
        }
        return (id, installation.secret)
    }

    /// `GET /v1/devices`
    func listDevices(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let devices = try await service.devices.devices(for: principal)
        return try json(Wire.Page(items: devices.map { Wire.Device($0, asked: principal) }), for: requestContext)
    }

    /// `GET /v1/devices/self`
    func readOwnDevice(_ requestContext: RequestContext, _ principal: Principal) throws -> Response {
        try json(Wire.Device(principal.device, asked: principal), for: requestContext)
    }

    /// `PATCH /v1/devices/self`
    func describeOwnDevice(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let body = try requestContext.body(Wire.DevicePatch.self, self)
        let device = try await service.devices.describe(
            principal,
            as: DeviceDescription(
                idiom: try body.idiom.map { word throws(Problem) in try Idiom(word) }, name: body.name,
                model: body.model, systemVersion: body.systemVersion))
        return try json(Wire.Device(device, asked: principal), for: requestContext)
    }

    /// `POST /v1/devices/self/sign-in`
    func signIn(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let body = try requestContext.body(Wire.SignIn.self, self)
        return try json(
            Wire.Device(try await service.accounts.signIn(principal, with: body.token), asked: principal),
            for: requestContext
        )
    }

    /// `POST /v1/devices/self/sign-out`
    func signOut(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let body = try requestContext.body(Wire.SignOut.self, self)
        guard let registered = try await service.accounts.signOut(principal, registersAnew: body.next == .anonymous)
        else {
            return Response(.noContent)
        }
        return try created(registered, for: requestContext)
    }

    /// `POST /v1/devices/self/token`
    func replaceToken(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let isEmpty = requestContext.request.body.isEmpty
        let body = isEmpty ? Wire.TokenRequest() : try requestContext.body(Wire.TokenRequest.self, self)
        let access = body.access ?? .full
        let token = try await service.devices.replaceToken(
            of: principal, access: try TokenAccess(access), presented: requestContext.head.bearerToken ?? [],
            revokesPrevious: body.revokesPrevious ?? false)
        return try json(Wire.NewToken(token: token, access: access), .created, for: requestContext)
    }

    /// `DELETE /v1/devices/{device}`
    func revokeDevice(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        guard let device = DeviceID(requestContext.head.bytes[requestContext.match.parameters.0]) else {
            throw Problem(.deviceNotFound, "There is no such device.")
        }
        return try await revoke(device, principal)
    }

    /// Revokes a device, for `DELETE /v1/devices/{device}` and for `DELETE /v1/devices/self`.
    func revoke(_ device: DeviceID, _ principal: Principal) async throws -> Response {
        try await service.devices.revoke(device, for: principal)
        return Response(.noContent)
    }

    /// `POST /v1/link-codes`
    func createLinkCode(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let (code, expiresAt) = try await service.devices.createLinkCode(for: principal)
        return try json(Wire.LinkCode(code: code, expiresAt: Time(expiresAt)), .created, for: requestContext)
    }

    /// `POST /v1/devices/self/link`
    func linkOwnDevice(_ requestContext: RequestContext, _ principal: Principal) async throws -> Response {
        let body = try requestContext.body(Wire.Link.self, self)
        return try await linking(from: client(of: requestContext.request).network) {
            try json(
                Wire.Device(try await service.devices.link(principal, with: body.code), asked: principal),
                for: requestContext
            )
        }
    }

    /// Links a device. The service limits wrong codes per device, but anyone can register many devices. So failed
    /// attempts are also limited per client network, on all routes together.
    private func linking(from client: String, _ link: () async throws -> Response) async throws -> Response {
        if let wait = wrongLinks.wait(client, at: service.clock.uptime()) {
            let excess = Quota.Excess("link-attempts", wrongLinks.quota, wait: wait)
            throw ServiceError(exceeding: excess, "Too many attempts from this address. Try again later.")
        }
        do {
            return try await link()
        } catch let error as ServiceError {
            if [.linkCodeInvalid, .tooManyDevices, .tooManyScenes, .quotaExceeded].contains(error.code) {
                wrongLinks.consume(client, at: service.clock.uptime())
            }
            throw error
        }
    }
}
