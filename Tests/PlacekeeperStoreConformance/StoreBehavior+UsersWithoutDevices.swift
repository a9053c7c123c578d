import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    /// The time at which an anonymous user without devices is removed, if its last write was at 100 seconds.
    private static let end = at(100) + Retention.usersWithoutDevices + .milliseconds(1)

    private static func isKnown(_ owner: UserKey, by store: any Store) async throws -> Bool {
        try await store.facts(of: owner) != nil
    }

    static let usersWithoutDevices = [
        StoreBehavior("removes an anonymous user 30 days after its last device was revoked") { store async throws in
            let nothing = try await contents(of: user(2), device: 3, in: store)
            try await fill(store)
            #expect(try await store.revoke(device(3), of: user(2), at: at(100)).value)
            try await store.prune(at: at(100) + Retention.usersWithoutDevices)
            #expect(try await store.history(scene(of: user(2))) == [30])
            let before = try await store.userVersion(of: user(2))
            try await store.prune(at: end)
            #expect(try await contents(of: user(2), device: 3, in: store) == nothing)
            #expect(try await store.usage(of: user(2)) == Usage())
            #expect(try await store.userVersion(of: user(2)).version > before.version)
            // The other user has devices.
            #expect(try await store.history() == [10])
            var rest = try await store.usage(of: user(1))
            #expect(rest.devices == 2 && rest.bytes > 0)
            rest.users = 1
            #expect(try await store.usage(of: app(1)) == rest)
        },
        StoreBehavior("removes the rest of a user whose last device joined another user") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.create(LinkCode(digest: digest(7), owner: user(2), expiresAt: at(600)))
            _ = try await store.move(device(1), of: user(1), linkCode: digest(7), at: at(100), retention: 20)
            try await store.prune(at: end)
            #expect(try await !isKnown(user(1), by: store))
            #expect(try await store.devices(of: user(2)).count == 2)
            #expect(try await store.usage(of: app(1)).users == 1)
        },
        StoreBehavior("keeps a user with an account, a device or a usable link code") { store async throws in
            for number in 1...3 as ClosedRange<UInt64> { try await store.register(number...number, of: user(number)) }
            let account = Account(digest: digest(801), newUser: user(101).user) { _ in [1] }
            _ = try await store.signIn(device(1), of: user(1), to: account, at: at(50), retention: 20)
            for number in [1, 3] as [UInt64] {
                #expect(try await store.revoke(device(number), of: user(number), at: at(100)).value)
            }
            try await store.create(LinkCode(digest: digest(7), owner: user(3), expiresAt: end + .seconds(1)))
            try await store.prune(at: end)
            for number in 1...3 as ClosedRange<UInt64> {
                #expect(try await isKnown(user(number), by: store), "user \(number)")
            }
            try await store.prune(at: end + .seconds(1))
            #expect(try await !isKnown(user(3), by: store), "the link code has expired")
        },
        StoreBehavior("keeps a user whose import has just begun") { store async throws in
            let imported = ImportedUser(
                owner: user(1), createdAt: end, revision: Revision(rawValue: 20), prunedThrough: Revision(rawValue: 0))
            #expect(try await store.begin(imported).value)
            try await store.prune(at: end)
            #expect(try await isKnown(user(1), by: store))
            try await store.prune(at: end + Retention.usersWithoutDevices + .milliseconds(1))
            #expect(try await !isKnown(user(1), by: store), "the import was interrupted")
        },
    ]
}
