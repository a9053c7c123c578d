package import PlacekeeperCore
import PlacekeeperJSON
import PlacekeeperService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQLiteStore {
    package func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) async throws(StoreError) -> Committed<Declaration> {
        try await writer.write(invalidations: { .declaration($0 == .declared) }) { transaction throws(StoreError) in
            guard var sources = try transaction.connection.dataSources(of: app) else { return .noApp }
            if sources[name] == source { return .known }
            if let other = sources[name], !overriding { return .differs(other) }
            guard overriding || sources.count < Limits.dataSources else { return .tooMany }
            sources[name] = source
            try transaction.connection.set(sources, of: app)
            return .declared
        }
    }

    package func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Committed<Bool> {
        try await writer.write(invalidations: { .declaration($0) }) { transaction throws(StoreError) in
            guard var sources = try transaction.connection.dataSources(of: app),
                sources.removeValue(forKey: name) != nil
            else { return false }
            try transaction.connection.set(sources, of: app)
            return true
        }
    }

    package func lookupSecret() async throws(StoreError) -> [UInt8] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.lookupSecret)
            guard try select.step() else { throw .corrupt("The database has no lookup secret.") }
            return select.bytes(0)
        }
    }
}

extension Connection {
    /// Returns the app's data sources, or nil if the app does not exist.
    fileprivate func dataSources(of app: AppID) throws(StoreError) -> [String: DataSource]? {
        let select = try statement(.dataSources, app)
        return try select.step() ? try select.dataSources(0) : nil
    }

    fileprivate func set(_ sources: [String: DataSource], of app: AppID) throws(StoreError) {
        let update = try statement(.setDataSources, app)
        do {
            update.bind(String(decoding: try JSONEncoder().encode(sources), as: UTF8.self), at: 2)
        } catch {
            throw .corrupt("An app's data sources cannot be written.")
        }
        try update.run()
    }
}

extension Statement {
    func dataSources(_ column: Int32) throws(StoreError) -> [String: DataSource] {
        do {
            return try JSONDocument(bytes(column), depth: 16).decode([String: DataSource].self)
        } catch {
            throw .corrupt("An app's data sources cannot be read.")
        }
    }
}

extension Query {
    fileprivate static let dataSources = Query("SELECT data_sources FROM app WHERE uuid = ?1")
    fileprivate static let setDataSources = Query("UPDATE app SET data_sources = ?2 WHERE uuid = ?1")
    fileprivate static let lookupSecret = Query("SELECT lookup_secret FROM store")
}
