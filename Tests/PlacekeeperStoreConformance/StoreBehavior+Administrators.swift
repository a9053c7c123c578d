import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    private static func id(_ number: UInt64) -> AdministratorID { AdministratorID(high: 0x1A, low: number) }
    private static func tokenID(_ number: UInt64) -> APITokenID { APITokenID(high: 0x1B, low: number) }
    private static func password(_ number: UInt8) -> PasswordHash {
        PasswordHash(salt: [UInt8](repeating: number, count: 16), key: [UInt8](repeating: number &+ 100, count: 32))
    }

    private static func add(
        _ number: UInt64, _ name: String, _ role: Role, to store: any Store, isFirst: Bool = false
    ) async throws -> Bool {
        try await store.create(
            Administrator(id: id(number), name: name, role: role, createdAt: at(Double(number))),
            password(UInt8(number)), isFirst: isFirst,
            recording: AuditEntry(
                app: nil, at: at(Double(number)), actor: .command("test"), action: .administratorCreated, subject: nil,
                detail: name))
    }

    private static func session(_ number: UInt64, of owner: UInt64, at second: Double = 0) -> AdminSession {
        AdminSession(id: digest(number), administrator: id(owner), createdAt: at(second), lastUsedAt: at(second))
    }

    private static func token(_ number: UInt64, _ role: Role, by creator: UInt64? = nil, until: Double? = nil)
        -> APIToken
    {
        APIToken(
            id: tokenID(number), label: "label \(number)", role: role, creator: creator.map(id), createdAt: at(1),
            expiresAt: until.map(at))
    }

    static let administrators = [
        StoreBehavior("finds an administrator by name and by id") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            #expect(try await add(2, "Anna", .viewer, to: store))
            let found = try #require(try await store.administrator(.name("anna")))
            #expect(found.administrator == Administrator(id: id(1), name: "anna", role: .owner, createdAt: at(1)))
            #expect(found.password == password(1))
            #expect(try await store.administrator(.id(id(2)))?.administrator.name == "Anna")
            #expect(try await store.administrator(.name("ann")) == nil)
            #expect(try await store.administrator(.id(id(3))) == nil)
        },
        StoreBehavior("refuses a second administrator with the same name") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            await #expect(throws: StoreError.self) { try await add(2, "anna", .viewer, to: store) }
            #expect(try await store.administrators(after: nil, limit: 9).map(\.id) == [id(1)])
        },
        StoreBehavior("adds a first administrator only to a store without administrators") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store, isFirst: true))
            #expect(try await !add(2, "ben", .owner, to: store, isFirst: true))
            #expect(try await store.administrators(after: nil, limit: 9).map(\.name) == ["anna"])
        },
        StoreBehavior("lists administrators in pages in the order of their names") { store async throws in
            for (number, name) in ["carl", "Ben", "anna", "b-1", "b.1"].enumerated() {
                #expect(try await add(UInt64(number), name, .viewer, to: store))
            }
            let first = try await store.administrators(after: nil, limit: 3)
            #expect(first.map(\.name) == ["Ben", "anna", "b-1"])
            #expect(try await store.administrators(after: "b-1", limit: 3).map(\.name) == ["b.1", "carl"])
        },
        StoreBehavior("keeps at least one owner") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            #expect(try await add(2, "ben", .operator, to: store))
            #expect(try await store.remove(id(1)) == .lastOwner)
            #expect(try await store.change(id(1), role: .viewer, password: password(9), keeping: nil) == .lastOwner)
            #expect(try await store.administrator(.id(id(1)))?.password == password(1))
            #expect(try await store.change(id(1), role: .owner, password: nil, keeping: nil) == .done)
            #expect(try await store.change(id(2), role: .owner, password: nil, keeping: nil) == .done)
            #expect(try await store.change(id(1), role: .viewer, password: nil, keeping: nil) == .done)
            #expect(try await store.remove(id(1)) == .done)
            #expect(try await store.remove(id(1)) == .unknown)
            #expect(try await store.change(id(1), role: .viewer, password: nil, keeping: nil) == .unknown)
            #expect(try await store.administrators(after: nil, limit: 9).map(\.role) == [.owner])
        },
        StoreBehavior("ends the other sessions of an administrator with a new password") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            #expect(try await add(2, "ben", .viewer, to: store))
            for number in 1...3 as ClosedRange<UInt64> {
                #expect(try await store.start(session(number, of: number == 3 ? 2 : 1)))
            }
            #expect(try await store.change(id(1), role: .owner, password: nil, keeping: nil) == .done)
            #expect(try await store.session(digest(1)) != nil)
            #expect(try await store.change(id(1), role: nil, password: password(7), keeping: digest(2)) == .done)
            #expect(try await store.administrator(.id(id(1)))?.password == password(7))
            #expect(try await store.session(digest(1)) == nil)
            #expect(try await store.session(digest(2))?.administrator.name == "anna")
            #expect(try await store.session(digest(3))?.administrator.name == "ben")
            #expect(try await store.change(id(1), role: nil, password: password(8), keeping: nil) == .done)
            #expect(try await store.session(digest(2)) == nil)
        },
        StoreBehavior("starts no session with a password that was changed") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            #expect(try await store.start(session(1, of: 1), ifPasswordIs: password(1)))
            #expect(try await store.change(id(1), role: nil, password: password(7), keeping: nil) == .done)
            #expect(try await !store.start(session(2, of: 1), ifPasswordIs: password(1)))
            #expect(try await store.session(digest(2)) == nil)
        },
        StoreBehavior("replaces a second factor only if it is still the known one") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            let factor = SecondFactor(
                secret: [UInt8](repeating: 9, count: 20), lastStep: .max, recoveryCodes: [digest(1), digest(2)])
            #expect(try await store.administrators(after: nil, limit: 9).map(\.hasSecondFactor) == [false])
            #expect(try await store.replaceSecondFactor(nil, with: factor, of: id(1)))
            #expect(try await store.administrator(.name("anna"))?.secondFactor == factor)
            #expect(try await store.administrators(after: nil, limit: 9).map(\.hasSecondFactor) == [true])
            #expect(try await store.start(session(1, of: 1), ifPasswordIs: password(1)))
            #expect(try await store.session(digest(1))?.administrator.hasSecondFactor == true)
            let used = SecondFactor(secret: factor.secret, lastStep: 7, recoveryCodes: [])
            #expect(try await !store.replaceSecondFactor(nil, with: used, of: id(1)))
            #expect(try await store.replaceSecondFactor(factor, with: used, of: id(1)))
            #expect(try await !store.replaceSecondFactor(factor, with: nil, of: id(1)))
            #expect(try await store.administrator(.name("anna"))?.secondFactor == used)
            #expect(try await store.replaceSecondFactor(used, with: nil, of: id(1)))
            #expect(try await store.administrator(.id(id(1)))?.administrator.hasSecondFactor == false)
            #expect(try await !store.replaceSecondFactor(nil, with: used, of: id(2)))
        },
        StoreBehavior("lists sessions by their last use") { store async throws in
            for (number, name) in [(1, "anna"), (2, "ben")] as [(UInt64, String)] {
                #expect(try await add(number, name, .owner, to: store))
            }
            for (number, owner) in [(1, 1), (2, 2), (3, 1)] as [(UInt64, UInt64)] {
                #expect(try await store.start(session(number, of: owner, at: Double(number))))
            }
            try await store.recordUse(of: .session(session(1, of: 1)), at: at(90))
            #expect(try await store.sessions(of: nil, limit: 9).map(\.name) == ["anna", "anna", "ben"])
            #expect(try await store.sessions(of: nil, limit: 2).map(\.session.id) == [digest(1), digest(3)])
            #expect(try await store.sessions(of: id(2), limit: 9).map(\.session) == [session(2, of: 2, at: 2)])
        },
        StoreBehavior("removes the sessions and API tokens of a removed administrator") { store async throws in
            for (number, name) in [(1, "anna"), (2, "ben")] as [(UInt64, String)] {
                #expect(try await add(number, name, .owner, to: store))
                #expect(try await store.start(session(number, of: number)))
                #expect(try await store.create(token(number, .viewer, by: number), digest: digest(10 + number)))
            }
            #expect(try await store.create(token(3, .viewer), digest: digest(13)))
            #expect(try await store.remove(id(1)) == .done)
            #expect(try await store.session(digest(1)) == nil)
            #expect(try await store.session(digest(2)) != nil)
            #expect(try await store.apiToken(digest(11)) == nil)
            #expect(try await store.tokens(after: nil, limit: 9).map(\.id) == [tokenID(2), tokenID(3)])
            #expect(try await !store.start(session(4, of: 1), ifPasswordIs: password(1)))
            #expect(try await !store.create(token(5, .viewer, by: 1), digest: digest(15)))
            #expect(try await store.session(digest(4)) == nil)
            #expect(try await store.apiToken(digest(15)) == nil)
        },
        StoreBehavior("notes the last use of a session and never an earlier one") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            #expect(try await store.start(session(1, of: 1, at: 5)))
            #expect(try await store.administrator(.id(id(1)))?.administrator.lastSeenAt == at(5))
            try await store.recordUse(of: .session(session(1, of: 1)), at: at(90))
            try await store.recordUse(of: .session(session(1, of: 1)), at: at(80))
            let found = try #require(try await store.session(digest(1)))
            #expect(
                found.session == AdminSession(id: digest(1), administrator: id(1), createdAt: at(5), lastUsedAt: at(90))
            )
            #expect(found.administrator.lastSeenAt == at(90))
            try await store.endSession(digest(1))
            try await store.recordUse(of: .session(session(1, of: 1)), at: at(99))
            #expect(try await store.session(digest(1)) == nil)
            #expect(try await store.administrator(.id(id(1)))?.administrator.lastSeenAt == at(90))
        },
        StoreBehavior("limits the role of an API token to the role of its creator") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            #expect(try await add(2, "ben", .owner, to: store))
            #expect(try await store.create(token(1, .operator, by: 2), digest: digest(1)))
            #expect(try await store.create(token(2, .owner), digest: digest(2)))
            #expect(try await store.apiToken(digest(1)) == token(1, .operator, by: 2))
            #expect(try await store.change(id(2), role: .viewer, password: nil, keeping: nil) == .done)
            #expect(try await store.apiToken(digest(1))?.role == .viewer)
            #expect(try await store.tokens(after: nil, limit: 9).map(\.role) == [.viewer, .owner])
        },
        StoreBehavior("lists, uses and removes API tokens") { store async throws in
            for number in 1...3 as ClosedRange<UInt64> {
                #expect(try await store.create(token(number, .viewer, until: 500), digest: digest(number)))
            }
            #expect(try await store.tokens(after: nil, limit: 2).map(\.id) == [tokenID(1), tokenID(2)])
            #expect(try await store.tokens(after: tokenID(2), limit: 2) == [token(3, .viewer, until: 500)])
            try await store.recordUse(of: .token(tokenID(2)), at: at(70))
            try await store.recordUse(of: .token(tokenID(2)), at: at(60))
            #expect(try await store.apiToken(digest(2))?.lastUsedAt == at(70))
            #expect(try await store.apiToken(digest(1))?.lastUsedAt == nil)
            #expect(try await store.removeToken(tokenID(2)))
            #expect(try await !store.removeToken(tokenID(2)))
            #expect(try await store.apiToken(digest(2)) == nil)
        },
        StoreBehavior("drops expired sessions and API tokens") { store async throws in
            #expect(try await add(1, "anna", .owner, to: store))
            let (idle, life) = (
                Double(AdminSession.idleTime.components.seconds), Double(AdminSession.lifetime.components.seconds)
            )
            #expect(try await store.start(session(1, of: 1, at: 0)))
            #expect(try await store.start(session(2, of: 1, at: 1)))
            #expect(try await store.create(token(1, .viewer, until: idle), digest: digest(11)))
            #expect(try await store.create(token(2, .viewer, until: idle + 1), digest: digest(12)))
            #expect(try await store.create(token(3, .viewer), digest: digest(13)))
            try await store.prune(at: at(idle))
            #expect(try await store.session(digest(1)) == nil)
            #expect(try await store.session(digest(2)) != nil)
            #expect(try await store.tokens(after: nil, limit: 9).map(\.id) == [tokenID(2), tokenID(3)])
            try await store.recordUse(of: .session(session(2, of: 1)), at: at(1 + life - 1))
            try await store.prune(at: at(life))
            #expect(try await store.session(digest(2)) != nil)
            try await store.prune(at: at(1 + life))
            #expect(try await store.session(digest(2)) == nil)
            #expect(try await store.administrator(.id(id(1))) != nil)
        },
        StoreBehavior("keeps the audit log of the whole service apart from the logs of apps") { store async throws in
            for (second, app) in [(1, nil), (2, app(1)), (3, nil)] as [(Double, AppID?)] {
                try await store.append(
                    AuditEntry(app: app, at: at(second), actor: .administrator("anna"), action: .loggedIn, subject: nil)
                )
            }
            let entries = try await store.audit(of: nil, about: nil, below: nil, limit: 9)
            #expect(entries.map(\.at) == [at(3), at(1)])
            #expect(entries.allSatisfy { $0.actor == .administrator("anna") && $0.app == nil })
            #expect(try await store.audit(of: app(1), about: nil, below: nil, limit: 9).map(\.at) == [at(2)])
        },
    ]
}
