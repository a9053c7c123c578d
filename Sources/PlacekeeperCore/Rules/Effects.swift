/// The changes of a committed write that caches and followers must know of. The store returns the effects with the
/// write's result. When the store commits the write, it raises the versions of the users in the effects (`Freshness`).
/// `RestorationService.apply(_:)` wakes the followers that must read the change log again.
package struct Effects: Sendable, Hashable {
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

    package static let none = Effects()

    /// The effects of writes by another process. Such writes may concern any user.
    package static var foreign: Effects {
        var effects = Effects()
        effects.allUsers = true
        effects.allAccess = true
        effects.allNews = true
        return effects
    }
}

/// The result of a committed write, with its effects.
package struct Committed<Value: Sendable>: Sendable {
    package var value: Value
    package var effects: Effects

    package init(_ value: Value, _ effects: Effects) {
        self.value = value
        self.effects = effects
    }
}

/// The effects of each kind of write, by the write's result. A write that changed nothing has no effects.
extension Effects {
    package static func upload(to scene: SceneKey, _ result: PutResult) -> Effects {
        guard case .created = result else { return .none }
        return change(of: scene)
    }

    /// The effects of a stored or deleted archive, of a forgotten scene, and of a recorded outcome.
    package static func change(of scene: SceneKey, _ hasChanged: Bool = true) -> Effects {
        guard hasChanged else { return .none }
        var effects = write(to: scene.owner)
        effects.news = [scene.owner]
        return effects
    }

    /// The effects of a write that the change log does not list: a snapshot, a serving, items, or a decision about
    /// items.
    package static func write(to owner: UserKey, _ hasChanged: Bool = true) -> Effects {
        guard hasChanged else { return .none }
        var effects = Effects()
        effects.users = [owner]
        return effects
    }

    /// The effects of adding a device to a user.
    package static func registration(to owner: UserKey) -> Effects {
        var effects = write(to: owner)
        effects.news = [owner]
        return effects
    }

    /// The effects of a write that ends or changes the access of a user's devices: a revoked device, a new token, a
    /// changed description, a new account, or an erasure. The user's event streams must check their tokens again.
    package static func access(of owner: UserKey, _ hasChanged: Bool = true) -> Effects {
        guard hasChanged else { return .none }
        var effects = write(to: owner)
        effects.access = [owner]
        effects.news = [owner]
        return effects
    }

    package static func move(from owner: UserKey, to target: UserKey) -> Effects {
        var effects = Effects()
        effects.users = [owner, target]
        effects.access = [owner, target]
        effects.news = [owner, target]
        return effects
    }

    /// The effects of two parts of one write.
    package static func + (first: Effects, second: Effects) -> Effects {
        var effects = Effects()
        effects.users = first.users + second.users
        effects.allUsers = first.allUsers || second.allUsers
        effects.access = first.access + second.access
        effects.allAccess = first.allAccess || second.allAccess
        effects.news = first.news + second.news
        effects.allNews = first.allNews || second.allNews
        return effects
    }

    package static func settings(_ areReplaced: Bool) -> Effects {
        guard areReplaced else { return .none }
        var effects = Effects()
        effects.allAccess = true
        effects.allNews = true
        return effects
    }

    package static func declaration(_ hasChanged: Bool) -> Effects {
        guard hasChanged else { return .none }
        var effects = Effects()
        effects.allAccess = true
        return effects
    }

    /// The effects of pruning removed items of these users.
    package static func prunedItems(of users: some Sequence<UserKey>) -> Effects {
        var effects = Effects()
        effects.users = Array(Set(users))
        return effects
    }
}
