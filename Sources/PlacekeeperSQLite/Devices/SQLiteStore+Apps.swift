package import PlacekeeperCore
import PlacekeeperJSON
package import PlacekeeperService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQLiteStore {
    package func create(_ app: App) async throws(StoreError) {
        let settings = try SQLiteStore.encode(app.settings)
        try await writer.write { transaction throws(StoreError) in
            if try transaction.connection.app(.bundleIdentifier(app.bundleIdentifier)) != nil {
                throw StoreError(.exists, "An app with this bundle identifier exists.")
            }
            try transaction.connection.run(
                .insertApp, app.id, app.bundleIdentifier, app.publishableKey, app.createdAt, settings)
        }
    }

    package func apps() async throws(StoreError) -> [App] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.apps)
            return try select.rows(leavingOut: damaged, named: { "the app \($0.idText(0))" }) {
                row throws(StoreError) in try row.app()
            }
        }
    }

    package func app(_ selector: AppSelector) async throws(StoreError) -> App? {
        try readers.read { connection throws(StoreError) in try connection.app(selector) }
    }

    package func replaceSettings(
        of app: AppID, with settings: App.Settings, replacing expected: App.Settings?
    ) async throws(StoreError) -> Committed<Bool> {
        let settings = try SQLiteStore.encode(settings)
        return try await writer.write(invalidations: { .settings($0) }) { transaction throws(StoreError) in
            if let expected, try transaction.connection.app(.id(app))?.settings != expected { return false }
            try transaction.connection.run(.replaceSettings, app, settings)
            return transaction.connection.changedRows > 0
        }
    }

    package func remove(_ app: AppID) async throws(StoreError) -> Committed<Bool> {
        let removed = try await writer.write(invalidations: { .settings($0) }) { transaction throws(StoreError) in
            guard try !transaction.connection.statement(.hasUsers, app).step() else { return false }
            try transaction.storeAppUsage()
            transaction.apps.forgetAll()
            for query in [Query.removeLog, .removeUsage, .removeApp] { try transaction.connection.run(query, app) }
            return true
        }
        // Of the app's users, too.
        if removed.value { await writer.emptyLog() }
        return removed
    }

    private static func encode(_ settings: App.Settings) throws(StoreError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        } catch {
            throw .corrupt("An app's settings cannot be written.")
        }
    }
}

extension Connection {
    fileprivate func app(_ selector: AppSelector) throws(StoreError) -> App? {
        switch selector {
        case .id(let id):
            let select = try statement(.appByID, id)
            return try select.step() ? try select.app() : nil
        case .bundleIdentifier(let text):
            let select = try statement(.appByBundleIdentifier, text)
            return try select.step() ? try select.app() : nil
        case .publishableKey(let text):
            let select = try statement(.appByPublishableKey, text)
            return try select.step() ? try select.app() : nil
        }
    }
}

extension Statement {
    fileprivate func app() throws(StoreError) -> App {
        let settings: App.Settings
        do {
            settings = try JSONDocument(bytes(4), depth: 16).decode(App.Settings.self)
        } catch {
            throw .corrupt("An app's settings cannot be read.")
        }
        return App(
            id: try id(0), bundleIdentifier: text(1), publishableKey: text(2), createdAt: try time(3),
            settings: settings,
            dataSources: try dataSources(5))
    }
}

extension Query {
    private static let columns =
        "SELECT uuid, bundle_identifier, publishable_key, created_at, settings, data_sources FROM app "
    fileprivate static let apps = Query(columns + "ORDER BY bundle_identifier")
    fileprivate static let appByID = Query(columns + "WHERE uuid = ?1")
    fileprivate static let appByBundleIdentifier = Query(columns + "WHERE bundle_identifier = ?1")
    fileprivate static let appByPublishableKey = Query(columns + "WHERE publishable_key = ?1")
    fileprivate static let insertApp = Query(
        """
        INSERT INTO app (uuid, bundle_identifier, publishable_key, created_at, settings) VALUES (?1, ?2, ?3, ?4, ?5)
        """)
    fileprivate static let hasUsers = Query("SELECT 1 FROM user WHERE app = ?1 LIMIT 1")
    fileprivate static let removeLog = Query("DELETE FROM restore_log WHERE app = ?1")
    fileprivate static let removeUsage = Query("DELETE FROM app_usage WHERE app = ?1")
    fileprivate static let removeApp = Query("DELETE FROM app WHERE uuid = ?1")
    fileprivate static let replaceSettings = Query("UPDATE app SET settings = ?2 WHERE uuid = ?1")
}
