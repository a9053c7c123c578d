import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    static let apps = [
        StoreBehavior("finds an app by id, bundle identifier and publishable key") { store async throws in
            try await store.create(makeApp(1))
            try await store.create(makeApp(2, bundle: "com.example.notes"))
            for selector in [.id(app(1)), .bundleIdentifier("com.example.photos"), .publishableKey("pk_1")]
                as [AppSelector]
            {
                #expect(try await store.app(selector) == makeApp(1))
            }
            for selector in [.id(app(9)), .bundleIdentifier("com.example"), .publishableKey("pk_")] as [AppSelector] {
                #expect(try await store.app(selector) == nil)
            }
            #expect(Set(try await store.apps().map(\.id)) == [app(1), app(2)])
        },
        StoreBehavior("refuses a second app with the same bundle identifier") { store async throws in
            try await store.create(makeApp(1))
            let error = await #expect(throws: StoreError.self) { try await store.create(makeApp(2)) }
            #expect(error?.code == .exists)
            #expect(try await store.apps().count == 1)
        },
        StoreBehavior("replaces an app's settings completely") { store async throws in
            try await store.create(makeApp(1))
            var settings = App.Settings()
            settings.policy.acceptedIdioms = ["pad": ["phone"]]
            settings.policy.maximumAge = nil
            settings.policy.minimumBundleVersion = "1.2"
            settings.restoration = .off
            settings.retainedArchives = 3
            #expect(try await store.replaceSettings(of: app(1), with: settings).value)
            #expect(try await store.app(.id(app(1)))?.settings == settings)
            #expect(try await !store.replaceSettings(of: app(9), with: settings).value)
        },
    ]

    static let devices = [
        StoreBehavior("finds a device by its token until it is revoked") { store async throws in
            let phone = makeDevice(1)
            #expect(try await store.register(phone, token: digest(1), linkCode: nil).value == .joined(phone))
            #expect(try await store.device(token: digest(1))?.value == phone)
            #expect(try await store.device(token: digest(2)) == nil)
            #expect(try await store.revoke(device(1), of: user(1), at: at(10)).value)
            #expect(try await store.device(token: digest(1)) == nil)
            #expect(try await store.devices(of: user(1)).isEmpty)
            #expect(try await !store.revoke(device(1), of: user(1), at: at(11)).value)
        },
        StoreBehavior("keeps a device without a model and a name") { store async throws in
            var bare = makeDevice(1, idiom: .vision)
            bare.model = nil
            bare.name = nil
            _ = try await store.register(bare, token: digest(1), linkCode: nil)
            #expect(try await store.device(token: digest(1))?.value == bare)
        },
        StoreBehavior("lists and revokes only the user's own devices") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            _ = try await store.register(makeDevice(2), token: digest(2), linkCode: nil)
            _ = try await store.register(makeDevice(3, of: user(2)), token: digest(3), linkCode: nil)
            #expect(Set(try await store.devices(of: user(1)).map(\.id)) == [device(1), device(2)])
            #expect(try await !store.revoke(device(3), of: user(1), at: at(10)).value)
            #expect(try await store.device(token: digest(3)) != nil)
        },
        StoreBehavior("lists an app's users in order, in pages, with their last use") {
            store async throws in
            _ = try await store.register(makeDevice(1, of: user(2)), token: digest(1), linkCode: nil)
            _ = try await store.register(makeDevice(2, of: user(2), at: at(9)), token: digest(2), linkCode: nil)
            _ = try await store.register(makeDevice(3, of: user(1)), token: digest(3), linkCode: nil)
            _ = try await store.register(makeDevice(4, of: user(3)), token: digest(4), linkCode: nil)
            _ = try await store.register(makeDevice(5, of: user(1, app: 2)), token: digest(5), linkCode: nil)
            _ = try await store.revoke(device(4), of: user(3), at: at(10))
            let all = [
                UserOverview(user: user(1).user, deviceCount: 1, lastSeenAt: at(0)),
                UserOverview(user: user(2).user, deviceCount: 2, lastSeenAt: at(9)),
                UserOverview(user: user(3).user, deviceCount: 0, lastSeenAt: nil),
            ]
            func users(after last: UserID?, limit: Int) async throws -> [UserOverview] {
                try await store.users(of: app(1), after: last, limit: limit).map {
                    UserOverview(user: $0.user, deviceCount: $0.deviceCount, lastSeenAt: $0.lastSeenAt)
                }
            }
            #expect(try await users(after: nil, limit: 10) == all)
            #expect(try await users(after: nil, limit: 2) == Array(all.prefix(2)))
            #expect(try await users(after: user(2).user, limit: 2) == Array(all.suffix(1)))
            #expect(try await store.users(of: app(9), after: nil, limit: 2).isEmpty)
        },
        StoreBehavior("keeps a revoked device's archives") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            try await store.add(capture(1, captured: 10))
            _ = try await store.revoke(device(1), of: user(1), at: at(20))
            #expect(try await store.history() == [1])
            #expect(try await store.heads(of: user(1), below: nil, limit: 9).map(\.archive.id.low) == [1])
        },
        StoreBehavior("never moves a time of last use back") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            try await store.recordSeen([user(1): [device(1): at(50), device(9): at(60)]])
            try await store.recordSeen([user(1): [device(1): at(40)]])
            #expect(try await store.device(token: digest(1))?.value.lastSeenAt == at(50))
        },
        StoreBehavior("ignores a time of last use of a device that does not belong to the user") {
            store async throws in
            try await store.register(1...2)
            try await store.register(3...3, of: user(2))
            try await store.recordSeen([user(1): [device(3): at(70), device(1): at(50)], user(9): [device(2): at(80)]])
            #expect(try await store.device(token: digest(1))?.value.lastSeenAt == at(50))
            for number in 2...3 as ClosedRange<UInt64> {
                #expect(try await store.device(token: digest(number))?.value.lastSeenAt == at(0))
            }
            #expect(try await store.latestTime(of: user(1)) == at(50))
            #expect(try await store.latestTime(of: user(2)) == at(0))
            #expect(try await store.latestTime(of: user(9)) == nil)
        },
        StoreBehavior("ignores a time of last use from before the device left the user") { store async throws in
            try await store.register(1...1)
            try await store.makeUser(user(2))
            try await store.create(LinkCode(digest: digest(7), owner: user(2), expiresAt: at(600)))
            let moved = try await store.move(
                device(1), of: user(1), linkCode: digest(7), at: at(30), retention: 20
            ).value
            #expect(moved.device?.owner == user(2))
            try await store.recordSeen([user(1): [device(1): at(50)]])
            #expect(try await store.device(token: digest(1))?.value.lastSeenAt == at(0))
            try await store.recordSeen([user(2): [device(1): at(60)]])
            #expect(try await store.device(token: digest(1))?.value.lastSeenAt == at(60))
        },
    ]

    static let linkCodes = [
        StoreBehavior("a link code joins one device to its user") { store async throws in
            try await store.makeUser(user(1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let joined = try await store.register(makeDevice(2, of: user(2)), token: digest(2), linkCode: digest(7))
                .value
            #expect(joined.device?.owner == user(1))
            #expect(try await store.device(token: digest(2))?.value.owner == user(1))
            let second = try await store.register(makeDevice(3, of: user(3)), token: digest(3), linkCode: digest(7))
                .value
            #expect(second == .codeInvalid)
            #expect(try await store.device(token: digest(3)) == nil)
        },
        StoreBehavior("refuses an expired or unknown link code") { store async throws in
            try await store.makeUser(user(1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let late = makeDevice(2, of: user(2), at: at(600))
            #expect(try await store.register(late, token: digest(2), linkCode: digest(7)).value == .codeInvalid)
            #expect(try await store.register(late, token: digest(2), linkCode: digest(8)).value == .codeInvalid)
        },
        StoreBehavior("stores no link code of a device that was revoked in the meantime") { store async throws in
            try await store.register(1...2)
            _ = try await store.revoke(device(1), of: user(1), at: at(1))
            let late = LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600), maker: device(1))
            let error = await #expect(throws: StoreError.self) { try await store.create(late) }
            #expect(error?.code == .userGone)
            let joined = try await store.register(makeDevice(3, of: user(3)), token: digest(3), linkCode: digest(7))
            #expect(joined.value == .codeInvalid)
        },
        StoreBehavior("deletes a user's link codes when a device is revoked") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            try await store.makeUser(user(2))
            try await store.create(LinkCode(digest: digest(8), owner: user(2), expiresAt: at(600)))
            #expect(try await store.revoke(device(1), of: user(1), at: at(10)).value)
            #expect(
                try await store.register(makeDevice(3, of: user(3)), token: digest(3), linkCode: digest(7)).value
                    == .codeInvalid)
            #expect(
                try await store.register(makeDevice(3, of: user(3)), token: digest(3), linkCode: digest(8)).value.device
                    != nil)
        },
        StoreBehavior("accepts a link code only within its app") { store async throws in
            try await store.makeUser(user(1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let stranger = makeDevice(2, of: user(2, app: 2))
            #expect(try await store.register(stranger, token: digest(2), linkCode: digest(7)).value == .codeInvalid)
            let joined = try await store.register(makeDevice(3, of: user(3)), token: digest(3), linkCode: digest(7))
                .value
            #expect(joined.device?.owner == user(1))
        },
        StoreBehavior("limits a user's devices, not counting revoked ones") {
            store async throws in
            for number in 1...UInt64(Limits.devices) {
                #expect(
                    try await store.register(makeDevice(number), token: digest(number), linkCode: nil).value.device
                        != nil)
            }
            for number in 7...9 as ClosedRange<UInt64> {
                try await store.create(LinkCode(digest: digest(number), owner: user(1), expiresAt: at(600)))
            }
            let new = makeDevice(1001, of: user(2))
            #expect(try await store.register(new, token: digest(1001), linkCode: digest(7)).value == .tooManyDevices)
            #expect(try await store.device(token: digest(1001)) == nil)
            // A device that belongs to the user already can use a code even at the limit.
            let same = try await store.move(device(1), of: user(1), linkCode: digest(9), at: at(1), retention: 20).value
            #expect(same.device?.id == device(1))
            let other = makeDevice(1002, of: user(3))
            _ = try await store.register(other, token: digest(1002), linkCode: nil)
            let refused = try await store.move(device(1002), of: user(3), linkCode: digest(7), at: at(1), retention: 20)
                .value
            #expect(refused == .tooManyDevices)
            #expect(try await store.device(token: digest(1002))?.value == other)
            #expect(try await store.devices(of: user(1)).count == Limits.devices)
            // A revocation deletes the user's codes, and makes room for one device.
            #expect(try await store.revoke(device(2), of: user(1), at: at(2)).value)
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            #expect(
                try await store.register(new, token: digest(1001), linkCode: digest(7)).value.device?.owner == user(1))
        },
        StoreBehavior("keeps a link code when the user has too many devices") { store async throws in
            for number in 1...UInt64(Limits.devices) {
                _ = try await store.register(makeDevice(number), token: digest(number), linkCode: nil)
            }
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            for number in 1001...1002 as ClosedRange<UInt64> {
                let new = makeDevice(number, of: user(number))
                #expect(
                    try await store.register(new, token: digest(number), linkCode: digest(7)).value == .tooManyDevices)
            }
        },
        StoreBehavior("lets only one of several concurrent devices use a link code") { store async throws in
            try await store.makeUser(user(1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let joined = await withTaskGroup(of: Bool.self) { group in
                for number in 10..<18 as Range<UInt64> {
                    group.addTask {
                        let new = makeDevice(number, of: user(number))
                        let joined = try? await store.register(new, token: digest(number), linkCode: digest(7)).value
                        return joined?.device != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(joined == 1)
        },
    ]
}
