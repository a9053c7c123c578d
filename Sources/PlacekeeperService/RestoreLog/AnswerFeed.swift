import PlacekeeperConcurrency
package import PlacekeeperCore

/// The newest answers to the devices of each app that an event stream follows. Nothing is kept for other apps, and nothing
/// survives the process: the past answers are in the restore log.
package final class AnswerFeed: Sendable {
    package struct Entry: Sendable {
        package var answer: RestoreAnswer
        /// The reasons against the newest archive, or against its state.
        package var reasons: [Reason]
    }

    private struct Followed {
        var followers = 0
        /// The number of all answers since the app is followed.
        var count = 0
        /// The newest answers. The answer number `n` has the index `n % limit`.
        var entries: [Entry] = []
    }

    /// The maximum number of answers that are kept for an app. A stream that is further behind misses the older ones.
    static let limit = 200
    private let apps = LockBox<[AppID: Followed]>([:])

    /// Keeps the answers of an app from now on. Each call needs a call of `end`.
    ///
    /// - Returns: the position at which the first answer will be.
    package func begin(_ app: AppID) -> Int {
        apps.withLock { apps in
            apps[app, default: Followed()].followers += 1
            return apps[app]?.count ?? 0
        }
    }

    /// The number of apps that are followed.
    package var followed: Int { apps.withLock(\.count) }

    package func end(_ app: AppID) {
        apps.withLock { apps in
            apps[app]?.followers -= 1
            if apps[app]?.followers == 0 { apps[app] = nil }
        }
    }

    package struct Page: Sendable {
        /// The oldest answer first.
        package var entries: [Entry]
        /// The position after the answers.
        package var next: Int
        /// Whether answers are missing, because too many came since the position.
        package var isTruncated = false
    }

    /// Returns the answers from a position on.
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

    /// Adds an answer. Returns whether somebody follows the app.
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
