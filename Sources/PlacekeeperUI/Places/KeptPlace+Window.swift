import PlacekeeperClient

extension KeptPlace {
    /// Gives the window a scene of its own: the scene with which the place was made, unless another window has it. Does
    /// nothing at a later call.
    /// - Parameter memory: The text of an earlier call, which the window remembered. Nil for a new window.
    /// - Returns: The text that the window must remember.
    func open(_ memory: String?) -> String {
        if let windowName { return windowName.memory.rawValue }
        let (scene, name) = scene.ofWindow(memory.flatMap { WindowMemory(rawValue: $0) })
        (self.scene, windowName) = (scene, name)
        return name.memory.rawValue
    }
}
