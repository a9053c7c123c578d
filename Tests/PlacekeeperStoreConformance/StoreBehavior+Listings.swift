import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The sorted lists of users, the search over items, and the end of an app.
extension StoreBehavior {
    static let listings = [
        StoreBehavior("sorts users by when they were last seen, and by their bytes then") { store async throws in
            for number in 1...4 as ClosedRange<UInt64> { try await store.register(number...number, of: user(number)) }
            try await store.register(9...9, of: user(1, app: 2))
            for (owner, count) in [(2, 1), (4, 3)] as [(UInt64, UInt64)] {
                for number in 1...count {
                    let id = 10 * owner + number
                    try await store.add(capture(id, in: scene(of: user(owner)), by: owner, captured: Double(id)))
                }
            }
            try await store.recordSeen([user(3): [device(3): at(70)], user(2): [device(2): at(50)]])
            try await store.recordSeen([user(4): [device(4): at(60)], user(3): [device(3): at(40)]])
            func listed(_ order: UserOrder, limit: Int) async throws -> [UInt64] {
                var (numbers, position): ([UInt64], UserPosition?) = ([], nil)
                while true {
                    let page = try await store.users(
                        of: app(1), by: order, after: position, limit: limit, matching: UserConditions())
                    numbers += page.map(\.overview.user.low)
                    position = page.last?.position
                    guard page.count == limit else { return numbers }
                }
            }
            for limit in 1...5 {
                #expect(try await listed(.seen, limit: limit) == [3, 4, 2, 1])
                #expect(try await listed(.bytes, limit: limit) == [4, 2, 3, 1])
                #expect(try await listed(.id, limit: limit) == [1, 2, 3, 4])
            }
            let ids = [user(4), user(9), user(2)].map(\.user)
            let found = try await store.users(ids, of: app(1), by: .seen, matching: UserConditions())
            #expect(
                Set(found.map(\.position)) == [
                    UserPosition(key: at(60).milliseconds, user: user(4).user),
                    UserPosition(key: at(50).milliseconds, user: user(2).user),
                ])
        },
        StoreBehavior("says which users have a device of an idiom, and a head of a version") { store async throws in
            for (number, idiom) in [(1, Idiom.phone), (2, .pad), (3, .pad)] as [(UInt64, Idiom)] {
                let device = makeDevice(number, of: user(number), idiom: idiom)
                _ = try await store.register(device, token: digest(number), linkCode: nil)
            }
            try await store.register(4...4, of: user(3))
            func add(_ number: UInt64, _ version: String, of owner: UInt64, in name: String = "main") async throws {
                var new = capture(number, in: scene(name, of: user(owner)), by: owner, captured: Double(number))
                new.context.bundleVersion = version
                try await store.add(new)
            }
            try await add(1, "43", of: 1)
            try await add(2, "42", of: 1)
            try await add(3, "42", of: 3)
            try await add(4, "43", of: 3, in: "notes")
            func matching(_ conditions: UserConditions) async throws -> [UInt64] {
                let users = try await store.users(
                    of: app(1), by: .id, after: nil, limit: 9, matching: conditions)
                #expect(users.count == 3)
                let byID = try await store.users(users.map(\.overview.user), of: app(1), by: .id, matching: conditions)
                #expect(Set(byID) == Set(users))
                return users.filter(\.matches).map(\.overview.user.low)
            }
            #expect(try await matching(UserConditions()) == [1, 2, 3])
            #expect(try await matching(UserConditions(idiom: .pad)) == [2, 3])
            #expect(try await matching(UserConditions(idiom: .phone)) == [1, 3])
            #expect(try await matching(UserConditions(version: "43")) == [3])
            #expect(try await matching(UserConditions(version: "42")) == [1, 3])
            #expect(try await matching(UserConditions(idiom: .phone, version: "44")) == [])
        },
        StoreBehavior("finds items by key over the registrations of many users") { store async throws in
            _ = try await register(delta([(1, [7], nil), (2, [8], nil)]), in: store)
            let other = ItemList(owner: user(2), dataSource: "photos")
            try await store.register(2...2, of: user(2))
            _ = try await store.apply(delta([(2, [], nil), (3, [], nil)]), to: other, of: device(2), limit: 10)
            _ = try await store.apply(delta(removals: [3]), to: other, of: device(2), limit: 10)
            func items(_ keys: [(UInt64, Int64)], app number: UInt64 = 1) async throws -> Set<RegisteredItem> {
                Set(try await store.items(keys.map { (user($0.0).user, key($0.1)) }, of: app(number)))
            }
            #expect(
                try await items([(1, 2), (2, 2), (9, 2)]) == [
                    RegisteredItem(list: list, device: device(1), texts: [2]),
                    RegisteredItem(list: other, device: device(2), texts: [2]),
                ])
            #expect(try await items([(2, 1)]).isEmpty)
            #expect(try await items([(2, 3)]).isEmpty, "the item was removed")
            #expect(try await items([(1, 2)], app: 2).isEmpty)
        },
        StoreBehavior("removes an app without users, and keeps others") { store async throws in
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.create(makeApp(number, bundle: "com.example.\(number)"))
            }
            try await store.register(1...1)
            let pair = RestorePair(sourceVersion: "41", targetVersion: "42", idiom: .phone)
            try await store.log([.note(BreakerTransition(at: at(3), app: app(1), pair: pair, state: .normal))])
            #expect(try await !store.remove(app(1)).value)
            #expect(try await store.app(.id(app(1))) != nil)
            _ = try await store.erase(user(1))
            let removed = try await store.remove(app(1))
            #expect(removed.value && removed.invalidations == .settings(true))
            #expect(try await store.apps().map(\.id) == [app(2)])
            #expect(try await store.usage(of: app(1)) == Usage())
            for kind in [RestoreLogEntry.Kind.note, .report] {
                #expect(try await store.restoreLog(kind, of: app(1), below: nil, limit: 9).entries.isEmpty)
            }
            try await store.create(makeApp(1, bundle: "com.example.1"))
        },
    ]
}
