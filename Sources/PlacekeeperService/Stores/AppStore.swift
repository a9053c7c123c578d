package import PlacekeeperCore

/// The part of a store for apps, and for the amounts of data that apps and users store.
package protocol AppStore: Sendable {
    /// Adds an app. Throws `.exists` if the bundle identifier is taken.
    func create(_ app: App) async throws(StoreError)
    func apps() async throws(StoreError) -> [App]
    func app(_ selector: AppSelector) async throws(StoreError) -> App?
    /// Replaces an app's settings. Returns false if the app doesn't exist, or if `expected` is given and differs from
    /// the current settings.
    func replaceSettings(
        of app: AppID, with settings: App.Settings, replacing expected: App.Settings?
    ) async throws(StoreError) -> Committed<Bool>
    /// Removes an app and what the store keeps for it as a whole. The entries of its audit log and its counts expire.
    /// Returns false if the app still has users. When this method returns, no file of the store contains data of the
    /// app's erased users.
    func remove(_ app: AppID) async throws(StoreError) -> Committed<Bool>
    /// Returns a user's usage. `users` is 0.
    func usage(of owner: UserKey) async throws(StoreError) -> Usage
    func usage(of app: AppID) async throws(StoreError) -> Usage
}

package enum AppSelector: Sendable, Hashable {
    case id(AppID)
    case bundleIdentifier(String)
    case publishableKey(String)
}
