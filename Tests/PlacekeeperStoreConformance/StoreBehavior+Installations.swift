import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    private static func installation(_ number: UInt64, secret: UInt64 = 1) -> Installation {
        Installation(id: InstallationID(high: 0xF, low: number), secret: digest(9000 + secret))
    }

    /// A registration of installation 1 as a new user's device.
    private static func new(
        _ number: UInt64, secret: UInt64 = 1, joins: NewDevice.Joins = .newUser, at time: Timestamp = at(0),
        mayBeNew: Bool = true, launch: CountedLaunch? = nil
    ) -> NewDevice {
        var device = makeDevice(number, of: user(number), at: time)
        device.launch = launch
        return NewDevice(
            device, token: digest(number), installation: installation(1, secret: secret), joins: joins,
            mayBeNew: mayBeNew)
    }

    private static func launch(_ number: Int64, _ id: String) -> CountedLaunch? {
        LaunchID(id).map { CountedLaunch(number: number, id: $0) }
    }

    private static func link(_ number: UInt64, of owner: UserKey, _ store: any Store) async throws -> JoinResult {
        try await store.move(device(number), of: owner, linkCode: digest(7), at: at(10), retention: 20).value
    }

    static let installations = [
        StoreBehavior("gives a known installation the same device with a new token and a new description") {
            store async throws in
            #expect(try await store.register(new(1)).value.device?.id == device(1))
            var again = new(2, at: at(10))
            again.device.systemVersion = "18.1"
            let known = try await store.register(again).value.device
            #expect(known?.id == device(1) && known?.owner == user(1) && known?.createdAt == at(0))
            #expect(try await store.devices(of: user(1)).map(\.systemVersion) == ["18.1"])
            #expect(try await store.devices(of: user(1)).map(\.createdAt) == [at(0)])
            #expect(try await store.devices(of: user(2)).isEmpty)
            let token = try #require(try await store.credential(of: digest(2))).value
            #expect(token.device.id == device(1) && token.expiresAt == nil)
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == at(70))
        },
        StoreBehavior("orders captures by interaction if a sequence began anew after a registration") {
            store async throws in
            _ = try await store.register(new(1))
            let first = try await store.add(capture(1, captured: 100, sequence: 500))
            try await store.add(capture(2, captured: 110, sequence: 501))
            // Without a registration, a lower sequence is an earlier capture that arrives late.
            try await store.add(capture(3, captured: 150, sequence: 1))
            #expect(try await store.history() == [2, 1, 3])
            _ = try await store.register(new(2, at: at(200)))
            try await store.add(capture(4, captured: 210, sequence: 1))
            #expect(try await store.history() == [4, 2, 1, 3])
            // Since the registration, the sequences count as before.
            try await store.add(capture(6, captured: 205, received: 230, sequence: 3))
            #expect(try await store.history() == [6, 4, 2, 1, 3])
            try await store.add(capture(5, captured: 215, received: 240, sequence: 2))
            #expect(try await store.history() == [6, 5, 4, 2, 1, 3])
            let again = try await store.put(capture(1, captured: 300, sequence: 2), retention: 20).value
            let head = try #require(try await store.head(of: scene()))
            #expect(again == .identical(first, head: head.revision))
            // The device takes its captures to another user, and the registration stays.
            _ = try await store.register(makeDevice(9, of: user(9)), token: digest(90), linkCode: nil)
            try await store.create(LinkCode(digest: digest(7), owner: user(9), expiresAt: at(600)))
            #expect(try await Self.link(1, of: user(1), store).device != nil)
            try await store.add(capture(7, in: scene(of: user(9)), captured: 400, sequence: 4))
            #expect(try await store.history(scene(of: user(9))) == [7, 6, 5, 4, 2, 1, 3])
        },
        StoreBehavior("refuses a known installation with another secret") { store async throws in
            _ = try await store.register(new(1))
            #expect(try await store.register(new(2, secret: 2)).value == .installationCloned)
            #expect(try await store.credential(of: digest(2)) == nil)
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == nil)
        },
        StoreBehavior("notices a copy of a device by the numbers of its launches") { store async throws in
            _ = try await store.register(new(1, launch: launch(2, "a")))
            #expect(
                try await store.begin(#require(launch(2, "a")), of: device(1), of: user(1)).value.device?.id
                    == device(1))
            for copy in [launch(2, "b"), launch(1, "a")] {
                #expect(try await store.begin(#require(copy), of: device(1), of: user(1)).value == .installationCopied)
            }
            #expect(try await store.devices(of: user(1)).first?.launch == launch(2, "a"))
            #expect(try await store.begin(#require(launch(7, "b")), of: device(1), of: user(1)).value.device != nil)
            #expect(
                try await store.begin(#require(launch(3, "a")), of: device(1), of: user(1)).value == .installationCopied
            )
            // A description that was read before keeps the launch, and so does a move to another user.
            _ = try await store.describe(makeDevice(1, idiom: .pad))
            _ = try await store.register(makeDevice(9, of: user(9)), token: digest(90), linkCode: nil)
            try await store.create(LinkCode(digest: digest(7), owner: user(9), expiresAt: at(600)))
            #expect(try await Self.link(1, of: user(1), store).device != nil)
            #expect(try await store.credential(of: digest(1))?.value.device.launch == launch(7, "b"))
            #expect(
                try await store.begin(#require(launch(6, "a")), of: device(1), of: user(9)).value == .installationCopied
            )
            #expect(try await store.begin(#require(launch(8, "a")), of: device(1), of: user(1)).value == .deviceGone)
        },
        StoreBehavior("gives a copy of a device an identity of its own") { store async throws in
            _ = try await store.register(new(1, launch: launch(3, "a")))
            // The original and the copy cannot register again in turn.
            #expect(try await store.register(new(2, launch: launch(2, "b"))).value == .installationCopied)
            #expect(try await store.credential(of: digest(2)) == nil)
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == nil)
            var copy = new(2, joins: .copy(of: installation(1)), launch: launch(2, "b"))
            copy.installation = installation(2)
            let joined = try await store.register(copy).value.device
            #expect(joined?.id == device(2) && joined?.owner == user(1))
            let told = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 10).changes
            #expect(told.map(\.kind) == [.deviceRegistered, .deviceRegistered, .deviceCopied])
            #expect(told.last?.device == device(1))
            // The answer was lost.
            copy.token = digest(3)
            #expect(try await store.register(copy).value.device?.id == device(2))
            #expect(try await store.devices(of: user(1)).count == 2)
            var stranger = new(4, joins: .copy(of: installation(1, secret: 2)))
            stranger.installation = installation(4)
            #expect(try await store.register(stranger).value == .installationUnknown)
            #expect(try await store.register(new(5, launch: launch(4, "c"))).value.device?.launch == launch(4, "c"))
        },
        StoreBehavior("lets only a known installation register if no device may be new") { store async throws in
            #expect(try await store.register(new(1, mayBeNew: false)).value == .installationUnknown)
            _ = try await store.register(new(1))
            #expect(try await store.register(new(2, mayBeNew: false)).value.device?.id == device(1))
        },
        StoreBehavior("forgets the installation of a revoked device") { store async throws in
            _ = try await store.register(new(1))
            _ = try await store.revoke(device(1), of: user(1), at: at(5))
            #expect(try await store.register(new(2, secret: 2)).value.device?.owner == user(2))
        },
        StoreBehavior("separates the installations of apps") { store async throws in
            _ = try await store.register(new(1))
            var other = new(2, secret: 2)
            other.device.owner = user(2, app: 2)
            #expect(try await store.register(other).value.device?.id == device(2))
        },
        StoreBehavior("accepts a used link code again from the installation that used it") { store async throws in
            try await store.register(5...5, of: user(5))
            try await store.create(LinkCode(digest: digest(7), owner: user(5), expiresAt: at(600)))
            #expect(try await store.register(new(1, joins: .linkCode(digest(7)))).value.device?.owner == user(5))
            let again = try await store.register(new(2, joins: .linkCode(digest(7)), at: at(599))).value.device
            #expect(again?.id == device(1) && again?.owner == user(5))
            #expect(try await store.devices(of: user(5)).count == 2)
            var other = new(3, joins: .linkCode(digest(7)))
            other.installation = installation(2)
            #expect(try await store.register(other).value == .codeInvalid)
            #expect(try await store.register(new(4, joins: .linkCode(digest(7)), at: at(600))).value == .codeInvalid)
        },
        StoreBehavior("moves the device of a known installation to the user of a link code") { store async throws in
            try await store.register(5...5, of: user(5))
            _ = try await store.register(new(1))
            try await store.add(capture(1, by: 1, captured: 1))
            try await store.create(LinkCode(digest: digest(7), owner: user(5), expiresAt: at(600)))
            let moved = try await store.register(new(2, joins: .linkCode(digest(7)), at: at(10))).value
            #expect(moved.device?.id == device(1) && moved.device?.owner == user(5))
            #expect(try await store.history(scene(of: user(5))) == [1])
            #expect(try await store.credential(of: digest(2))?.value.device.owner == user(5))
        },
        StoreBehavior("keeps the token of a known installation whose link code is not valid") { store async throws in
            _ = try await store.register(new(1))
            #expect(try await store.register(new(2, joins: .linkCode(digest(7)))).value == .codeInvalid)
            #expect(try await store.credential(of: digest(2)) == nil)
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == nil)
        },
        StoreBehavior("accepts a used link code again from the device that moved with it") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.register(3...3, of: user(3))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            #expect(try await link(2, of: user(2), store).device?.owner == user(1))
            #expect(try await link(2, of: user(1), store).device?.owner == user(1))
            #expect(try await link(3, of: user(3), store) == .codeInvalid)
            #expect(try await link(1, of: user(1), store) == .codeInvalid)
        },
    ]

    private static func token(
        _ number: UInt64, access: TokenAccess = .full, presented: UInt64? = nil, revokes: Bool = false
    ) -> NewToken {
        NewToken(
            digest: digest(number), access: access, presented: presented.map { digest($0) }, revokesPrevious: revokes)
    }

    static let tokens = [
        StoreBehavior("keeps a replaced token for a minute") { store async throws in
            try await store.register(1...1)
            #expect(
                try await store.replaceToken(of: device(1), of: user(1), by: token(2, presented: 1), at: at(5)).value)
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == at(65))
            #expect(try await store.credential(of: digest(2))?.value == Credential(device: makeDevice(1)))
        },
        StoreBehavior("keeps the token of the request and drops a token that no request used") { store async throws in
            try await store.register(1...1)
            _ = try await store.replaceToken(of: device(1), of: user(1), by: token(2, presented: 1), at: at(5))
            // The device missed the answer and asks again with its old token.
            _ = try await store.replaceToken(of: device(1), of: user(1), by: token(3, presented: 1), at: at(20))
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == at(65))
            #expect(try await store.credential(of: digest(2)) == nil)
            #expect(try await store.credential(of: digest(3))?.value.expiresAt == nil)
        },
        StoreBehavior("drops a replaced token at once if asked") { store async throws in
            try await store.register(1...1)
            _ = try await store.replaceToken(
                of: device(1), of: user(1), by: token(3, access: .readOnly, revokes: true), at: at(4))
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == nil)
            let new = token(2, presented: 1, revokes: true)
            _ = try await store.replaceToken(of: device(1), of: user(1), by: new, at: at(5))
            #expect(try await store.credential(of: digest(1)) == nil)
            #expect(try await store.credential(of: digest(3)) == nil)
            #expect(try await store.credential(of: digest(2)) != nil)
        },
        StoreBehavior("replaces tokens of each access separately") { store async throws in
            try await store.register(1...1)
            for (number, time) in [(2, 5), (3, 6), (4, 7)] as [(UInt64, Double)] {
                let new = token(number, access: .readOnly, presented: 1)
                _ = try await store.replaceToken(of: device(1), of: user(1), by: new, at: at(time))
            }
            #expect(try await store.credential(of: digest(1))?.value.expiresAt == nil)
            #expect(try await store.credential(of: digest(2)) == nil)
            #expect(try await store.credential(of: digest(3))?.value.expiresAt == at(67))
            #expect(try await store.credential(of: digest(4))?.value.access == .readOnly)
        },
        StoreBehavior("drops all tokens of a revoked device, and expired tokens when it prunes") {
            store async throws in
            try await store.register(1...2)
            _ = try await store.replaceToken(of: device(1), of: user(1), by: token(3, access: .readOnly), at: at(5))
            _ = try await store.replaceToken(of: device(2), of: user(1), by: token(4, presented: 2), at: at(5))
            _ = try await store.revoke(device(1), of: user(1), at: at(6))
            for number in [1, 3] as [UInt64] { #expect(try await store.credential(of: digest(number)) == nil) }
            try await store.prune(at: at(64))
            #expect(try await store.credential(of: digest(2)) != nil)
            try await store.prune(at: at(65))
            #expect(try await store.credential(of: digest(2)) == nil)
            #expect(try await store.credential(of: digest(4)) != nil)
        },
        StoreBehavior("does not replace the token or the description of another user's device") {
            store async throws in
            try await store.register(1...1)
            #expect(try await !store.replaceToken(of: device(1), of: user(2), by: token(2), at: at(5)).value)
            var stranger = makeDevice(1, of: user(2))
            stranger.name = "Stranger"
            #expect(try await !store.describe(stranger).value)
            #expect(try await store.devices(of: user(1)) == [makeDevice(1)])
        },
        StoreBehavior("changes what a device tells about itself") { store async throws in
            try await store.register(1...1)
            var changed = makeDevice(1, idiom: .pad)
            (changed.name, changed.model, changed.systemVersion) = (nil, "iPad14,3", "18.2")
            #expect(try await store.describe(changed).value)
            #expect(try await store.devices(of: user(1)) == [changed])
        },
    ]
}
