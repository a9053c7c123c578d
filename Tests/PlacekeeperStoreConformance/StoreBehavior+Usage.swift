import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    /// A screenshot with this number of bytes.
    static func screenshot(_ count: Int) -> Screenshot {
        Screenshot(format: .png, bytes: [UInt8](repeating: 7, count: count))
    }

    /// Checks that the user has this usage, and that the app has the same usage with one user.
    private static func expectUsage(
        bytes: Int, archives: Int, devices: Int = 1, of store: any Store,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var expected = Usage(bytes: bytes, archives: archives, devices: devices)
        #expect(try await store.usage(of: user(1)) == expected, sourceLocation: sourceLocation)
        expected.users = 1
        #expect(try await store.usage(of: app(1)) == expected, sourceLocation: sourceLocation)
    }

    static let usages = [
        StoreBehavior("counts the bytes of archives and screenshots") { store async throws in
            #expect(try await store.usage(of: user(1)) == Usage())
            #expect(try await store.usage(of: app(1)) == Usage())
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            try await expectUsage(bytes: 800, archives: 1, of: store)
            #expect(try await store.putScreenshot(screenshot(50), for: archive(1), in: scene()).value)
            #expect(try await store.putScreenshot(screenshot(30), for: archive(1), in: scene()).value)
            try await expectUsage(bytes: 830, archives: 1, of: store)
            // Retention removes the first archive with its screenshot.
            try await store.add(capture(10, captured: 2), retention: 1)
            try await expectUsage(bytes: 900, archives: 1, of: store)
            try await store.add(capture(2, in: scene("editor"), captured: 3))
            try await store.add(capture(3, in: scene("editor"), captured: 4))
            #expect(try await store.putScreenshot(screenshot(5), for: archive(3), in: scene("editor")).value)
            try await expectUsage(bytes: 2505, archives: 3, of: store)
            _ = try await store.delete(archive(3), in: scene("editor"), at: at(5))
            try await expectUsage(bytes: 1700, archives: 2, of: store)
            _ = try await store.forget(scene(), at: at(6))
            try await expectUsage(bytes: 800, archives: 1, of: store)
        },
        StoreBehavior("does not count a refused upload") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            _ = try await store.put(capture(1, captured: 2), retention: 20)
            _ = try await store.put(capture(1, content: 2, captured: 2), retention: 20)
            _ = try await store.put(capture(2, captured: 2, precondition: HeadPrecondition.none), retention: 20)
            try await expectUsage(bytes: 800, archives: 1, of: store)
        },
        StoreBehavior("counts the stored texts of items until the store forgets the items") { store async throws in
            try await store.register(1...1)
            var items = delta([(1, [7], nil), (2, [8], nil)])
            items.upserts[0].texts = [1, 2, 3]
            _ = try await store.apply(items, to: list, of: device(1), limit: 10)
            try await expectUsage(bytes: 4, archives: 0, of: store)
            // The item has other texts. An upload between two deltas sees the new usage.
            try await store.add(capture(1, captured: 1))
            items = delta([(1, [9], nil)], at: 10)
            items.upserts[0].texts = [1, 2, 3, 4, 5]
            _ = try await store.apply(items, to: list, of: device(1), limit: 10)
            try await store.add(capture(2, in: scene("editor"), captured: 2))
            try await expectUsage(bytes: 1606, archives: 2, of: store)
            _ = try await store.apply(delta(removals: [1], at: 20), to: list, of: device(1), limit: 10)
            try await expectUsage(bytes: 1606, archives: 2, of: store)
            try await store.prune(at: at(31 * 86_400))
            try await expectUsage(bytes: 1601, archives: 2, of: store)
            // With a limit of one item, the store keeps two items.
            _ = try await store.apply(delta([(3, [], nil)], removals: [2]), to: list, of: device(1), limit: 1)
            _ = try await store.apply(delta([(4, [], nil)], removals: [3]), to: list, of: device(1), limit: 1)
            try await expectUsage(bytes: 1602, archives: 2, of: store)
        },
        StoreBehavior("counts devices and users, also after sign-out and revocation") { store async throws in
            try await store.register(1...2)
            try await store.register(3...3, of: user(2))
            #expect(try await store.usage(of: app(1)) == Usage(devices: 3, users: 2))
            #expect(try await store.usage(of: user(1)).devices == 2)
            _ = try await store.revoke(device(2), of: user(1), at: at(1))
            #expect(try await store.usage(of: app(1)) == Usage(devices: 2, users: 2))
            let account = Account(digest: digest(801), newUser: user(9).user) { _ in [1] }
            _ = try await store.signIn(device(1), of: user(1), to: account, at: at(2), retention: 20)
            let next = NewDevice(makeDevice(4, of: user(4)), token: digest(4))
            _ = try await store.signOut(device(1), of: user(1), replacement: next, at: at(3))
            #expect(try await store.usage(of: app(1)) == Usage(devices: 2, users: 3))
            #expect(try await store.usage(of: app(2)) == Usage())
        },
        StoreBehavior("moves the usage with a device's archives") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.add(capture(1, captured: 1))
            try await store.add(capture(2, in: scene(of: user(2)), by: 2, captured: 2))
            _ = try await store.putScreenshot(screenshot(30), for: archive(2), in: scene(of: user(2)))
            // The new user has an archive with the same id, so this archive does not move.
            try await store.add(capture(1, content: 11, in: scene(of: user(2)), by: 2, captured: 3))
            let items = ItemList(owner: user(2), dataSource: "photos")
            _ = try await store.apply(delta([(1, [], nil)]), to: items, of: device(2), limit: 10)
            #expect(try await store.usage(of: user(2)) == Usage(bytes: 1731, archives: 2, devices: 1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            #expect(try await store.usage(of: user(1)) == Usage(bytes: 1630, archives: 2, devices: 2))
            #expect(try await store.usage(of: user(2)) == Usage())
            #expect(try await store.usage(of: app(1)) == Usage(bytes: 1630, archives: 2, devices: 2, users: 2))
        },
        StoreBehavior("counts nothing of an erased user") { store async throws in
            try await store.register(1...2)
            try await store.register(3...3, of: user(2))
            try await store.add(capture(1, captured: 1))
            _ = try await store.putScreenshot(screenshot(30), for: archive(1), in: scene())
            _ = try await store.apply(delta([(1, [], nil)]), to: list, of: device(1), limit: 10)
            _ = try await store.erase(user(1))
            #expect(try await store.usage(of: user(1)) == Usage())
            #expect(try await store.usage(of: app(1)) == Usage(devices: 1, users: 1))
        },
    ]
}
