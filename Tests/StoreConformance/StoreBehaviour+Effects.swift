import RestorationService
import Testing

extension StoreBehaviour {
    static let effects = [
        StoreBehaviour("returns the effects of writes to a scene") { store async throws in
            try await store.register(1...1)
            let changed = Effects.change(of: scene())
            #expect(changed.scenes == [scene()] && changed.news == [user(1)])
            let new = capture(1, captured: 1)
            #expect(try await store.put(new, retention: 20).effects == changed)
            #expect(try await store.put(new, retention: 20).effects == .none)
            let outcome = Outcome(
                archive: archive(1), device: device(1), result: .began, context: Context(idiom: .phone),
                reportedAt: at(2))
            #expect(try await store.report(outcome, in: scene()).effects == changed)
            let snapshot = Snapshot(format: .png, bytes: [1])
            #expect(try await store.putSnapshot(snapshot, for: archive(1), in: scene()).effects.scenes == [scene()])
            #expect(try await store.putSnapshot(snapshot, for: archive(9), in: scene()).effects == .none)
            #expect(try await store.delete(archive(1), in: scene(), at: at(3)).effects == changed)
            #expect(try await store.delete(archive(1), in: scene(), at: at(3)).effects == .none)
            #expect(try await store.forget(scene(), at: at(4)).effects == changed)
        },
        StoreBehaviour("returns the effects of writes to devices") { store async throws in
            let registered = try await store.register(makeDevice(1), token: digest(1), linkCode: nil).effects
            #expect(registered.news == [user(1)])
            _ = try await store.register(makeDevice(2, of: user(2)), token: digest(2), linkCode: nil)
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let moved = try await store.move(
                device(2), of: user(2), linkCode: digest(7), at: at(1), retention: 20
            ).effects
            #expect(moved.allScenes && moved.devices == [device(2)])
            #expect(Set(moved.identities) == [user(1), user(2)] && Set(moved.news) == [user(1), user(2)])
            let failed = try await store.move(
                device(2), of: user(1), linkCode: digest(7), at: at(1), retention: 20
            ).effects
            #expect(failed == .none)
            let revoked = try await store.revoke(device(2), of: user(1), at: at(2)).effects
            #expect(revoked.devices == [device(2)] && revoked.identities == [user(1)] && revoked.news == [user(1)])
            #expect(try await store.revoke(device(2), of: user(1), at: at(2)).effects == .none)
        },
        StoreBehaviour("returns the effects of writes to apps and their data sources") { store async throws in
            try await store.create(makeApp(1))
            let settings = try await store.replaceSettings(of: app(1), with: App.Settings()).effects
            #expect(settings.allDevices && settings.allIdentities && settings.allNews)
            #expect(try await store.replaceSettings(of: app(9), with: App.Settings()).effects == .none)
            let source = DataSource(scope: .registered)
            func declare() async throws -> Effects {
                let committed = try await store.declare(source, named: "photos", of: app(1), overriding: false)
                return committed.effects
            }
            #expect(try await declare().allDevices)
            #expect(try await declare() == .none)
            #expect(try await store.undeclare("photos", of: app(1)).effects.allDevices)
            #expect(try await store.undeclare("photos", of: app(1)).effects == .none)
        },
        StoreBehaviour("returns the effects of writes to items and decisions") { store async throws in
            try await store.register(1...2)
            let delta = delta([(1, [7], nil)])
            let applied = try await store.apply(delta, to: list, of: device(1), limit: 10).effects
            #expect(applied.identities == [user(1)])
            #expect(try await store.apply(delta, to: list, of: device(9), limit: 10).effects == .none)
            let ends = [1, 2].map { number in
                Link.End(device: device(number), key: LookupKey(rawValue: Int64(number)), texts: [])
            }
            let link = Link(ends[0], ends[1], .same, note: "", at: at(1))
            #expect(try await store.decide(link, in: list).effects.identities == [user(1)])
            #expect(try await store.undecide(ends[0], ends[1], in: list).effects.identities == [user(1)])
            #expect(try await store.undecide(ends[0], ends[1], in: list).effects == .none)
        },
    ]
}
