import KeyedArchive

/// A container that shows the last of a stack of view controllers: adopt it, and the stack comes back.
@MainActor
public protocol NavigationContaining: RestorableViewController {
    /// From the bottom up.
    var restorableStack: [any RestorableViewController] { get set }
}

extension NavigationContaining {
    /// The view controllers inside this one.
    public var restorableChildren: [any RestorableViewController] { restorableStack }
    /// All of the stack.
    public var placeChildren: [any RestorableViewController] { restorableStack }
    /// Whether children may have equal identifiers.
    public var disambiguatesChildren: Bool { true }

    /// Saves how this one holds others.
    public func encodeContainment(with coder: StateEncoder) { coder.encodeStack(of: self) }
    /// Brings back how this one held others.
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
    /// Puts the stack together again. It ends before the first view controller that does not exist any more (row 22), or
    /// that was not saved for want of an identifier (row 73). One that the app puts there at launch stays.
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
            if !stack.isEmpty { container.restorableStack = stack }
        }
        decodePresented(into: container)
    }
}
