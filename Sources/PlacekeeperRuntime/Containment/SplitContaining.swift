import PlacekeeperArchive

/// A container that shows two view controllers side by side, or only one if there is no room for both. Both are always
/// its children, so their paths and state do not depend on the available room.
@MainActor
public protocol SplitContaining: RestorableViewController {
    /// The leading view controller, such as a list.
    var restorablePrimary: (any RestorableViewController)? { get set }
    /// The view controller that the primary one opens.
    var restorableSecondary: (any RestorableViewController)? { get set }
    /// Whether the secondary view controller is in front when the container is collapsed.
    var restorableShowsSecondary: Bool { get set }
    /// Whether there is room for only one of the view controllers.
    var isCollapsed: Bool { get }
}

extension SplitContaining {
    /// The child view controllers.
    public var restorableChildren: [any RestorableViewController] {
        [restorablePrimary, restorableSecondary].compactMap { $0 }
    }
    /// The columns that lead to the visible screens: both, or only the primary column if the container is collapsed and
    /// `restorableShowsSecondary` is false.
    public var placeChildren: [any RestorableViewController] { columnsOnTheWay }
    /// True: children may share an identifier.
    public var disambiguatesChildren: Bool { true }

    /// Saves the columns and the presented view controller.
    public func encodeContainment(with coder: StateEncoder) { coder.encodeColumns(of: self) }
    /// Restores the columns and the presented view controller.
    public func decodeContainment(with coder: StateDecoder) { coder.decodeColumns(into: self) }

    package var columnsOnTheWay: [any RestorableViewController] {
        guard isCollapsed, !restorableShowsSecondary, let restorablePrimary else { return restorableChildren }
        return [restorablePrimary]
    }

    /// The visible columns.
    var visibleColumns: [any RestorableViewController] {
        guard isCollapsed else { return restorableChildren }
        let front =
            restorableShowsSecondary
            ? restorableSecondary ?? restorablePrimary : restorablePrimary ?? restorableSecondary
        return [front].compactMap { $0 }
    }
}

extension StateEncoder {
    package func encodeColumns(of container: any SplitContaining) {
        encodePresented(of: container)
        func encode(_ column: (any RestorableViewController)?, _ key: String) {
            guard let column, column.savedIdentifier != nil else { return }
            encodeStructure(reference(to: column), forKey: key)
        }
        encode(container.restorablePrimary, ReservedKey.Structure.primary)
        encode(container.restorableSecondary, ReservedKey.Structure.secondary)
        encodeStructure(.boolean(container.restorableShowsSecondary), forKey: ReservedKey.Structure.showsSecondary)
    }
}

extension StateDecoder {
    /// Restores the columns that still exist. If the secondary column does not exist, `restorableShowsSecondary` is
    /// left unchanged.
    package func decodeColumns(into container: any SplitContaining) {
        func replaces(_ column: (any RestorableViewController)?, by other: any RestorableViewController) -> Bool {
            keepsPresented(of: [column].compactMap { $0 }, in: [other])
        }
        if let primary = child(forKey: ReservedKey.Structure.primary, of: container),
            replaces(container.restorablePrimary, by: primary)
        {
            container.restorablePrimary = primary
        }
        if let secondary = child(forKey: ReservedKey.Structure.secondary, of: container),
            secondary !== container.restorablePrimary, replaces(container.restorableSecondary, by: secondary)
        {
            container.restorableSecondary = secondary
            container.restorableShowsSecondary = decodeBool(forKey: ReservedKey.Structure.showsSecondary)
        }
        decodePresented(into: container)
    }
}

extension RestorableObject {
    /// The paths of a saved split view controller's columns, the primary one first. Empty for other objects.
    var savedColumns: [String?] {
        [ReservedKey.Structure.primary, ReservedKey.Structure.secondary].compactMap { key in
            if case .object(let path)? = state[key] { path } else { nil }
        }
    }
}
