import KeyedArchive

/// A container that shows two view controllers beside each other where there is room, and one of them where there is
/// not. Its children are the two in either case, so that their paths, and with them their state, do not depend on it.
@MainActor
public protocol SplitContaining: RestorableViewController {
    /// What leads: a list.
    var restorablePrimary: (any RestorableViewController)? { get set }
    /// What it leads to.
    var restorableSecondary: (any RestorableViewController)? { get set }
    /// Which of the two is in front while there is room for one only.
    var restorableShowsSecondary: Bool { get set }
    /// Whether there is room for one only.
    var isCollapsed: Bool { get }
}

extension SplitContaining {
    /// The view controllers inside this one.
    public var restorableChildren: [any RestorableViewController] {
        [restorablePrimary, restorableSecondary].compactMap { $0 }
    }
    /// The columns that lead to what is in front: not the other one when a person went back from it to the leading one.
    public var placeChildren: [any RestorableViewController] { columnsOnTheWay }
    /// Whether children may have equal identifiers.
    public var disambiguatesChildren: Bool { true }

    /// Saves how this one holds others.
    public func encodeContainment(with coder: StateEncoder) { coder.encodeColumns(of: self) }
    /// Brings back how this one held others.
    public func decodeContainment(with coder: StateDecoder) { coder.decodeColumns(into: self) }

    package var columnsOnTheWay: [any RestorableViewController] {
        guard isCollapsed, !restorableShowsSecondary, let restorablePrimary else { return restorableChildren }
        return [restorablePrimary]
    }

    /// The columns that a person sees.
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
    /// Puts both columns back, as far as they exist; without a second one, what is in front stays.
    package func decodeColumns(into container: any SplitContaining) {
        if let primary = child(forKey: ReservedKey.Structure.primary, of: container) {
            container.restorablePrimary = primary
        }
        if let secondary = child(forKey: ReservedKey.Structure.secondary, of: container),
            secondary !== container.restorablePrimary
        {
            container.restorableSecondary = secondary
            container.restorableShowsSecondary = decodeBool(forKey: ReservedKey.Structure.showsSecondary)
        }
        decodePresented(into: container)
    }
}
