import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    /// The account with this number. If it has no user yet, its user becomes `user(100 + number)`.
    private static func account(_ number: UInt64) -> Account {
        Account(digest: digest(800 + number), newUser: user(100 + number).user) { owner in
            Array("\(number) of \(owner.user.low)".utf8)
        }
    }

    private static func signIn(
        _ number: UInt64, of owner: UserKey, to account: Account, _ store: any Store
    ) async throws -> JoinResult {
        try await store.signIn(device(number), of: owner, to: account, at: at(100), retention: 20).value
    }

    static let accounts = [
        StoreBehavior("makes an anonymous user with one device the user of a new account") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            let latest = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 9).latest
            let joined = try await signIn(1, of: user(1), to: account(1), store)
            #expect(joined.device?.owner == user(1) && joined.device?.isSignedIn == true)
            #expect(try await store.userID(ofSubject: digest(801), in: app(1)) == user(1).user)
            #expect(try await store.sealedSubject(of: user(1)) == Array("1 of 1".utf8))
            #expect(try await store.history() == [1])
            #expect(try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 9).latest == latest)
            #expect(try await store.credential(of: digest(1))?.value.device.isSignedIn == true)
        },
        StoreBehavior("moves the places of an anonymous user to an existing account") { store async throws in
            try await store.register(1...1)
            _ = try await signIn(1, of: user(1), to: account(1), store)
            try await store.add(capture(1, captured: 1))
            try await store.register(2...2, of: user(2))
            try await store.add(capture(2, in: scene(of: user(2)), by: 2, captured: 2))
            let joined = try await signIn(2, of: user(2), to: account(1), store)
            #expect(joined.device?.owner == user(1) && joined.device?.isSignedIn == true)
            #expect(try await store.history() == [2, 1])
            #expect(try await store.history(scene(of: user(2))) == [])
        },
        StoreBehavior("leaves the other devices of an anonymous user where they are") { store async throws in
            try await store.register(1...2)
            try await store.add(capture(1, by: 1, captured: 1))
            try await store.add(capture(2, by: 2, captured: 2))
            let joined = try await signIn(1, of: user(1), to: account(1), store)
            #expect(joined.device?.owner == user(101))
            #expect(try await store.history(scene(of: user(101))) == [1])
            #expect(try await store.history() == [2])
            #expect(try await store.sealedSubject(of: user(101)) == Array("1 of 101".utf8))
            #expect(try await store.sealedSubject(of: user(1)) == nil)
            #expect(try await store.devices(of: user(1)).map(\.isSignedIn) == [false])
        },
        StoreBehavior("signs a device in to the same account twice, but not to another account") {
            store async throws in
            try await store.register(1...1)
            let first = try await signIn(1, of: user(1), to: account(1), store)
            #expect(try await signIn(1, of: user(1), to: account(1), store) == first)
            #expect(try await signIn(1, of: user(1), to: account(2), store) == .signedIn)
            #expect(try await store.userID(ofSubject: digest(802), in: app(1)) == nil)
            #expect(try await signIn(1, of: user(2), to: account(1), store) == .deviceGone)
        },
        StoreBehavior("does not move a signed-in device by a link code") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            _ = try await signIn(1, of: user(1), to: account(1), store)
            try await store.create(LinkCode(digest: digest(7), owner: user(2), expiresAt: at(600)))
            #expect(
                try await store.move(device(1), of: user(1), linkCode: digest(7), at: at(101), retention: 20).value
                    == .signedIn)
            #expect(try await store.devices(of: user(1)).count == 1)
        },
        StoreBehavior("joins an account by its link code") { store async throws in
            try await store.register(1...1)
            _ = try await signIn(1, of: user(1), to: account(1), store)
            try await store.register(2...2, of: user(2))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let moved = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(101), retention: 20)
            #expect(moved.value.device?.isSignedIn == true)
        },
        StoreBehavior("registers a device for an account") { store async throws in
            func new(_ number: UInt64, _ account: Account) -> NewDevice {
                NewDevice(makeDevice(number, of: user(number)), token: digest(number), joins: .account(account))
            }
            let first = try await store.register(new(1, account(1))).value.device
            #expect(first?.owner == user(101) && first?.isSignedIn == true)
            #expect(try await store.register(new(2, account(1))).value.device?.owner == user(101))
            #expect(try await store.register(new(3, account(2))).value.device?.owner == user(102))
            var other = new(4, account(1))
            other.device.owner = user(4, app: 2)
            #expect(try await store.register(other).value.device?.owner == user(101, app: 2))
        },
        StoreBehavior("signs out, leaves the account's data, and adds the replacement with the same installation") {
            store async throws in
            let installation = Installation(id: InstallationID(high: 0xF, low: 1), secret: digest(9))
            _ = try await store.register(NewDevice(makeDevice(1), token: digest(1), installation: installation))
            _ = try await signIn(1, of: user(1), to: account(1), store)
            try await store.add(capture(1, captured: 1))
            let replacement = NewDevice(makeDevice(2, of: user(2)), token: digest(2))
            let result = try await store.signOut(device(1), of: user(1), replacement: replacement, at: at(200)).value
            #expect(result == .signedOut)
            #expect(try await store.credential(of: digest(1)) == nil)
            #expect(try await store.credential(of: digest(2))?.value.device.owner == user(2))
            #expect(try await store.history() == [1])
            #expect(try await store.history(scene(of: user(2))) == [])
            let again = NewDevice(makeDevice(3, of: user(3)), token: digest(3), installation: installation)
            #expect(try await store.register(again).value.device?.id == device(2))
        },
        StoreBehavior("signs out without a replacement, but only a device of an account") { store async throws in
            try await store.register(1...1)
            #expect(
                try await store.signOut(device(1), of: user(1), replacement: nil, at: at(5)).value == .notSignedIn)
            _ = try await signIn(1, of: user(1), to: account(1), store)
            #expect(try await store.signOut(device(1), of: user(1), replacement: nil, at: at(5)).value == .signedOut)
            #expect(try await store.signOut(device(1), of: user(1), replacement: nil, at: at(5)).value == .deviceGone)
            #expect(try await store.devices(of: user(1)).isEmpty)
            #expect(try await store.userID(ofSubject: digest(801), in: app(1)) == user(1).user)
        },
        StoreBehavior("refuses the account of another person to a known installation") { store async throws in
            func new(_ number: UInt64, _ account: Account) -> NewDevice {
                NewDevice(
                    makeDevice(number, of: user(number)), token: digest(number),
                    installation: Installation(id: InstallationID(high: 0xF, low: 1), secret: digest(9)),
                    joins: .account(account))
            }
            _ = try await store.register(new(1, account(1)))
            try await store.add(capture(1, in: scene(of: user(101)), captured: 1))
            #expect(try await store.register(new(2, account(2))).value == .signedIn)
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == nil)
            #expect(try await store.credential(of: digest(2)) == nil)
            #expect(try await store.userID(ofSubject: digest(802), in: app(1)) == nil)
            #expect(try await store.history(scene(of: user(101))) == [1])
        },
        StoreBehavior("counts the user of a new account as created when it gets the account") { store async throws in
            try await store.register(1...1)
            _ = try await signIn(1, of: user(1), to: account(1), store)
            #expect(try await store.facts(of: user(1))?.createdAt == at(100))
        },
        StoreBehavior("ends unused link codes when an anonymous user signs in or is left by its last device") {
            store async throws in
            try await store.register(1...1)
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await signIn(1, of: user(1), to: account(1), store)
            try await store.register(2...2, of: user(2))
            try await store.create(LinkCode(digest: digest(8), owner: user(2), expiresAt: at(600)))
            _ = try await signIn(2, of: user(2), to: account(1), store)
            for (number, code) in [(3, 7), (4, 8)] as [(UInt64, UInt64)] {
                let new = makeDevice(number, of: user(number), at: at(101))
                let joined = try await store.register(new, token: digest(number), linkCode: digest(code)).value
                #expect(joined == .codeInvalid)
            }
        },
        StoreBehavior("raises the access version when a token, a description or an account changes") {
            store async throws in
            try await store.register(1...1)
            var versions = [try await store.userVersion(of: user(1)).access]
            _ = try await store.replaceToken(
                of: device(1), of: user(1), by: NewToken(digest: digest(2), presented: digest(1)), at: at(5))
            versions.append(try await store.userVersion(of: user(1)).access)
            _ = try await store.describe(makeDevice(1, idiom: .pad))
            versions.append(try await store.userVersion(of: user(1)).access)
            _ = try await signIn(1, of: user(1), to: account(1), store)
            versions.append(try await store.userVersion(of: user(1)).access)
            _ = try await store.signOut(device(1), of: user(1), replacement: nil, at: at(6))
            versions.append(try await store.userVersion(of: user(1)).access)
            #expect(versions == Set(versions).sorted())
        },
    ]
}
