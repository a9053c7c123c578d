import HTTPCodec
import PlacekeeperAPI
import RestorationService
import Testing

@testable import PlacekeeperServer

/// The isolation matrix: each route with each kind of token. The rows come from the route table, so a new route does
/// not compile until `Route.isolation` and `Route.probes` classify it. Each cell has its own world.
@Suite(.timeLimit(.minutes(20))) struct IsolationMatrixTests {
    @Test(arguments: Route.allCases) func answersTheOwner(_ route: Route) async throws {
        for index in try await probes(of: route).indices {
            let world = try await World()
            let probe = try probes(of: route, in: world)[index]
            let answer = try await world.send(probe, with: .owner)
            #expect(answer.status == probe.owner, "\(probe.target): \(answer.text)")
            #expect(answer[.requestID] != nil)
            #expect(answer[.contentTypeOptions] == "nosniff")
        }
    }

    /// The classification and the probes of a route tell the same.
    @Test(arguments: Route.allCases) func classifiesEachRoute(_ route: Route) async throws {
        #expect(route.needsToken == (route.isolation != .open))
        for probe in try await probes(of: route) {
            switch (route.isolation, probe.others) {
            case (.open, .sameForAll), (.userWide, .asIfMissing), (.secret, .admitted), (.appWide, .admitted): break
            // The registrations of a data source belong to the user.
            case (.appWide, .asIfMissing): #expect(route == .readDataSource)
            case (.named, .asIfMissing(let status)): #expect(status == 404, "\(probe.target)")
            default: Issue.record("\(probe.target) does not fit \(route.isolation)")
            }
        }
    }

    /// The response is the constant response 401, whatever the reason is. Routes that need no token answer as always.
    @Test(arguments: Route.allCases, TokenKind.invalid)
    func answersEveryInvalidTokenAlike(_ route: Route, _ kind: TokenKind) async throws {
        var world = try await World()
        let probes = try probes(of: route, in: world)
        try await world.prepare(kind)
        guard route.needsToken else {
            for probe in probes {
                // The same request in the same world without a token.
                let withoutToken = try await world.send(probe, with: .missing)
                var twin = try await World()
                try await twin.prepare(kind)
                let answer = try await twin.send(probe, with: kind)
                #expect(answer.comparable == withoutToken.comparable, "\(probe.target)")
            }
            return
        }
        let constant = try await ServerFixture().send(.get, "/v1/places")
        #expect(constant.status == 401 && constant.code == .unauthorized && constant[.wwwAuthenticate] == "Bearer")
        let before = try await world.contents()
        for probe in probes {
            let answer = try await world.send(probe, with: kind)
            #expect(answer.comparable == constant.comparable, "\(probe.target)")
        }
        #expect(try await world.contents() == before, "the request changed the store")
    }

    @Test(arguments: Route.allCases) func refusesWritesOfReadOnlyTokens(_ route: Route) async throws {
        for index in try await probes(of: route).indices {
            let world = try await World()
            let probe = try probes(of: route, in: world)[index]
            let before = try await world.contents()
            let answer = try await world.send(probe, with: .readOnly)
            if route.needsToken {
                #expect(try await world.contents() == before, "\(probe.target) changed the store")
            }
            if route.needsToken, route.writes {
                #expect(answer.status == 403 && answer.code == .readOnly, "\(probe.target): \(answer.text)")
            } else {
                let full = try await World().send(probe, with: .owner)
                #expect(answer.comparable == full.comparable, "\(probe.target)")
            }
        }
    }

    /// The response does not depend on whether the owner exists, and the owner's data stays unchanged.
    @Test(arguments: Route.allCases, [TokenKind.otherUser, .otherApp])
    func hidesTheOwnersDataFromOthers(_ route: Route, _ kind: TokenKind) async throws {
        for index in try await probes(of: route).indices {
            let world = try await World()
            let probe = try probes(of: route, in: world)[index]
            let before = try await world.contents(of: world.ownerKey)
            let answer = try await world.send(probe, with: kind)
            let expected = kind == .otherUser ? probe.statusForOtherUser : probe.statusForOtherApp
            #expect(answer.status == expected, "\(probe.target): \(answer.text)")
            if kind == .otherUser, probe.admitsOtherUser { continue }
            let withoutOwner = try await World(hasOwner: false)
            #expect(withoutOwner.tokens[kind] == world.tokens[kind])
            let missing = try await withoutOwner.send(probe, with: kind)
            #expect(answer.comparable == missing.comparable, "\(probe.target) reveals the owner's data")
            #expect(try await world.contents(of: world.ownerKey) == before, "\(probe.target) changed the owner's data")
        }
    }

    /// The codec leaves the content of a response to HEAD out, so both responses have the same content here.
    @Test(arguments: Route.allCases.filter { $0.method == .get }, TokenKind.allCases)
    func answersHeadLikeGet(_ route: Route, _ kind: TokenKind) async throws {
        for index in try await probes(of: route).indices {
            var (world, twin) = (try await World(), try await World())
            let probe = try probes(of: route, in: world)[index]
            try await world.prepare(kind)
            try await twin.prepare(kind)
            let get = try await world.send(probe, with: kind)
            let head = try await twin.send(probe, with: kind, method: .head)
            #expect(head.comparable == get.comparable, "\(probe.target)")
        }
    }

    @Test(arguments: Route.allCases) func answersOptionsAlike(_ route: Route) async throws {
        var answers: Set<String> = []
        for kind in TokenKind.allCases {
            var world = try await World()
            let probe = try #require(try probes(of: route, in: world).first)
            try await world.prepare(kind)
            var options = probe
            options.body = []
            let answer = try await world.send(options, with: kind, method: .options)
            #expect(answer.status == 204)
            answers.insert(answer.comparable)
        }
        #expect(answers.count == 1)
    }

    /// The transport refuses a request with a malformed token before it reads the body. The response is the same.
    @Test(arguments: Route.allCases.filter(\.needsToken), [TokenKind.missing, .malformed])
    func refusesMalformedTokensBeforeTheBody(_ route: Route, _ kind: TokenKind) async throws {
        let world = try await World()
        let constant = try await ServerFixture().send(.get, "/v1/places")
        for probe in try probes(of: route, in: world) {
            let fields = world.tokens[kind].map { ["Authorization: Bearer \($0)"] } ?? []
            let head = try ServerFixture.head(probe.method.token.description, probe.target, fields: fields)
            guard case .refuse(let response) = world.fixture.server.admit(head, from: "127.0.0.1") else {
                Issue.record("\(probe.target) is admitted")
                continue
            }
            #expect(Answer(response).comparable == constant.comparable, "\(probe.target)")
        }
    }

    private func probes(of route: Route) async throws -> [Probe] { try probes(of: route, in: try await World()) }

    private func probes(of route: Route, in world: World) throws -> [Probe] {
        try route.probes(try #require(world.names))
    }
}
