import PlacekeeperCore
import PlacekeeperService

/// The usage of the apps that the current group commit affects. The changes of a group are stored together at the
/// commit. The usage stays in memory for later groups until another connection commits.
struct AppUsage {
    /// Unchecked: used only on the writer's queue.
    private final class Entry: @unchecked Sendable {
        var usage: Usage
        var hasChanged = false

        init(_ usage: Usage) { self.usage = usage }
    }

    private var entries: [AppID: Entry] = [:]
    /// The most recently used entry. Most groups concern a single app, and each upload uses its entry several times.
    private var last: (app: AppID, entry: Entry)?
    /// Whether any app's usage has changed since it was stored.
    private(set) var hasChanges = false

    /// The maximum number of apps in memory after a commit. A server has only a few.
    private static let capacity = 1024

    /// Returns an app's usage, or `nil` if it isn't in memory.
    mutating func usage(of app: AppID) -> Usage? { entry(of: app)?.usage }

    mutating func insert(_ usage: Usage, of app: AppID) {
        last = nil
        entries[app] = Entry(usage)
    }

    /// Adds to the usage of an app that was inserted before.
    mutating func add(_ change: Usage, to app: AppID) {
        guard let entry = entry(of: app) else { return }
        entry.usage = (entry.usage + change).clamped
        entry.hasChanged = true
        hasChanges = true
    }

    private mutating func entry(of app: AppID) -> Entry? {
        if let last, last.app == app { return last.entry }
        guard let entry = entries[app] else { return nil }
        last = (app, entry)
        return entry
    }

    /// Returns the changed entries, and marks them as stored.
    mutating func takeChanges() -> [(app: AppID, usage: Usage)] {
        let changes = entries.filter(\.value.hasChanged).map { (app: $0.key, usage: $0.value.usage) }
        for change in changes { entries[change.app]?.hasChanged = false }
        if entries.count > Self.capacity { removeAll() }
        hasChanges = false
        return changes
    }

    mutating func forgetAll() {
        removeAll()
        hasChanges = false
    }

    private mutating func removeAll() {
        entries.removeAll()
        last = nil
    }
}
