import PlacekeeperArchive

/// A container that shows one of several tabs. The runtime restores the selected tab.
@MainActor
public protocol TabContaining: RestorableViewController {
    /// The tabs, in the order of the tab bar.
    var restorableTabs: [any RestorableViewController] { get }
    /// The selected tab.
    var restorableSelectedTab: (any RestorableViewController)? { get set }
}

extension TabContaining {
    /// The child view controllers.
    public var restorableChildren: [any RestorableViewController] { restorableTabs }
    /// The selected tab.
    public var placeChildren: [any RestorableViewController] { [restorableSelectedTab].compactMap { $0 } }
    /// True: children may share an identifier.
    public var disambiguatesChildren: Bool { true }

    /// Saves the selected tab and the presented view controller. The tabs and their order are not saved, because the
    /// app sets them at launch (row 25).
    public func encodeContainment(with coder: StateEncoder) { coder.encodeTabs(of: self) }
    /// Restores the selected tab and the presented view controller.
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
