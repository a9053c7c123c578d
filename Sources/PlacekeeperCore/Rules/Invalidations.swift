/// What caches and followers of changes (`ChangeFeed`) must learn about a committed write. When the store commits, it
/// raises the versions of these users (`UserVersion`). It returns the invalidations with the write's result, and
/// `RestorationService.apply(_:)` wakes the followers that must read the change log again.
package struct Invalidations: Sendable, Hashable {
    /// The users that the write is about. The store raises their versions.
    package var users: [UserKey] = []
    /// Whether the write may be about any user.
    package var allUsers = false
    /// The user of a revoked or changed device, both users of a moved device, or an erased user. The store raises their
    /// access versions.
    package var access: [UserKey] = []
    /// Whether an app's settings or data sources changed. This affects all devices of the app, so the store raises the
    /// access versions of all users.
    package var allAccess = false
    /// The users with new entries in their change log, and those in `access`.
    package var news: [UserKey] = []
    /// Whether the followers of all users must read the change log again.
    package var allNews = false

    package init() {}

    package static let none = Invalidations()

    /// For writes by another process, which may be about any user.
    package static var foreign: Invalidations {
        var invalidations = Invalidations()
        invalidations.allUsers = true
        invalidations.allAccess = true
        invalidations.allNews = true
        return invalidations
    }
}

/// The result of a committed write, with its invalidations.
package struct Committed<Value: Sendable>: Sendable {
    package var value: Value
    package var invalidations: Invalidations

    package init(_ value: Value, _ invalidations: Invalidations) {
        self.value = value
        self.invalidations = invalidations
    }
}

/// The invalidations of each kind of write, by its result. A write that changed nothing has none.
extension Invalidations {
    package static func upload(to scene: SceneKey, _ result: PutResult) -> Invalidations {
        guard case .created = result else { return .none }
        return change(of: scene)
    }

    /// For a stored or deleted archive, a forgotten scene or a recorded outcome.
    package static func change(of scene: SceneKey, _ hasChanged: Bool = true) -> Invalidations {
        guard hasChanged else { return .none }
        var invalidations = write(to: scene.owner)
        invalidations.news = [scene.owner]
        return invalidations
    }

    /// For a write that isn't in the change log: a screenshot, a record that an archive was served, items, or a
    /// decision about items.
    package static func write(to owner: UserKey, _ hasChanged: Bool = true) -> Invalidations {
        guard hasChanged else { return .none }
        var invalidations = Invalidations()
        invalidations.users = [owner]
        return invalidations
    }

    /// For adding a device to a user.
    package static func registration(to owner: UserKey) -> Invalidations {
        var invalidations = write(to: owner)
        invalidations.news = [owner]
        return invalidations
    }

    /// For a write that ends or changes the access of a user's devices: a revoked device, a new token, a changed
    /// description, a new account, or an erasure. The user's event streams must check their tokens again.
    package static func access(of owner: UserKey, _ hasChanged: Bool = true) -> Invalidations {
        guard hasChanged else { return .none }
        var invalidations = write(to: owner)
        invalidations.access = [owner]
        invalidations.news = [owner]
        return invalidations
    }

    package static func move(from owner: UserKey, to target: UserKey) -> Invalidations {
        var invalidations = Invalidations()
        invalidations.users = [owner, target]
        invalidations.access = [owner, target]
        invalidations.news = [owner, target]
        return invalidations
    }

    /// Combines the invalidations of two parts of one write.
    package static func + (first: Invalidations, second: Invalidations) -> Invalidations {
        var invalidations = Invalidations()
        invalidations.users = first.users + second.users
        invalidations.allUsers = first.allUsers || second.allUsers
        invalidations.access = first.access + second.access
        invalidations.allAccess = first.allAccess || second.allAccess
        invalidations.news = first.news + second.news
        invalidations.allNews = first.allNews || second.allNews
        return invalidations
    }

    package static func settings(_ areReplaced: Bool) -> Invalidations {
        guard areReplaced else { return .none }
        var invalidations = Invalidations()
        invalidations.allAccess = true
        invalidations.allNews = true
        return invalidations
    }

    package static func declaration(_ hasChanged: Bool) -> Invalidations {
        guard hasChanged else { return .none }
        var invalidations = Invalidations()
        invalidations.allAccess = true
        return invalidations
    }

    /// For pruning removed items of these users.
    package static func prunedItems(of users: some Sequence<UserKey>) -> Invalidations {
        var invalidations = Invalidations()
        invalidations.users = Array(Set(users))
        return invalidations
    }
}
