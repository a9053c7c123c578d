import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The latest time of each user, and what the command asks of a store.
extension StoreBehavior {
    static let latestTimes = [
        StoreBehavior("returns the latest time of the user's uploads") { store async throws in
            #expect(try await store.latestTime(of: user(1)) == nil)
            try await store.add(capture(1, captured: 10, received: 50))
            try await store.add(capture(2, captured: 5, received: 40))
            #expect(try await store.latestTime(of: user(1)) == at(50))
            #expect(try await store.latestTime(of: user(2)) == nil)
            #expect(try await store.latestTime(of: user(1, app: 2)) == nil)
        },
        StoreBehavior("raises the latest time of the user with each write that stores a time") {
            store async throws in
            func expectLatest(_ seconds: Double) async throws {
                #expect(try await store.latestTime(of: user(1)) == at(seconds))
            }
            _ = try await store.register(makeDevice(1, at: at(10)), token: digest(1), linkCode: nil)
            try await expectLatest(10)
            try await store.register(2...2)
            try await store.add(capture(1, captured: 20))
            try await expectLatest(20)
            try await store.recordServing(archive(1), in: scene(), to: device(2), at: at(30))
            try await expectLatest(30)
            let outcome = Outcome(
                archive: archive(1), device: device(2), result: .restored, context: Context(idiom: .phone),
                reportedAt: at(40))
            #expect(try await store.report(outcome, in: scene()).value == .recorded)
            try await expectLatest(40)
            _ = try await store.apply(delta([(1, [7], nil)], at: 50), to: list, of: device(1), limit: 10)
            try await expectLatest(50)
            let ends = (1...2 as ClosedRange<UInt64>).map { number in
                Link.End(device: device(number), key: LookupKey(rawValue: 1), texts: [])
            }
            #expect(try await store.decide(Link(ends[0], ends[1], .same, note: "", at: at(60)), in: list).value)
            try await expectLatest(60)
            try await store.recordSeen([user(1): [device(1): at(70)]])
            try await expectLatest(70)
            #expect(try await store.delete(archive(1), in: scene(), at: at(80)).value)
            try await expectLatest(80)
            _ = try await store.forget(scene(), at: at(90))
            try await expectLatest(90)
            #expect(try await store.revoke(device(2), of: user(1), at: at(100)).value)
            try await expectLatest(100)
        },
        StoreBehavior("raises the latest time of both users when a device moves") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.create(LinkCode(digest: digest(7), owner: user(2), expiresAt: at(600)))
            _ = try await store.move(device(1), of: user(1), linkCode: digest(7), at: at(30), retention: 20)
            #expect(try await store.latestTime(of: user(1)) == at(30))
            #expect(try await store.latestTime(of: user(2)) == at(30))
        },
        StoreBehavior("never moves a user's latest time back") { store async throws in
            try await store.register(1...2)
            try await store.add(capture(1, captured: 100))
            try await store.recordServing(archive(1), in: scene(), to: device(2), at: at(30))
            _ = try await store.apply(delta([(1, [7], nil)], at: 50), to: list, of: device(1), limit: 10)
            try await store.recordSeen([user(1): [device(1): at(70)]])
            try await store.add(capture(2, captured: 80))
            _ = try await store.forget(scene("editor"), at: at(90))
            #expect(try await store.latestTime(of: user(1)) == at(100))
        },
        StoreBehavior("returns the latest time of all users") { store async throws in
            #expect(try await store.latestTime() == nil)
            try await store.register(1...1)
            try await store.makeUser(user(2))
            try await store.recordSeen([user(2): [device(1002): at(70)], user(1): [device(1): at(40)]])
            #expect(try await store.latestTime() == at(70))
        },
        StoreBehavior("keeps a user's latest time when its data expires") { store async throws in
            try await store.makeUser(user(1))
            try await store.add(capture(1, captured: 10))
            _ = try await store.forget(scene(), at: at(20))
            try await store.prune(at: at(90 * 86_400))
            #expect(try await store.latestTime(of: user(1)) == at(20))
        },
    ]

    static let operation = [
        StoreBehavior("keeps one lookup secret of 32 bytes") { store async throws in
            let secret = try await store.lookupSecret()
            #expect(secret.count == 32 && Set(secret).count > 1)
            try await store.add(capture(1, captured: 10))
            #expect(try await store.lookupSecret() == secret)
        },
        StoreBehavior("counts the bytes of stored archives as used") { store async throws in
            let before = try await store.usedBytes()
            var numbers = SeededNumbers(seed: 1)
            for number in 1...20 as ClosedRange<UInt64> {
                var new = capture(number, captured: Double(number))
                // Random bytes, so that compression does not make them smaller.
                new.bytes = (0..<10_000).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
                try await store.add(new)
            }
            #expect(try await store.usedBytes() >= before + 200_000)
        },
        StoreBehavior("returns no foreign invalidations after its own writes") { store async throws in
            #expect(try await store.externalInvalidations(following: []) == .none)
            try await store.add(capture(1, captured: 10))
            try await store.recordSeen([user(1): [device(1): at(20)]])
            #expect(try await store.externalInvalidations(following: []) == .none)
        },
        StoreBehavior("loses no acknowledged write when it closes, and may be closed twice") { store async throws in
            let acknowledged = await withTaskGroup { group in
                for number in 1...20 as ClosedRange<UInt64> {
                    group.addTask { () -> UInt64? in
                        do throws(StoreError) {
                            _ = try await store.put(capture(number, captured: Double(number)), retention: 20)
                            return number
                        } catch {
                            #expect(error.code == .unavailable)
                            return nil
                        }
                    }
                }
                await store.close()
                return await group.reduce(into: Set<UInt64>()) { numbers, number in
                    if let number { numbers.insert(number) }
                }
            }
            await store.close()
            #expect(try await acknowledged.isSubset(of: store.history()))
        },
    ]
}
