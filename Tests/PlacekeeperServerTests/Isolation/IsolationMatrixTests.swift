import PlacekeeperHTTP
import PlacekeeperAPI
import PlacekeeperService
import Testing

@testable import PlacekeeperServer

/// The isolation matrix: each route with each kind of token. The rows come from the route table, so a new route fails
/// these tests until `Route.isolation` and `Route.probes` classify it.
@Suite(.timeLimit(.minutes(20))) struct IsolationMatrixTests {
    @Test(arguments: Route.ofDevices) func answersTheOwner(_ route: Route) async throws {
        for index in try route.probes(.unknown).indices {
            let world = try await World()
            let probe = try world.probes(of: route)[index]
            let answer = try await world.send(probe, with: .owner)
            #expect(answer.status == probe.owner, "\(probe.target): \(answer.text)")
            #expect(answer[.requestID] != nil)
            #expect(answer[.contentTypeOptions] == "nosniff")
            #expect(answer[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'")
        }
    }

    /// The classification and the probes of a route agree.
    @Test(arguments: Route.ofDevices) func classifiesEachRoute(_ route: Route) throws {
        #expect(route.needsToken == (route.isolation != .open))
        let probes = try route.probes(.unknown)
        #expect(!probes.isEmpty)
        for probe in probes {
            switch (route.isolation, probe.others) {
            case (.open, .sameForAll), (.userWide, .asIfMissing), (.secret, .admitted), (.appWide, .admitted): break
            // The response has the registration of the user's own device.
            case (.appWide, .asIfMissing): #expect(route == "readDataSource")
            case (.named, .asIfMissing(let status)): #expect(status == 404, "\(probe.target)")
            default: Issue.record("\(probe.target) does not fit \(route.isolation)")
            }
        }
    }

    /// The response is the constant response 401, whatever the reason is, and the request changes nothing.
    @Test(arguments: TokenKind.invalid) func answersEveryInvalidTokenAlike(_ kind: TokenKind) async throws {
        let constant = try await constantRefusal()
        let world = try await World(preparing: kind)
        // `/v1/limits` needs no token, but it refuses an invalid token.
        for route in Route.ofDevices where route.needsToken || (route == "readLimits" && kind != .missing) {
            for probe in try world.probes(of: route) {
                let before = try await world.contents()
                let answer = try await world.send(probe, with: kind)
                #expect(answer.comparable == constant.comparable, "\(route) \(probe.target), \(kind)")
                #expect(try await world.contents() == before, "\(route) \(probe.target), \(kind) changed the store")
            }
        }
    }

    /// `GET /v1/limits` has a test of its own, because its answer depends on the token (`QuotaTests`).
    @Test(arguments: TokenKind.allCases) func answersOpenRoutesWithAnyToken(_ kind: TokenKind) async throws {
        let world = try await World(preparing: kind)
        let twin = try await World(preparing: kind)
        var number = 0
        for route in Route.ofDevices where !route.needsToken && (route != "readLimits" || kind == .missing) {
            for probe in try world.probes(of: route) {
                number += 1
                let answer = try await world.send(probe, with: kind, number: number)
                let open = try await twin.send(probe, with: .missing, number: number)
                #expect(answer.status == probe.owner, "\(route) \(probe.target), \(kind): \(answer.text)")
                #expect(answer.comparable == open.comparable, "\(route) \(probe.target), \(kind)")
            }
        }
    }

    @Test func refusesWritesOfReadOnlyTokens() async throws {
        let world = try await World()
        let twin = try await World()
        for route in Route.ofDevices where route.needsToken {
            for probe in try world.probes(of: route) {
                let before = try await world.contents()
                let answer = try await world.send(probe, with: .readOnly)
                #expect(try await world.contents() == before, "\(route) \(probe.target) changed the store")
                if route.writes {
                    #expect(answer.status == 403, "\(route) \(probe.target): \(answer.text)")
                    #expect(answer.code == .readOnly, "\(route) \(probe.target): \(answer.text)")
                } else {
                    let full = try await twin.send(probe, with: .owner)
                    #expect(answer.comparable == full.comparable, "\(route) \(probe.target)")
                }
            }
        }
    }

    /// The response does not depend on whether the owner exists, and the owner's data stays unchanged.
    @Test(arguments: Route.ofDevices, [TokenKind.otherUser, .otherApp])
    func hidesTheOwnersDataFromOthers(_ route: Route, _ kind: TokenKind) async throws {
        for index in try route.probes(.unknown).indices {
            let world = try await World()
            let probe = try world.probes(of: route)[index]
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
    @Test(arguments: TokenKind.allCases) func answersHeadLikeGet(_ kind: TokenKind) async throws {
        let world = try await World(preparing: kind)
        let twin = try await World(preparing: kind)
        for route in Route.ofDevices where route.method == .get {
            for probe in try world.probes(of: route) {
                let get = try await world.send(probe, with: kind)
                let head = try await twin.send(probe, with: kind, method: .head)
                #expect(head.comparable == get.comparable, "\(route) \(probe.target), \(kind)")
            }
        }
    }

    @Test func answersOptionsAlike() async throws {
        let world = try await World()
        for route in Route.ofDevices {
            let probe = try #require(try world.probes(of: route).first)
            let without = try await world.send(probe, with: .missing, method: .options)
            #expect(without.status == 204)
            for kind in TokenKind.allCases {
                let answer = try await world.send(probe, with: kind, method: .options)
                #expect(answer.comparable == without.comparable, "\(route), \(kind)")
            }
        }
    }

    /// The transport refuses a request with a malformed token before it reads the body. The response is the same.
    @Test(arguments: [TokenKind.missing, .malformed])
    func refusesMalformedTokensBeforeTheBody(_ kind: TokenKind) async throws {
        let world = try await World()
        let constant = try await constantRefusal()
        let fields = world.tokens[kind].map { ["Authorization: Bearer \($0)"] } ?? []
        for route in Route.ofDevices where route.needsToken {
            for probe in try world.probes(of: route) {
                let head = try ServerFixture.head(probe.method.token.description, probe.target, fields: fields)
                guard case .refuse(let response) = world.fixture.server.admit(head, from: "127.0.0.1") else {
                    Issue.record("\(route) \(probe.target) is admitted")
                    continue
                }
                #expect(Answer(response).comparable == constant.comparable, "\(route) \(probe.target)")
            }
        }
    }

    private func constantRefusal() async throws -> Answer {
        let answer = try await ServerFixture().send(.get, "/v1/places")
        #expect(answer.status == 401 && answer.code == .unauthorized && answer[.wwwAuthenticate] == "Bearer")
        return answer
    }
}
