import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The reads and the changes of administrators.
extension StoreBehavior {
    static let browsing = [
        StoreBehavior("replaces settings only if they are the expected settings") { store async throws in
            try await store.create(makeApp(1))
            var (first, second) = (App.Settings(), App.Settings())
            first.restoration = .offer
            second.restoration = .off
            let isFirst = try await store.replaceSettings(of: app(1), with: first, replacing: App.Settings())
            #expect(isFirst.value && isFirst.invalidations == .settings(true))
            let isSecond = try await store.replaceSettings(of: app(1), with: second, replacing: App.Settings())
            #expect(!isSecond.value && isSecond.invalidations == .none)
            #expect(try await store.app(.id(app(1)))?.settings == first)
            #expect(try await store.replaceSettings(of: app(1), with: second, replacing: first).value)
            #expect(try await !store.replaceSettings(of: app(9), with: first, replacing: second).value)
        },
        StoreBehavior("lists users with their account, their time of creation and their usage") { store async throws in
            _ = try await store.register(makeDevice(1, at: at(5)), token: digest(1), linkCode: nil)
            let joined = NewDevice(
                makeDevice(2, of: user(2)), token: digest(2),
                joins: .account(Account(digest: digest(70), newUser: user(2).user) { _ in [1] }))
            _ = try await store.register(joined)
            for number in 1...2 { try await store.add(capture(UInt64(number), captured: Double(number))) }
            let users = try await store.users(of: app(1), after: nil, limit: 9)
            #expect(users.map(\.isSignedIn) == [false, true])
            #expect(users.map(\.archiveCount) == [2, 0])
            #expect(users.map(\.bytes) == [bytes(1).count + bytes(2).count, 0])
            #expect(users.first?.createdAt == at(5))
        },
        StoreBehavior("finds a device of an app by its id") { store async throws in
            try await store.register(1...2)
            _ = try await store.register(makeDevice(3, of: user(1, app: 2)), token: digest(3), linkCode: nil)
            #expect(try await store.device(device(2), in: app(1)) == store.devices(of: user(1)).last)
            #expect(try await store.device(device(3), in: app(1)) == nil)
            #expect(try await store.device(device(3), in: app(2))?.owner == user(1, app: 2))
            _ = try await store.revoke(device(2), of: user(1), at: at(9))
            #expect(try await store.device(device(2), in: app(1)) == nil)
        },
        StoreBehavior("finds the archives with an id in all scenes of an app") { store async throws in
            let owners = [user(1), user(2), user(1, app: 2)]
            for (number, owner) in owners.enumerated() {
                _ = try await store.register(
                    makeDevice(UInt64(number + 1), of: owner), token: digest(UInt64(number + 1)), linkCode: nil)
            }
            try await store.add(capture(100, in: scene("s0", of: user(2)), captured: 1))
            for owner in owners { try await store.add(capture(7, in: scene("last", of: owner), captured: 5000)) }
            func search(_ id: ArchiveID) async throws -> Set<SceneKey> {
                var scenes: [SceneKey] = []
                var step: Int64? = 0
                while let next = step {
                    let search = try await store.search(for: id, in: app(1), from: next)
                    scenes += search.scenes
                    step = search.next
                }
                #expect(Set(scenes).count == scenes.count)
                return Set(scenes)
            }
            #expect(try await search(archive(7)) == [scene("last", of: user(1)), scene("last", of: user(2))])
            #expect(try await search(archive(100)) == [scene("s0", of: user(2))])
            _ = try await store.delete(archive(100), in: scene("s0", of: user(2)), at: at(9000))
            #expect(try await search(archive(100)).isEmpty)
        },
        StoreBehavior("counts the events of one app") { store async throws in
            let counters = [0, 1, 2, 3].map {
                Counter(hour: at(0).hour + $0, app: app(1), name: "upload", label: "stored")
            }
            var other = counters[1]
            other.app = app(2)
            try await store.add(Dictionary(uniqueKeysWithValues: counters.map { ($0, 2) }))
            try await store.add([other: 5, Counter(hour: at(0).hour, app: nil, name: "request", label: "x"): 1])
            #expect(
                try await store.counts(of: app(1), named: nil, from: at(3600), to: at(7200), each: 1) == [
                    counters[1]: 2, counters[2]: 2,
                ])
            #expect(try await store.counts(of: app(2), named: nil, from: at(0), to: at(90_000), each: 1) == [other: 5])
            #expect(try await store.counts(of: app(1), named: nil, from: at(7200), to: at(0), each: 1).isEmpty)
            #expect(
                try await store.counts(of: app(1), named: "upload", from: at(3600), to: at(90_000), each: 2) == [
                    counters[1]: 4, counters[3]: 2,
                ])
        },
        StoreBehavior("counts groups apart, and reads one kind of event of the service") { store async throws in
            func counter(_ group: Counter.Group?) -> Counter {
                Counter(hour: at(0).hour, app: app(1), name: "upload", label: "stored", group: group)
            }
            let groups: [Counter.Group?] = [
                nil, .other, .init(idiom: .pad, bundleVersion: nil), .init(idiom: .pad, bundleVersion: "2.1"),
            ]
            let counts = Dictionary(uniqueKeysWithValues: groups.enumerated().map { (counter($1), $0 + 1) })
            for _ in 1...2 { try await store.add(counts) }
            let latency = Counter(hour: at(0).hour, app: nil, name: "latency", label: "x")
            try await store.add([latency: 3, Counter(hour: at(0).hour, app: nil, name: "request", label: "x"): 4])
            let stored = try await store.counts(of: app(1), named: nil, from: at(0), to: at(0), each: 1)
            #expect(stored == counts.mapValues { $0 * 2 })
            #expect(try await store.counts(of: nil, named: "latency", from: at(0), to: at(0), each: 1) == [latency: 3])
            #expect(try await store.counts(of: nil, named: nil, from: at(0), to: at(0), each: 1).count == 2)
            #expect(try await store.counts(of: app(1), named: "latency", from: at(0), to: at(0), each: 1).isEmpty)
        },
        StoreBehavior("copies an archive only while it is stored") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            var copy = capture(2, content: 1, captured: 2)
            copy.original = archive(1)
            try await store.add(copy)
            _ = try await store.delete(archive(1), in: scene(), at: at(3))
            var late = capture(3, content: 1, captured: 4)
            late.original = archive(1)
            #expect(try await store.put(late, retention: 9).value == .actorGone)
            var gone = capture(4, content: 1, in: scene(of: user(9)), captured: 4)
            gone.original = archive(1)
            #expect(try await store.put(gone, retention: 9).value == .actorGone)
            #expect(try await store.facts(of: user(9)) == nil)
            #expect(try await store.history() == [2])
        },
    ]
}
