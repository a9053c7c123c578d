package import PlacekeeperCore
package import PlacekeeperService

extension InterceptingStore {
    package func log(_ entries: [RestoreLogEntry]) async throws(StoreError) {
        try will(.write, size: entries.count)
        try await base.log(entries)
    }

    package func restoreLog(
        _ kind: RestoreLogEntry.Kind, of app: AppID, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage {
        try will(.read, size: limit)
        return try await base.restoreLog(kind, of: app, below: position, limit: limit)
    }

    package func restoreAnswers(
        to owner: UserKey, of device: DeviceID?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> RestoreLogPage {
        try will(.read, size: limit)
        return try await base.restoreAnswers(to: owner, of: device, below: position, limit: limit)
    }
}
