import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The effects of a write, and the versions that the write raised.
private struct Observation: Equatable {
    var news: Set<UserKey>
    var allNews: Bool
    /// The users whose version rose.
    var raised: Set<UserKey>
    /// The users whose access version rose.
    var access: Set<UserKey>

    init(
        news: Set<UserKey> = [], allNews: Bool = false, raised: Set<UserKey> = [], access: Set<UserKey> = []
    ) {
        self.news = news
        self.allNews = allNews
        self.raised = raised
        self.access = access
    }

    static let nothing = Observation()
    /// The observation of a write to the first user that the change log lists.
    static let logged = Observation(news: [user(1)], raised: [user(1)])
    static let unlogged = Observation(raised: [user(1)])
}

extension Store {
    /// Returns what a write changes for two users.
    fileprivate func observe<Value>(
        _ write: (any Store) async throws -> Committed<Value>
    ) async throws -> Observation {
        let users = [user(1), user(2)]
        var before: [UserKey: UserVersion] = [:]
        for user in users { before[user] = try await userVersion(of: user) }
        let invalidations = try await write(self).invalidations
        var observation = Observation(news: Set(invalidations.news), allNews: invalidations.allNews)
        for user in users {
            let after = try await userVersion(of: user)
            if let before = before[user] {
                if after.version > before.version { observation.raised.insert(user) }
                if after.access > before.access { observation.access.insert(user) }
            }
        }
        return observation
    }
}

extension StoreBehavior {
    static let invalidations = [
        StoreBehavior("raises the user's version with every write to a scene, and returns the news") {
            store async throws in
            try await store.register(1...2)
            let new = capture(1, captured: 1)
            #expect(try await store.observe { try await $0.put(new, retention: 20) } == .logged)
            #expect(try await store.observe { try await $0.put(new, retention: 20) } == .nothing)
            let late = capture(2, captured: 2, precondition: HeadPrecondition.none)
            #expect(try await store.observe { try await $0.put(late, retention: 20) } == .nothing)
            let before = try await store.userVersion(of: user(1))
            try await store.recordServing(archive(1), in: scene(), to: device(2), at: at(2))
            #expect(try await store.userVersion(of: user(1)) == before, "no cached value depends on a serving")
            func report(_ archive: ArchiveID, by device: DeviceID) async throws -> Observation {
                let outcome = Outcome(
                    archive: archive, device: device, result: .began, context: Context(idiom: .phone),
                    reportedAt: at(2))
                return try await store.observe { try await $0.report(outcome, in: scene()) }
            }
            #expect(try await report(archive(1), by: device(1)) == .logged)
            #expect(try await report(archive(1), by: device(9)) == .nothing)
            #expect(try await report(archive(9), by: device(1)) == .nothing)
            let screenshot = Screenshot(format: .png, bytes: [1])
            func keepScreenshot(_ archive: ArchiveID) async throws -> Observation {
                try await store.observe { try await $0.putScreenshot(screenshot, for: archive, in: scene()) }
            }
            #expect(try await keepScreenshot(archive(1)) == .unlogged)
            #expect(try await keepScreenshot(archive(9)) == .nothing)
            #expect(try await store.observe { try await $0.delete(archive(1), in: scene(), at: at(3)) } == .logged)
            #expect(try await store.observe { try await $0.delete(archive(1), in: scene(), at: at(3)) } == .nothing)
            #expect(try await store.observe { try await $0.forget(scene(), at: at(4)) } == .logged)
        },
        StoreBehavior("raises the versions of all users that a write to a device concerns") { store async throws in
            func join(_ number: UInt64, _ owner: UserKey) async throws -> Observation {
                try await store.observe {
                    try await $0.register(makeDevice(number, of: owner), token: digest(number), linkCode: nil)
                }
            }
            #expect(try await join(1, user(1)) == .logged)
            #expect(try await join(2, user(2)) == Observation(news: [user(2)], raised: [user(2)]))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            func move(from owner: UserKey) async throws -> Observation {
                try await store.observe {
                    try await $0.move(device(2), of: owner, linkCode: digest(7), at: at(1), retention: 20)
                }
            }
            let both: Set<UserKey> = [user(1), user(2)]
            #expect(try await move(from: user(2)) == Observation(news: both, raised: both, access: both))
            #expect(try await move(from: user(1)) == .nothing)
            func revoke() async throws -> Observation {
                try await store.observe { try await $0.revoke(device(2), of: user(1), at: at(2)) }
            }
            #expect(
                try await revoke() == Observation(news: [user(1)], raised: [user(1)], access: [user(1)]))
            #expect(try await revoke() == .nothing)
        },
        StoreBehavior("raises the access versions when an app's settings or data sources change") {
            store async throws in
            try await store.create(makeApp(1))
            func replace(_ number: UInt64) async throws -> Observation {
                let observation = try await store.observe {
                    try await $0.replaceSettings(of: app(number), with: App.Settings())
                }
                return observation
            }
            let both: Set<UserKey> = [user(1), user(2)]
            #expect(try await replace(1) == Observation(allNews: true, access: both))
            #expect(try await replace(9) == .nothing)
            let source = DataSource(scope: .registered)
            func declare() async throws -> Observation {
                try await store.observe {
                    try await $0.declare(source, named: "photos", of: app(1), overriding: false)
                }
            }
            #expect(try await declare() == Observation(access: both))
            #expect(try await declare() == .nothing)
            func undeclare() async throws -> Observation {
                try await store.observe { try await $0.undeclare("photos", of: app(1)) }
            }
            #expect(try await undeclare() == Observation(access: both))
            #expect(try await undeclare() == .nothing)
        },
        StoreBehavior("raises the user's version when registered items or decisions change") { store async throws in
            try await store.register(1...2)
            let ends = [1, 2].map { number in
                Link.End(device: device(number), key: LookupKey(rawValue: Int64(number)), texts: [])
            }
            let link = Link(ends[0], ends[1], .same, note: "", at: at(1))
            let delta = delta([(1, [7], nil)])
            func apply(by device: DeviceID) async throws -> Observation {
                try await store.observe { try await $0.apply(delta, to: list, of: device, limit: 10) }
            }
            #expect(try await apply(by: device(1)) == .unlogged)
            #expect(try await apply(by: device(9)) == .nothing)
            #expect(try await store.observe { try await $0.decide(link, in: list) } == .unlogged)
            #expect(try await store.observe { try await $0.removeDecision(ends[0], ends[1], in: list) } == .unlogged)
            #expect(try await store.observe { try await $0.removeDecision(ends[0], ends[1], in: list) } == .nothing)
        },
        // The service writes the times of last use once a minute, for all users.
        StoreBehavior("leaves the version of the user as it is when times of last use or a link code are written") {
            store async throws in
            try await store.register(1...1)
            let before = try await store.userVersion(of: user(1))
            try await store.recordSeen([user(1): [device(1): at(50)]])
            #expect(try await store.device(token: digest(1))?.value.lastSeenAt == at(50))
            #expect(try await store.userVersion(of: user(1)) == before)
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            #expect(try await store.userVersion(of: user(1)) == before)
        },
        StoreBehavior("returns a device by its token with the version of its user") { store async throws in
            try await store.register(1...1)
            let found = try #require(try await store.device(token: digest(1)))
            #expect(found.value.id == device(1))
            #expect(try await found.userVersion == store.userVersion(of: user(1)))
            _ = try await store.revoke(device(1), of: user(1), at: at(2))
            #expect(try await store.device(token: digest(1)) == nil)
            #expect(try await store.userVersion(of: user(1)).access > found.userVersion.access)
        },
    ]
}
