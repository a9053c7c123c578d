import PlacekeeperClient

extension KeptPlace {
    /// Gives the window its own scene: the scene that the place was created with, unless another window has it. Later
    /// calls do nothing.
    /// - Parameter memory: The text that an earlier call returned for this window. Nil for a new window.
    /// - Returns: The text that the window must store.
    func open(_ memory: String?) -> String {
        if let windowName { return windowName.memory.rawValue }
        let (scene, name) = scene.ofWindow(memory.flatMap { WindowMemory(rawValue: $0) })
        (self.scene, windowName) = (scene, name)
        return name.memory.rawValue
    }
}
