import KeyedArchive

/// A container that shows one of several view controllers side by side: adopt it, and the selection comes back.
@MainActor
public protocol TabContaining: RestorableViewController {
    /// In the order of the bar.
    var restorableTabs: [any RestorableViewController] { get }
    /// The one that is shown.
    var restorableSelectedTab: (any RestorableViewController)? { get set }
}

extension TabContaining {
    /// The view controllers inside this one.
    public var restorableChildren: [any RestorableViewController] { restorableTabs }
    /// The selected tab.
    public var placeChildren: [any RestorableViewController] { [restorableSelectedTab].compactMap { $0 } }
    /// Whether children may have equal identifiers.
    public var disambiguatesChildren: Bool { true }

    /// Saves the selection only: the tabs are the app's own, in whatever order it has them next (row 25).
    public func encodeContainment(with coder: StateEncoder) { coder.encodeTabs(of: self) }
    /// Brings back how this one held others.
    public func decodeContainment(with coder: StateDecoder) { coder.decodeTabs(into: self) }
}

extension StateEncoder {
    package func encodeTabs(of container: any TabContaining) {
        encodePresented(of: container)
        guard let selected = container.restorableSelectedTab, selected.savedIdentifier != nil else { return }
        encodeStructure(reference(to: selected), forKey: ReservedKey.Structure.selectedTab)
    }
}

extension StateDecoder {
    package func decodeTabs(into container: any TabContaining) {
        if let selected: any RestorableViewController = decodeObject(forKey: ReservedKey.Structure.selectedTab),
            container.restorableTabs.contains(where: { $0 === selected })
        {
            container.restorableSelectedTab = selected
        }
        decodePresented(into: container)
    }
}
