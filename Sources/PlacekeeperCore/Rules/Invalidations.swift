/// The changes of a committed write that caches and followers must know of. The store returns the effects with the
/// write's result. When the store commits the write, it raises the versions of the users in the effects (`UserVersion`).
/// `RestorationService.apply(_:)` wakes the followers that must read the change log again.
package struct Invalidations: Sendable, Hashable {
    /// The users that the write concerns. The store raises the version of each of these users.
    package var users: [UserKey] = []
    /// Whether the write may concern any user.
    package var allUsers = false
    /// The user of a revoked or changed device, both users of a moved device, or an erased user. The store raises the
    /// access versions of these users.
    package var access: [UserKey] = []
    /// Whether the settings or the data sources of an app changed. If true, the store raises the access versions of all
    /// users, because the change affects all devices of the app.
    package var allAccess = false
    /// The users whose change log has a new change, and the users in `access`.
    package var news: [UserKey] = []
    /// Whether the followers of all users must read the change log again.
    package var allNews = false

    package init() {}

    package static let none = Invalidations()

    /// The effects of writes by another process. Such writes may concern any user.
    package static var foreign: Invalidations {
        var invalidations = Invalidations()
        invalidations.allUsers = true
        invalidations.allAccess = true
        invalidations.allNews = true
        return invalidations
    }
}

/// The result of a committed write, with its effects.
package struct Committed<Value: Sendable>: Sendable {
    package var value: Value
    package var invalidations: Invalidations

    package init(_ value: Value, _ invalidations: Invalidations) {
        self.value = value
        self.invalidations = invalidations
    }
}

/// The effects of each kind of write, by the write's result. A write that changed nothing has no effects.
extension Invalidations {
    package static func upload(to scene: SceneKey, _ result: PutResult) -> Invalidations {
        guard case .created = result else { return .none }
        return change(of: scene)
    }

    /// The effects of a stored or deleted archive, of a forgotten scene, and of a recorded outcome.
    package static func change(of scene: SceneKey, _ hasChanged: Bool = true) -> Invalidations {
        guard hasChanged else { return .none }
        var invalidations = write(to: scene.owner)
        invalidations.news = [scene.owner]
        return invalidations
    }

    /// The effects of a write that the change log does not list: a screenshot, a serving, items, or a decision about
    /// items.
    package static func write(to owner: UserKey, _ hasChanged: Bool = true) -> Invalidations {
        guard hasChanged else { return .none }
        var invalidations = Invalidations()
        invalidations.users = [owner]
        return invalidations
    }

    /// The effects of adding a device to a user.
    package static func registration(to owner: UserKey) -> Invalidations {
        var invalidations = write(to: owner)
        invalidations.news = [owner]
        return invalidations
    }

    /// The effects of a write that ends or changes the access of a user's devices: a revoked device, a new token, a
    /// changed description, a new account, or an erasure. The user's event streams must check their tokens again.
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

    /// The effects of two parts of one write.
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

    /// The effects of pruning removed items of these users.
    package static func prunedItems(of users: some Sequence<UserKey>) -> Invalidations {
        var invalidations = Invalidations()
        invalidations.users = Array(Set(users))
        return invalidations
    }
}
