import PlacekeeperConcurrency
package import PlacekeeperCore

/// The latest answers to devices, for apps that an event stream follows. Kept only in memory, and only while the app is
/// followed. Past answers are in the restore log.
package final class AnswerFeed: Sendable {
    package struct Entry: Sendable {
        package var answer: RestoreAnswer
        /// The reasons against the newest archive or its full state.
        package var reasons: [Reason]
    }

    private struct Followed {
        var followers = 0
        /// The number of answers since the first follower began.
        var count = 0
        /// The latest answers. Answer number `n` has the index `n % limit`.
        var entries: [Entry] = []
    }

    /// The maximum number of answers kept per app. A stream that is further behind misses older ones.
    static let limit = 200
    private let apps = LockBox<[AppID: Followed]>([:])

    /// Starts to keep an app's answers. Balance each call with a call of `end`.
    ///
    /// - Returns: the position of the first answer to come.
    package func begin(_ app: AppID) -> Int {
        apps.withLock { apps in
            apps[app, default: Followed()].followers += 1
            return apps[app]?.count ?? 0
        }
    }

    /// The number of followed apps.
    package var followed: Int { apps.withLock(\.count) }

    package func end(_ app: AppID) {
        apps.withLock { apps in
            apps[app]?.followers -= 1
            if apps[app]?.followers == 0 { apps[app] = nil }
        }
    }

    package struct Page: Sendable {
        /// Oldest first.
        package var entries: [Entry]
        /// The position after the answers.
        package var next: Int
        /// Whether answers are missing, because too many arrived after the requested position.
        package var isTruncated = false
    }

    /// Returns the answers starting at a position.
    package func entries(of app: AppID, from position: Int) -> Page {
        apps.withLock { apps in
            guard let followed = apps[app], (0...followed.count).contains(position) else {
                return Page(entries: [], next: position)
            }
            let first = max(position, followed.count - Self.limit)
            return Page(
                entries: (first..<followed.count).map { followed.entries[$0 % Self.limit] }, next: followed.count,
                isTruncated: first > position)
        }
    }

    /// Adds an answer. Returns whether anyone follows the app.
    func add(_ choice: Choice) -> Bool {
        let app = choice.scene.owner.app
        guard apps.withLock({ $0[app] != nil }) else { return false }
        let newest = choice.refused.first ?? choice.accepted
        let entry = Entry(answer: RestoreAnswer(choice), reasons: newest?.reasons ?? [])
        apps.withLock { apps in
            guard let count = apps[app]?.count else { return }
            if count < Self.limit {
                apps[app]?.entries.append(entry)
            } else {
                apps[app]?.entries[count % Self.limit] = entry
            }
            apps[app]?.count += 1
        }
        return true
    }
}
