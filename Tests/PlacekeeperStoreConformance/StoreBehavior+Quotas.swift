import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    private static func quotas(_ change: (inout App.Settings.Quotas) -> Void) -> App.Settings.Quotas {
        var quotas = App.Settings.Quotas.none
        change(&quotas)
        return quotas
    }

    /// An archive of 800 bytes that is limited by quotas.
    private static func limited(
        _ number: UInt64, in scene: SceneKey = scene(), _ quotas: App.Settings.Quotas
    ) -> NewArchive {
        var new = capture(number, content: 1, in: scene, captured: Double(number))
        new.quotas = quotas
        return new
    }

    /// Stores an archive and returns the quota that refused it.
    private static func refusal(
        of new: NewArchive, retention: Int = 20, _ store: any Store
    ) async throws -> QuotaExcess? {
        switch try await store.put(new, retention: retention).value {
        case .quotaExceeded(let excess): return excess
        case .created: return nil
        case let other:
            Issue.record("unexpected: \(other)")
            return nil
        }
    }

    /// Stores a screenshot of the archive 1.
    private static func put(
        _ count: Int, _ quotas: App.Settings.Quotas, _ store: any Store
    ) async throws -> ScreenshotResult {
        try await store.putScreenshot(screenshot(count), for: archive(1), in: scene(), quotas: quotas).value
    }

    static let quotas = [
        StoreBehavior("refuses an archive beyond a user's bytes, stores nothing, and still deletes") {
            store async throws in
            let limit = quotas { $0.userBytes = 1700 }
            for number in 1...2 as ClosedRange<UInt64> {
                #expect(try await refusal(of: limited(number, limit), store) == nil)
            }
            let before = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 9)
            let excess = QuotaExcess(.userBytes, limit: 1700, used: 1600)
            for _ in 0..<2 { #expect(try await refusal(of: limited(3, in: scene("editor"), limit), store) == excess) }
            #expect(try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 9) == before)
            #expect(try await store.head(of: scene("editor")) == nil)
            #expect(try await store.history() == [2, 1])
            let repeated = try await store.put(limited(2, limit), retention: 20)
            guard case .identical = repeated.value else { Issue.record("\(repeated.value)"); return }
            #expect(try await refusal(of: limited(4, in: scene(of: user(2)), limit), store) == nil)
            #expect(try await store.delete(archive(1), in: scene(), at: at(9)).value)
            #expect(try await refusal(of: limited(3, in: scene("editor"), limit), store) == nil)
        },
        StoreBehavior("counts an archive after retention removed older archives of its scene") { store async throws in
            let limit = quotas { ($0.userBytes, $0.userArchives) = (1600, 2) }
            for number in 1...20 as ClosedRange<UInt64> {
                #expect(try await refusal(of: limited(number, limit), retention: 2, store) == nil)
            }
            #expect(try await store.history() == [20, 19])
            #expect(try await refusal(of: limited(30, in: scene("editor"), limit), retention: 2, store) != nil)
            #expect(try await refusal(of: limited(31, limit), retention: 3, store) != nil)
            // After a refusal, the store still has the same archives in its cache.
            #expect(try await refusal(of: limited(32, limit), retention: 2, store) == nil)
            #expect(try await store.history() == [32, 20])
        },
        StoreBehavior("refuses only growth if the usage is above a lowered quota") { store async throws in
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)))
            }
            let limit = quotas { $0.userBytes = 100 }
            #expect(try await refusal(of: limited(4, limit), store) == QuotaExcess(.userBytes, limit: 100, used: 2400))
            #expect(try await refusal(of: limited(4, limit), retention: 3, store) == nil)
            #expect(try await store.history() == [4, 3, 2])
        },
        StoreBehavior("limits users without an account by their own quota") { store async throws in
            let limit = quotas { ($0.anonymousBytes, $0.userBytes) = (1000, 2000) }
            try await store.register(1...1)
            #expect(try await refusal(of: limited(1, limit), store) == nil)
            let excess = QuotaExcess(.anonymousBytes, limit: 1000, used: 800)
            #expect(try await refusal(of: limited(2, limit), store) == excess)
            let account = Account(digest: digest(801), newUser: user(9).user) { _ in [1] }
            _ = try await store.signIn(device(1), of: user(1), to: account, at: at(1), retention: 20)
            #expect(try await refusal(of: limited(2, limit), store) == nil)
            #expect(try await refusal(of: limited(3, limit), store)?.quota == .userBytes)
        },
        StoreBehavior("refuses an archive beyond a user's archives or an app's bytes") { store async throws in
            var limit = quotas { $0.userArchives = 1 }
            #expect(try await refusal(of: limited(1, limit), store) == nil)
            #expect(
                try await refusal(of: limited(2, limit), store) == QuotaExcess(.userArchives, limit: 1, used: 1))
            limit = quotas { $0.appBytes = 1600 }
            #expect(try await refusal(of: limited(2, in: scene(of: user(2)), limit), store) == nil)
            let excess = QuotaExcess(.appBytes, limit: 1600, used: 1600)
            #expect(try await refusal(of: limited(3, in: scene(of: user(3)), limit), store) == excess)
            #expect(try await refusal(of: limited(4, in: scene(of: user(1, app: 2)), limit), store) == nil)
        },
        StoreBehavior("refuses a screenshot and items beyond a quota") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            let limit = quotas { $0.userBytes = 850 }
            #expect(try await put(50, limit, store) == .stored)
            let excess = QuotaExcess(.userBytes, limit: 850, used: 850)
            #expect(try await put(51, limit, store) == .quotaExceeded(excess))
            #expect(try await store.screenshot(for: archive(1), in: scene()) == screenshot(50))
            #expect(try await put(49, limit, store) == .stored)
            var items = delta([(1, [], nil), (2, [], nil)])
            items.quotas = limit
            let refused = try await store.apply(items, to: list, of: device(1), limit: 10).value
            #expect(refused == .quotaExceeded(QuotaExcess(.userBytes, limit: 850, used: 849)))
            #expect(try await store.registries(of: list).isEmpty)
            items = delta([(1, [], nil)])
            items.quotas = limit
            #expect(try await store.apply(items, to: list, of: device(1), limit: 10).value.isApplied)
            items = delta(removals: [1])
            items.quotas = quotas { $0.userBytes = 0 }
            #expect(try await store.apply(items, to: list, of: device(1), limit: 10).value.isApplied)
        },
        StoreBehavior("limits the devices of a user, and the users and devices of an app") { store async throws in
            func join(_ number: UInt64, of owner: UInt64, _ quotas: App.Settings.Quotas) async throws -> JoinResult {
                var new = NewDevice(makeDevice(number, of: user(owner)), token: digest(number))
                new.quotas = quotas
                return try await store.register(new).value
            }
            var limit = quotas { $0.userDevices = 2 }
            #expect(try await join(1, of: 1, limit).device != nil)
            #expect(try await join(2, of: 1, limit).device != nil)
            #expect(try await join(3, of: 1, limit) == .tooManyDevices)
            limit = quotas { $0.appUsers = 1 }
            #expect(try await join(3, of: 2, limit) == .quotaExceeded(QuotaExcess(.appUsers, limit: 1, used: 1)))
            #expect(try await join(3, of: 1, limit).device != nil)
            let account = Account(digest: digest(801), newUser: user(9).user) { _ in [1] }
            var new = NewDevice(makeDevice(4, of: user(4)), token: digest(4), joins: .account(account))
            new.quotas = limit
            #expect(try await store.register(new).value == .quotaExceeded(QuotaExcess(.appUsers, limit: 1, used: 1)))
            let signedIn = try await store.signIn(
                device(1), of: user(1), to: account, at: at(1), retention: 20, quotas: limit)
            #expect(signedIn.value == .quotaExceeded(QuotaExcess(.appUsers, limit: 1, used: 1)))
            #expect(try await store.userID(ofSubject: digest(801), in: app(1)) == nil)
            limit = quotas { $0.appDevices = 3 }
            #expect(try await join(4, of: 1, limit) == .quotaExceeded(QuotaExcess(.appDevices, limit: 3, used: 3)))
            _ = try await store.revoke(device(3), of: user(1), at: at(2))
            #expect(try await join(4, of: 1, limit).device != nil)
        },
    ]
}
