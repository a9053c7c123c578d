import PlacekeeperTokens
import Synchronization

/// The keys in files, which are read again when the files change. If a file can't be used, its last usable keys remain.
final class KeyFiles: Sendable {
    struct State: Sendable {
        /// The last usable keys. Nil if the file was never usable.
        var keys: JSONWebKeySet?
        /// Why the file currently can't be used.
        var fault: JSONWebKeyError?
        /// The number of the state. No two states share a number.
        var version: Int
    }

    private struct Entry {
        var state: State
        /// The stamp of the content that was read last. Nil if none could be read.
        var stamp: KeyFile.Stamp?
        var checkedAt: Duration
    }

    private struct Entries {
        var byPath: [String: Entry] = [:]
        var version = 0

        /// Reads a file if it has changed.
        mutating func check(_ path: String, at now: Duration) -> Entry {
            let stamp = KeyFile.Stamp(of: path)
            var entry = byPath[path]
            entry?.checkedAt = now
            if let entry, let stamp, entry.stamp == stamp { return entry }
            let old = entry?.state
            var new = State(keys: old?.keys, version: old?.version ?? 0)
            // A file whose bytes can't be read gets no stamp, so it is read again at the next check. Its stamp may stay
            // the same when it becomes readable.
            var read: KeyFile?
            do throws(JSONWebKeyError) {
                let file = try KeyFile.read(path)
                read = file
                new.keys = try file.keySet()
            } catch {
                new.fault = error
            }
            if old == nil || read != nil || old?.fault != new.fault {
                version += 1
                new.version = version
            }
            return Entry(state: new, stamp: read?.stamp, checkedAt: now)
        }
    }

    /// Held while a file is read and parsed, which takes a few milliseconds, at most once a second per file.
    private let entries = Mutex(Entries())
    /// The time since a fixed moment.
    private let time: @Sendable () -> Duration

    init(time: @escaping @Sendable () -> Duration = SystemClock().uptime) { self.time = time }

    /// Returns the state of a file. Checks at most once a second whether the file has changed.
    func state(of path: String) -> State {
        let now = time()
        return entries.withLock { entries in
            if let entry = entries.byPath[path], now - entry.checkedAt < .seconds(1) { return entry.state }
            let checked = entries.check(path, at: now)
            entries.byPath[path] = checked
            return checked.state
        }
    }

    /// Drops the files that are not in `paths`.
    func forget(except paths: Set<String>) {
        entries.withLock { entries in entries.byPath = entries.byPath.filter { paths.contains($0.key) } }
    }
}
