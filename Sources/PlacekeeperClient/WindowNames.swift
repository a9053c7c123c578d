import PlacekeeperConcurrency

/// The names of the scenes of windows. The first window of a role has the scene with the role's name, which the person's
/// other devices have too. Each further window has a scene of its own, such as `main-2`.
package final class WindowNames: Sendable {
    /// The name of a window's scene.
    package struct Name: Sendable, Hashable {
        /// The name.
        package var text: String
        /// Whether this is a further window of the role that the person has just opened. It starts fresh: an earlier
        /// window of this name is closed.
        package var isFresh = false
    }

    /// Returns the name of a window's scene.
    /// - Parameters:
    ///   - role: The role of the window, if it has no name yet.
    ///   - remembered: The name that the window had before. It keeps this name, unless another window has it.
    ///   - taken: The names of the other windows.
    package static func name(_ role: String, remembered: String?, taken: Set<String>) -> Name {
        if let remembered, !taken.contains(remembered) { return Name(text: remembered) }
        guard taken.contains(role) else { return Name(text: role) }
        // A scene's name has at most 64 characters.
        let names = (2...).lazy.map { "\(role.prefix(60))-\($0)" }
        return Name(text: names.first { !taken.contains($0) } ?? role, isFresh: true)
    }

    private struct Holder {
        var window: String
        var count: Int
    }

    private let holders = LockBox<[String: Holder]>([:])

    /// Returns the name of a window's scene. No other window of this process has it until the result is released.
    /// - Parameters:
    ///   - role: The role of the window, if it has no name yet.
    ///   - window: What the window remembers. Two views of one window have one name.
    package func take(_ role: String, _ window: WindowMemory?) -> TakenName {
        let (name, window) = holders.withLock { holders in
            let window = window ?? WindowMemory(nil)
            let taken = holders.filter { $0.value.window != window.id }.keys
            let name = Self.name(role, remembered: window.name, taken: Set(taken))
            holders[name.text, default: Holder(window: window.id, count: 0)].count += 1
            return (name, WindowMemory(name.text, id: window.id))
        }
        return TakenName(name: name, memory: window, names: self)
    }

    fileprivate func release(_ name: String) {
        holders.withLock { holders in
            holders[name]?.count -= 1
            if holders[name]?.count == 0 { holders[name] = nil }
        }
    }
}

/// What a window remembers while the app does not run: the name of its scene, and an identifier of the window.
package struct WindowMemory: RawRepresentable, Sendable, Hashable {
    let name: String?
    let id: String

    fileprivate init(_ name: String?, id: String = SystemRandomNumberGenerator.identifier()) {
        (self.name, self.id) = (name, id)
    }

    /// Reads the text of a window. Nil if it is not from `rawValue`.
    package init?(rawValue: String) {
        let parts = rawValue.split(separator: "/")
        guard parts.count == 2 else { return nil }
        (name, id) = (String(parts[0]), String(parts[1]))
    }

    package var rawValue: String { "\(name ?? "")/\(id)" }
}

/// The name that a window has until this object is released.
package final class TakenName: Sendable {
    package let name: WindowNames.Name
    package let memory: WindowMemory
    private let names: WindowNames

    fileprivate init(name: WindowNames.Name, memory: WindowMemory, names: WindowNames) {
        (self.name, self.memory, self.names) = (name, memory, names)
    }

    deinit { names.release(name.text) }
}

extension SystemRandomNumberGenerator {
    fileprivate static func identifier() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 36)
    }
}

extension Placekeeper {
    /// The scene of a window. A fresh window does not restore the state of an earlier window with its name.
    package func windowScene(_ name: WindowNames.Name) -> KeptScene {
        let scene = scene(name.text)
        if name.isFresh { scene.discard(of: scene.account.owner) }
        return scene
    }
}

extension KeptScene {
    /// The scene of a window whose role has the name of this scene.
    package func ofWindow(_ memory: WindowMemory?) -> (scene: KeptScene, name: TakenName) {
        let name = placekeeper.windows.take(self.name, memory)
        return (placekeeper.windowScene(name.name), name)
    }
}
