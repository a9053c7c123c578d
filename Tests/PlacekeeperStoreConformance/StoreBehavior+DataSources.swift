import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    static let registrations = [
        StoreBehavior("deletes a revoked device's registrations with its last archive") {
            store async throws in
            let registry = try await register(delta([(1, [7], nil)]), in: store)
            try await store.add(capture(1, by: 1, captured: 1))
            #expect(try await store.revoke(device(1), of: user(1), at: at(2)).value)
            try await store.prune(at: at(3))
            #expect(try await store.registries(of: list) == [registry])
            #expect(try await store.delete(archive(1), in: scene(), at: at(4)).value)
            try await store.prune(at: at(5))
            #expect(try await store.registries(of: list).isEmpty)
            #expect(try await store.items([key(1)], in: registry)[0] == nil)
        },
        StoreBehavior("refuses a delta of a revoked device") { store async throws in
            _ = try await register(delta([(1, [7], nil)]), in: store)
            #expect(try await store.revoke(device(1), of: user(1), at: at(2)).value)
            #expect(
                try await store.apply(delta([(2, [], nil)]), to: list, of: device(1), limit: 10).value == .actorGone)
        },
        StoreBehavior("limits listed registrations, those of existing devices first") {
            store async throws in
            func join(_ number: UInt64) async throws {
                _ = try await store.register(makeDevice(number), token: digest(number), linkCode: nil)
                _ = try await store.apply(delta([(1, [7], nil)]), to: list, of: device(number), limit: 10)
            }
            let all = 1...UInt64(Limits.registries + 1)
            for number in all.dropLast() {
                try await join(number)
                if number != 5 { #expect(try await store.revoke(device(number), of: user(1), at: at(1)).value) }
            }
            try await join(all.upperBound)
            let gone = all.dropLast(2).filter { $0 != 5 }
            #expect(
                try await store.registries(of: list).map(\.device) == ([5, all.upperBound] + gone).map { device($0) })
        },
    ]

    static let dataSources = [
        StoreBehavior("keeps the first declaration of a data source until an operator overrides it") {
            store async throws in
            try await store.create(makeApp(1))
            let registered = DataSource(scope: .registered)
            let shared = DataSource(scope: .shared)
            let unique = DataSource(scope: .registered, uniqueAliases: ["server", "isbn"])
            func declare(_ source: DataSource, _ overriding: Bool = false) async throws -> Declaration {
                let committed = try await store.declare(source, named: "photos", of: app(1), overriding: overriding)
                return committed.value
            }
            #expect(try await declare(registered) == .declared)
            #expect(try await declare(registered) == .known)
            #expect(try await declare(shared) == .differs(registered))
            #expect(try await declare(unique) == .differs(registered))
            #expect(try await declare(shared, true) == .declared)
            #expect(try await store.app(.id(app(1)))?.dataSources == ["photos": shared])
            #expect(try await declare(unique, true) == .declared)
            #expect(try await declare(registered) == .differs(unique))
            #expect(try await store.app(.id(app(1)))?.dataSources == ["photos": unique])
            #expect(
                try await store.declare(shared, named: "photos", of: app(9), overriding: false).value == .noApp)
        },
        StoreBehavior("lets an operator exceed the limit of data sources and undeclare them") {
            store async throws in
            try await store.create(makeApp(1))
            let source = DataSource(scope: .shared)
            for number in 1...Limits.dataSources {
                _ = try await store.declare(source, named: "junk-\(number)", of: app(1), overriding: false)
            }
            #expect(try await store.declare(source, named: "photos", of: app(1), overriding: false).value == .tooMany)
            #expect(try await store.declare(source, named: "photos", of: app(1), overriding: true).value == .declared)
            #expect(try await store.undeclare("junk-1", of: app(1)).value)
            #expect(try await store.undeclare("junk-2", of: app(1)).value)
            #expect(try await store.undeclare("junk-1", of: app(1)).value == false)
            #expect(try await store.undeclare("photos", of: app(9)).value == false)
            #expect(try await store.declare(source, named: "books", of: app(1), overriding: false).value == .declared)
            #expect(try await store.app(.id(app(1)))?.dataSources.count == Limits.dataSources)
        },
        StoreBehavior("deletes decisions about a device's items when it moves, and keeps them when it is revoked") {
            store async throws in
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await store.register(makeDevice(number), token: digest(number), linkCode: nil)
            }
            _ = try await store.register(makeDevice(4, of: user(2)), token: digest(4), linkCode: nil)
            func end(_ number: UInt64) -> Link.End { Link.End(device: device(number), key: key(1), texts: [1]) }
            func decided() async throws -> [String] { try await store.links(in: list).map(\.note) }
            let albums = ItemList(owner: user(1), dataSource: "albums")
            for (one, other) in [(1, 2), (2, 3), (3, 1)] as [(UInt64, UInt64)] {
                let link = Link(end(one), end(other), .same, note: "\(one)\(other)", at: at(Double(one)))
                #expect(try await store.decide(link, in: list).value)
                #expect(try await store.decide(link, in: albums).value)
            }
            #expect(try await store.revoke(device(1), of: user(1), at: at(40)).value)
            #expect(try await decided() == ["12", "23", "31"])
            try await store.create(LinkCode(digest: digest(7), owner: user(2), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(1), linkCode: digest(7), at: at(50), retention: 20)
            #expect(try await decided() == ["31"])
            #expect(try await store.links(in: albums).map(\.note) == ["31"])
        },
        StoreBehavior("limits the number of decisions about a list") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            @Sendable func link(_ number: Int, _ kind: Link.Kind = .same) -> Link {
                let one = Link.End(device: device(1), key: key(Int64(number)), texts: [])
                return Link(one, Link.End(device: device(2), key: key(1), texts: []), kind, note: "", at: at(1))
            }
            for start in stride(from: 1, through: Limits.links, by: 100) {
                try await withThrowingTaskGroup { group in
                    for number in start..<start + 100 {
                        group.addTask {
                            let isStored = try await store.decide(link(number), in: list).value
                            #expect(isStored)
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(try await !store.decide(link(Limits.links + 1), in: list).value)
            #expect(try await store.decide(link(5, .different), in: list).value)
            #expect(try await store.links(in: list).count == Limits.links)
        },
        StoreBehavior("a decision replaces the earlier decision about the same two items") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            let one = Link.End(device: device(1), key: key(1), texts: [1])
            let other = Link.End(device: device(2), key: key(1), texts: [2])
            #expect(try await store.decide(Link(one, other, .same, note: "a", at: at(1)), in: list).value)
            #expect(try await store.decide(Link(other, one, .different, note: "b", at: at(2)), in: list).value)
            let links = try await store.links(in: list)
            #expect(links.map(\.kind) == [.different])
            #expect(links.map(\.note) == ["b"])
            #expect(try await store.removeDecision(other, one, in: list).value)
            #expect(try await store.removeDecision(other, one, in: list).value == false)
        },
    ]
}
