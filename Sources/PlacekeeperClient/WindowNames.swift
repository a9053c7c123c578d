import PlacekeeperConcurrency

/// Assigns scene names to windows. The first window of a role uses the role's name, as on the user's other devices.
/// Each further window gets a scene of its own, such as `main-2`.
package final class WindowNames: Sendable {
    /// The name of a window's scene.
    package struct Name: Sendable, Equatable {
        /// The name.
        package var text: String
        /// Whether the user has just opened this further window of the role. It starts fresh, because an earlier window
        /// with this name is closed.
        package var isFresh = false
    }

    /// Returns the name of a window's scene.
    /// - Parameters:
    ///   - role: The role of the window, for a window without a name.
    ///   - remembered: The window's earlier name. The window keeps it unless another window uses it.
    ///   - taken: The names of the other windows.
    package static func name(_ role: String, remembered: String?, taken: Set<String>) -> Name {
        if let remembered, !taken.contains(remembered) { return Name(text: remembered) }
        guard taken.contains(role) else { return Name(text: role) }
        // The suffix must fit into the 64 characters of a scene's name.
        let names = (2...).lazy.map { "\(role.prefix(60))-\($0)" }
        return Name(text: names.first { !taken.contains($0) } ?? role, isFresh: true)
    }

    private struct Holder {
        var window: String
        var count: Int
    }

    private let holders = LockBox<[String: Holder]>([:])

    /// Returns the name of a window's scene. No other window of this process can get the name until the result is
    /// released.
    /// - Parameters:
    ///   - role: The role of the window, for a window without a name.
    ///   - window: The window's stored memory. Two views of one window share a name.
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

/// What a window stores between runs of the app: the name of its scene, and an identifier.
package struct WindowMemory: RawRepresentable, Sendable, Equatable {
    let name: String?
    let id: String

    fileprivate init(_ name: String?, id: String = SystemRandomNumberGenerator.identifier()) {
        (self.name, self.id) = (name, id)
    }

    /// Reads the text from `rawValue`. Returns `nil` for any other text.
    package init?(rawValue: String) {
        let parts = rawValue.split(separator: "/")
        guard parts.count == 2 else { return nil }
        (name, id) = (String(parts[0]), String(parts[1]))
    }

    package var rawValue: String { "\(name ?? "")/\(id)" }
}

/// A name that belongs to a window until this object is released.
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
    /// Returns the scene of a window. A fresh window does not restore the state of an earlier window with the same
    /// name.
    package func windowScene(_ name: WindowNames.Name) -> KeptScene {
        let scene = scene(name.text)
        if name.isFresh { scene.discard(of: scene.account.owner) }
        return scene
    }
}

extension KeptScene {
    /// Returns the scene of a window whose role is this scene's name.
    package func ofWindow(_ memory: WindowMemory?) -> (scene: KeptScene, name: TakenName) {
        let name = placekeeper.windows.take(self.name, memory)
        return (placekeeper.windowScene(name.name), name)
    }
}
