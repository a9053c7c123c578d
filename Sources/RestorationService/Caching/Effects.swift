/// The changes of a committed write that caches and followers must know of. The store returns them with the write's
/// result, and applies its own part at the commit. `RestorationService.apply(_:)` applies the rest.
package struct Effects: Sendable, Hashable {
    /// The scenes whose archives, outcomes or snapshots changed.
    package var scenes: [SceneKey] = []
    /// Whether any scene may have changed.
    package var allScenes = false
    /// The users whose registered items, or decisions about items, changed.
    package var identities: [UserKey] = []
    /// Whether the registered items of any user may have changed.
    package var allIdentities = false
    /// The devices whose owner changed, or whose token was revoked.
    package var devices: [DeviceID] = []
    /// Whether the settings or the data sources of an app changed. They affect all callers of the app.
    package var allDevices = false
    /// The users whose change log has a new change.
    package var news: [UserKey] = []
    /// Whether any user's followers must read the change log again.
    package var allNews = false

    package init() {}

    package static let none = Effects()

    /// The effects of a write that may concern any user.
    static var anyUser: Effects {
        var effects = Effects()
        effects.allDevices = true
        effects.allIdentities = true
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

/// The effects of each kind of write, by its result. A write that changed nothing has no effects.
extension Effects {
    package static func upload(to scene: SceneKey, _ result: PutResult) -> Effects {
        guard case .created = result else { return .none }
        return change(of: scene)
    }

    /// The effects of an archive's deletion, of a scene's deletion, and of a recorded outcome.
    package static func change(of scene: SceneKey, _ hasChanged: Bool = true) -> Effects {
        guard hasChanged else { return .none }
        var effects = Effects()
        effects.scenes = [scene]
        effects.news = [scene.owner]
        return effects
    }

    package static func snapshot(in scene: SceneKey, _ isStored: Bool) -> Effects {
        guard isStored else { return .none }
        var effects = Effects()
        effects.scenes = [scene]
        return effects
    }

    package static func registration(_ joining: Joining) -> Effects {
        guard let device = joining.device else { return .none }
        var effects = Effects()
        effects.news = [device.owner]
        return effects
    }

    /// Registrations of a revoked device come after those of other devices (`Store.registries`).
    package static func revocation(of device: DeviceID, of owner: UserKey, _ isRevoked: Bool) -> Effects {
        guard isRevoked else { return .none }
        var effects = Effects()
        effects.devices = [device]
        effects.identities = [owner]
        effects.news = [owner]
        return effects
    }

    /// The device's registered items are dropped, and its archives come to scenes of another user.
    package static func move(of device: DeviceID, from owner: UserKey, _ joining: Joining) -> Effects {
        guard let moved = joining.device else { return .none }
        var effects = Effects()
        effects.allScenes = true
        effects.devices = [device]
        effects.identities = [owner, moved.owner]
        effects.news = [owner, moved.owner]
        return effects
    }

    package static func settings(_ areReplaced: Bool) -> Effects {
        areReplaced ? .anyUser : .none
    }

    package static func declaration(_ hasChanged: Bool) -> Effects {
        guard hasChanged else { return .none }
        var effects = Effects()
        effects.allDevices = true
        return effects
    }

    package static func items(of list: ItemList, _ hasChanged: Bool) -> Effects {
        guard hasChanged else { return .none }
        var effects = Effects()
        effects.identities = [list.owner]
        return effects
    }

    /// The effects of pruning removed items of any user.
    package static var prunedItems: Effects {
        var effects = Effects()
        effects.allIdentities = true
        return effects
    }
}
