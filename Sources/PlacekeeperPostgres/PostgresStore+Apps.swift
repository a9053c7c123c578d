package import PlacekeeperCore
import PlacekeeperJSON
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
package import PlacekeeperService

extension PostgresStore {
    package func create(_ app: App) async throws(StoreError) {
        let (settings, sources) = (try Self.encode(app.settings), try Self.encode(app.dataSources))
        let insert = Statement(
            """
            INSERT INTO app (uuid, bundle_identifier, publishable_key, created_at, settings, data_sources)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, .id(app.id), .text(app.bundleIdentifier), .text(app.publishableKey), .time(app.createdAt),
            .bytes(settings), .bytes(sources))
        do throws(Failure) {
            try await commit([insert])
        } catch {
            guard case .lostRace = error else { throw error.error }
            throw StoreError(.exists, "an app with this bundle identifier exists")
        }
    }

    package func remove(_ app: AppID) async throws(StoreError) -> Committed<Bool> {
        let isEmpty = "NOT EXISTS (SELECT 1 FROM users WHERE users.app = $1)"
        do throws(Failure) {
            try await commit([
                // A user who is being added holds a lock on the row. The next statements see that user.
                Statement("SELECT uuid FROM app WHERE uuid = $1 FOR UPDATE", .id(app)),
                // The versions of cached principals contain the app's version and must never be repeated.
                Statement(
                    "UPDATE store SET access_base = access_base + 1 + app.version FROM app WHERE app.uuid = $1",
                    .id(app)),
                Statement("DELETE FROM app WHERE uuid = $1 AND \(isEmpty) RETURNING uuid", .id(app)).requiring(1),
                Statement("DELETE FROM restore_log WHERE app = $1", .id(app)),
                Statement("DELETE FROM app_usage WHERE app = $1", .id(app)),
            ])
        } catch {
            guard case .lostRace = error else { throw error.error }
            return Committed(false, .none)
        }
        tell(.settings(true))
        return Committed(true, .settings(true))
    }

    private static let columns = "uuid, bundle_identifier, publishable_key, created_at, settings, data_sources, version"

    package func apps() async throws(StoreError) -> [App] {
        try await rows("SELECT \(Self.columns) FROM app ORDER BY bundle_identifier")
            .map(leavingOut: damaged, "the app", id: 0) { row throws(StoreError) in try Self.app(&row).app }
    }

    package func app(_ selector: AppSelector) async throws(StoreError) -> App? {
        let found =
            switch selector {
            case .id(let id): try await rows("SELECT \(Self.columns) FROM app WHERE uuid = $1", .id(id))
            case .bundleIdentifier(let name):
                try await rows("SELECT \(Self.columns) FROM app WHERE bundle_identifier = $1", .text(name))
            case .publishableKey(let key):
                try await rows("SELECT \(Self.columns) FROM app WHERE publishable_key = $1", .text(key))
            }
        return try found.first { row throws(StoreError) in try Self.app(&row).app }
    }

    package func replaceSettings(
        of app: AppID, with settings: App.Settings, replacing expected: App.Settings?
    ) async throws(StoreError) -> Committed<Bool> {
        let isReplaced = try await change(app) { known throws(StoreError) -> Bool? in
            guard expected.map({ $0 == known.settings }) ?? true else { return nil }
            known.settings = settings
            return true
        }
        let invalidations = Invalidations.settings(isReplaced ?? false)
        tell(invalidations)
        return Committed(isReplaced ?? false, invalidations)
    }

    package func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) async throws(StoreError) -> Committed<Declaration> {
        var result = Declaration.noApp
        _ = try await change(app) { app throws(StoreError) -> Bool? in
            if app.dataSources[name] == source {
                result = .known
            } else if let other = app.dataSources[name], !overriding {
                result = .differs(other)
            } else if !overriding, app.dataSources.count >= Limits.dataSources {
                result = .tooMany
            } else {
                result = .declared
                app.dataSources[name] = source
                return true
            }
            return nil
        }
        return Committed(result, .declaration(result == .declared))
    }

    package func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Committed<Bool> {
        let isRemoved =
            try await change(app) { app throws(StoreError) in app.dataSources.removeValue(forKey: name) } != nil
        return Committed(isRemoved, .declaration(isRemoved))
    }

    /// Changes an app. Returns `nil` if the app doesn't exist or the closure returns `nil`.
    private func change<Value>(
        _ id: AppID, _ body: (inout App) throws(StoreError) -> Value?
    ) async throws(StoreError) -> Value? {
        try await retrying { attempt throws(Failure) in
            let rows = try await found("SELECT \(Self.columns) FROM app WHERE uuid = $1", .id(id))
            let change: (Value, Statement)?
            do throws(StoreError) {
                change = try rows.first { row throws(StoreError) in try Self.app(&row) }.flatMap {
                    known throws(StoreError) in
                    var app = known.app
                    guard let value = try body(&app) else { return nil }
                    return (value, try Self.update(app, version: known.version))
                }
            } catch {
                throw .store(error)
            }
            guard let (value, statement) = change else { return nil }
            try await commit([statement], until: attempt.end)
            return value
        }
    }

    private static func update(_ app: App, version: Int64) throws(StoreError) -> Statement {
        Statement(
            """
            UPDATE app SET settings = $3, data_sources = $4, version = version + 1
            WHERE uuid = $1 AND version = $2 RETURNING version
            """, .id(app.id), .int(version), .bytes(try encode(app.settings)), .bytes(try encode(app.dataSources))
        ).requiring(1)
    }

    private static func app(_ row: inout Row) throws(StoreError) -> (app: App, version: Int64) {
        let (id, name, key, createdAt): (AppID, String, String, Timestamp) =
            (try row.id(), try row.text(), try row.text(), try row.time())
        do {
            let settings = try JSONDocument(try row.bytes(), depth: 16).decode(App.Settings.self)
            let sources = try JSONDocument(try row.bytes(), depth: 16).decode([String: DataSource].self)
            let app = App(
                id: id, bundleIdentifier: name, publishableKey: key, createdAt: createdAt, settings: settings,
                dataSources: sources)
            return (app, try row.key())
        } catch {
            throw .corrupt("The settings or the data sources of an app cannot be read.")
        }
    }

    private static func encode(_ value: some Encodable) throws(StoreError) -> [UInt8] {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return Array(try encoder.encode(value))
        } catch {
            throw .corrupt("The settings of an app cannot be written.")
        }
    }
}
