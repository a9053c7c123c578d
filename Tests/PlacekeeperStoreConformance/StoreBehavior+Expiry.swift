import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    private static func account(_ number: UInt64) -> Account {
        Account(digest: digest(800 + number), newUser: user(100 + number).user) { _ in [1] }
    }

    /// A registration of installation `number`, unless another is given.
    private static func new(
        _ number: UInt64, installation: UInt64? = nil, joins: NewDevice.Joins = .newUser, at time: Timestamp = at(0),
        unusedSince: Timestamp? = nil
    ) -> NewDevice {
        var new = NewDevice(
            makeDevice(number, of: user(number), at: time), token: digest(number),
            installation: pair(installation ?? number), joins: joins)
        new.unusedSince = unusedSince
        return new
    }

    private static func pair(_ number: UInt64) -> Installation {
        Installation(id: InstallationID(high: 0xF, low: number), secret: digest(9000))
    }

    private static func expiries(_ store: any Store) async throws -> Int {
        let entries = try await store.audit(of: app(1), about: digest(801), below: nil, limit: 9)
        return entries.count { $0.action == .tokenExpired }
    }

    /// What a refused registration must not change.
    private static func facts(_ store: any Store, _ owner: UserKey) async throws -> [String] {
        [
            "\(try await store.devices(of: owner))", "\(try await store.usage(of: app(1)))",
            "\(try await store.credential(of: digest(1)) as Any)",
            "\(try await store.changes(of: owner, after: Revision(rawValue: 0), limit: 9).latest)",
        ]
    }

    static let expiry = [
        StoreBehavior("ends the tokens of a device whose sign-in has expired, with an entry in the audit log") {
            store async throws in
            let owner = try #require(
                try await store.register(new(1, joins: .account(account(1)))).value.device?.owner)
            #expect(try await !store.expire(device(1), of: owner, unusedSince: at(0), at: at(100)).value)
            #expect(try await store.credential(of: digest(1)) != nil)
            let ended = try await store.expire(device(1), of: owner, unusedSince: at(1), at: at(100))
            #expect(ended.value && ended.invalidations.access == [owner])
            #expect(try await store.credential(of: digest(1)) == nil)
            // A request that arrived at the same time.
            #expect(try await store.expire(device(1), of: owner, unusedSince: at(1), at: at(100)).value)
            #expect(try await expiries(store) == 1)
        },
        StoreBehavior("judges a sign-in by the last use that is stored when it commits") { store async throws in
            let owner = try #require(
                try await store.register(new(1, joins: .account(account(1)))).value.device?.owner)
            try await store.recordSeen([owner: [device(1): at(50)]])
            #expect(try await !store.expire(device(1), of: owner, unusedSince: at(50), at: at(100)).value)
            #expect(try await !store.expire(device(2), of: owner, unusedSince: at(90), at: at(100)).value)
            #expect(try await expiries(store) == 0)
        },
        StoreBehavior("never ends the tokens of an anonymous user's device") { store async throws in
            _ = try await store.register(new(1))
            #expect(try await !store.expire(device(1), of: user(1), unusedSince: at(90), at: at(100)).value)
            let again = new(2, installation: 1, at: at(200), unusedSince: at(190))
            #expect(try await store.register(again).value.device?.id == device(1))
        },
        StoreBehavior("removes a device without an installation when its sign-in has expired, but no link code") {
            store async throws in
            var first = new(1, joins: .account(account(1)))
            first.installation = nil
            let owner = try #require(try await store.register(first).value.device?.owner)
            try await store.create(LinkCode(digest: digest(7), owner: owner, expiresAt: at(600)))
            #expect(try await store.expire(device(1), of: owner, unusedSince: at(1), at: at(100)).value)
            #expect(try await store.devices(of: owner).isEmpty)
            #expect(try await expiries(store) == 1)
            let joined = try await store.register(
                makeDevice(2, of: user(2), at: at(100)), token: digest(2), linkCode: digest(7))
            #expect(joined.value.device?.owner == owner)
        },
        StoreBehavior("makes no anonymous user of an installation whose sign-in has expired, and no copy of it") {
            store async throws in
            let owner = try #require(
                try await store.register(new(1, joins: .account(account(1)))).value.device?.owner)
            func refuses(since time: Timestamp?) async throws {
                let before = try await facts(store, owner)
                for joins in [NewDevice.Joins.newUser, .copy(of: pair(1))] {
                    var again = new(2, installation: 1, joins: joins, at: at(200), unusedSince: time)
                    #expect(try await store.register(again).value == .signInRequired)
                    again.mayBeNew = false
                    #expect(try await store.register(again).value == .signInRequired)
                }
                let copy = new(2, joins: .copy(of: pair(1)), at: at(200), unusedSince: time)
                #expect(try await store.register(copy).value == .signInRequired)
                #expect(try await facts(store, owner) == before)
                #expect(try await store.facts(of: user(2)) == nil)
            }
            try await refuses(since: at(1))
            #expect(try await store.expire(device(1), of: owner, unusedSince: at(1), at: at(100)).value)
            // Also after the setting was removed.
            for time in [at(1), nil] { try await refuses(since: time) }
        },
        StoreBehavior("replaces a device whose sign-in has expired when its user signs in or uses a link code") {
            store async throws in
            let owner = try #require(
                try await store.register(new(1, joins: .account(account(1)))).value.device?.owner)
            try await store.create(LinkCode(digest: digest(7), owner: owner, expiresAt: at(600)))
            let linked = new(2, installation: 1, joins: .linkCode(digest(7)), at: at(200), unusedSince: at(1))
            #expect(try await store.register(linked).value.device?.id == device(2))
            #expect(try await store.devices(of: owner).map(\.id) == [device(2)])
            #expect(try await store.credential(of: digest(1)) == nil)
            #expect(try await expiries(store) == 1)
            // The tokens ended before.
            #expect(try await store.expire(device(2), of: owner, unusedSince: at(201), at: at(300)).value)
            let other = new(3, installation: 1, joins: .account(account(2)), at: at(400), unusedSince: at(201))
            let joined = try #require(try await store.register(other).value.device)
            #expect(joined.id == device(3) && joined.owner != owner && joined.isSignedIn)
            #expect(try await store.devices(of: owner).isEmpty)
            #expect(try await expiries(store) == 2)
            #expect(try await store.usage(of: app(1)).devices == 1)
        },
        StoreBehavior(
            "removes as many devices whose sign-in has expired as a new device needs, the longest unused first"
        ) {
            store async throws in
            var quotas = App.Settings.Quotas.none
            quotas.userDevices = 3
            var owner = user(101)
            for (number, time) in [(1, 20), (2, 10), (3, 90)] as [(UInt64, Double)] {
                owner = try #require(
                    try await store.register(new(number, joins: .account(account(1)), at: at(time))).value.device?.owner
                )
            }
            func join(_ number: UInt64, since time: Timestamp?) async throws -> JoinResult {
                var new = new(number, joins: .account(account(1)), at: at(200), unusedSince: time)
                new.quotas = quotas
                return try await store.register(new).value
            }
            for time in [nil, at(10)] { #expect(try await join(4, since: time) == .tooManyDevices) }
            #expect(try await join(4, since: at(50)).device?.id == device(4))
            #expect(try await store.devices(of: owner).map(\.id) == [device(1), device(3), device(4)])
            // A device that moves.
            _ = try await store.register(new(5, at: at(200)))
            let moved = try await store.signIn(
                device(5), of: user(5), to: account(1), at: at(200), retention: 20, quotas: quotas, unusedSince: at(50))
            #expect(moved.value.device?.owner == owner)
            #expect(try await store.devices(of: owner).map(\.id) == [device(3), device(4), device(5)])
            #expect(try await expiries(store) == 2)
            _ = try await store.register(new(6, at: at(200)))
            let refused = try await store.signIn(
                device(6), of: user(6), to: account(1), at: at(200), retention: 20, quotas: quotas, unusedSince: at(50))
            #expect(refused.value == .tooManyDevices)
            #expect(try await store.devices(of: owner).count == 3)
        },
    ]
}
