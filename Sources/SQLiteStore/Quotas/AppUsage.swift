import RestorationService

/// The usage of the apps that the current group commit concerns. The changes of all writes of the group are stored once,
/// at the commit. The usage stays in memory for later groups until another connection commits.
struct AppUsage {
    private struct Entry {
        var usage: Usage
        var hasChanged = false
    }

    private var entries: [AppID: Entry] = [:]
    /// Whether the usage of an app changed since it was stored.
    private(set) var hasChanges = false
    /// SQLite's count of other connections' commits that was last passed to `verify`.
    private var version: Int64 = 0

    /// The maximum number of apps in memory after a commit. A server has few apps.
    private static let capacity = 1024

    subscript(app: AppID) -> Usage? { entries[app]?.usage }

    mutating func insert(_ usage: Usage, of app: AppID) { entries[app] = Entry(usage: usage) }

    /// Adds to the usage of an app that was inserted before.
    mutating func add(_ change: Usage, to app: AppID) {
        entries[app]?.usage += change
        entries[app]?.hasChanged = true
        hasChanges = true
    }

    /// Returns the changed entries, and marks them as stored.
    mutating func takeChanges() -> [(app: AppID, usage: Usage)] {
        let changes = entries.filter(\.value.hasChanged).map { (app: $0.key, usage: $0.value.usage) }
        for change in changes { entries[change.app]?.hasChanged = false }
        if entries.count > Self.capacity { entries.removeAll() }
        hasChanges = false
        return changes
    }

    /// Forgets the entries if another connection committed.
    mutating func verify(version: Int64) {
        if version != self.version { forgetAll() }
        self.version = version
    }

    mutating func forgetAll() {
        entries.removeAll()
        hasChanges = false
    }
}
