import PlacekeeperCore
import PlacekeeperService
import Testing

extension StoreBehavior {
    private static func entry(_ second: Double, app number: UInt64 = 1, about subject: UInt64? = nil) -> AuditEntry {
        AuditEntry(
            app: app(number), at: at(second), actor: subject == nil ? .command("anna") : .user, action: .signedIn,
            subject: subject.map { digest($0) }, detail: "\(second)")
    }

    private static func times(
        _ store: any Store, about subject: Digest? = nil, below position: Int64? = nil, limit: Int = 100
    ) async throws -> [Timestamp] {
        try await store.audit(of: app(1), about: subject, below: position, limit: limit).map(\.at)
    }

    static let audit = [
        StoreBehavior("keeps entries of the audit log, the newest first, in pages") { store async throws in
            for second in 1...5 { try await store.append(entry(Double(second))) }
            try await store.append(entry(9, app: 2))
            let first = try await store.audit(of: app(1), about: nil, below: nil, limit: 2)
            #expect(first.map(\.at) == [at(5), at(4)])
            #expect(try await times(store, below: first.last?.number, limit: 100) == [at(3), at(2), at(1)])
            var stored = try #require(first.first)
            stored.number = 0
            #expect(stored == entry(5))
        },
        StoreBehavior("finds the entries of the audit log about one user") { store async throws in
            for second in 1...6 { try await store.append(entry(Double(second), about: UInt64(second) % 2)) }
            try await store.append(entry(7))
            #expect(try await times(store, about: digest(1)) == [at(5), at(3), at(1)])
            #expect(try await times(store, about: digest(9)) == [])
        },
        StoreBehavior("drops entries of the audit log after 400 days") { store async throws in
            try await store.append(entry(0))
            try await store.append(entry(100))
            try await store.prune(at: at(400 * 86_400))
            #expect(try await times(store) == [at(100), at(0)])
            try await store.prune(at: at(400 * 86_400 + 1))
            #expect(try await times(store) == [at(100)])
        },
    ]
}
