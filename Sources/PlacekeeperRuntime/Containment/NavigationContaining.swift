import PlacekeeperArchive

/// A container that shows the top view controller of a stack. The runtime restores the stack.
@MainActor
public protocol NavigationContaining: RestorableViewController {
    /// The stack, from bottom to top.
    var restorableStack: [any RestorableViewController] { get set }
}

extension NavigationContaining {
    /// The child view controllers.
    public var restorableChildren: [any RestorableViewController] { restorableStack }
    /// All view controllers in the stack.
    public var placeChildren: [any RestorableViewController] { restorableStack }
    /// True: children may share an identifier.
    public var disambiguatesChildren: Bool { true }

    /// Saves the stack and the presented view controller.
    public func encodeContainment(with coder: StateEncoder) { coder.encodeStack(of: self) }
    /// Restores the stack and the presented view controller.
    public func decodeContainment(with coder: StateDecoder) { coder.decodeStack(into: self) }
}

extension StateEncoder {
    package func encodeStack(of container: any NavigationContaining) {
        encodePresented(of: container)
        let stack = container.restorableStack.map { $0.savedIdentifier == nil ? .null : reference(to: $0) }
        encodeStructure(.array(stack), forKey: ReservedKey.Structure.children)
    }
}

extension StateDecoder {
    /// Restores the stack, up to the first view controller that does not exist (row 22) or that was saved as nil
    /// because it has no identifier (row 73).
    ///
    /// A saved nil does not end the stack if the app set a view controller without an identifier at the same index at
    /// launch: that view controller is kept. If nothing is restored or kept, the stack does not change.
    package func decodeStack(into container: any NavigationContaining) {
        if case .array(let saved)? = value(forKey: ReservedKey.Structure.children) {
            let present = container.restorableStack
            var stack: [any RestorableViewController] = []
            var stacked: Set<ObjectIdentifier> = []
            for (index, value) in saved.enumerated() {
                if value == .null, index < present.count, present[index].savedIdentifier == nil {
                    stack.append(present[index])
                } else if let next = child(value, of: container), stacked.insert(ObjectIdentifier(next)).inserted {
                    stack.append(next)
                } else {
                    context.report(.truncated(path: path, kept: stack.count, of: saved.count))
                    break
                }
            }
            if !stack.isEmpty, keepsPresented(of: present, in: stack) { container.restorableStack = stack }
        }
        decodePresented(into: container)
    }
}

extension RestorableObject {
    /// The path of each view controller in a saved navigation container's stack, from the bottom. `nil` for one that was
    /// not saved. Empty for other objects.
    var savedStack: [String?] {
        guard case .array(let children)? = state[ReservedKey.Structure.children] else { return [] }
        return children.map { if case .object(let path) = $0 { path } else { nil } }
    }
}
