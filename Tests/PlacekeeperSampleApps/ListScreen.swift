import PlacekeeperArchive
package import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A screen whose items may arrive later.
@MainActor
package protocol ItemShowing {
    /// Updates the screen after more items have arrived.
    func itemsArrived()
}

/// A screen with a list of items. The list view restores its own selection and scroll position, because it has a
/// restoration identifier.
@MainActor
package class ListScreen: ViewController, PlaceProviding, ItemShowing {
    package let items: Catalog
    package let list: ListView

    package init(_ name: String, of items: Catalog, in list: ListView = TableView()) {
        self.items = items
        self.list = list
        super.init()
        title = name
        restorationIdentifier = name
        list.restorationIdentifier = name
        list.dataSource = items
        views = [list]
    }

    /// Selects the row of an item that the app opens.
    package func select(_ id: String) {
        if let row = items.indexPathForElement(withModelIdentifier: id, in: list) { list.select(row) }
    }

    package func encodePlace(with coder: PlaceEncoder) {
        let elements = [list.firstVisibleReference].compactMap { $0 }
        coder.addStep(screen: restorationIdentifier ?? "", title: title, elements: elements)
    }

    /// Scrolls to the item that was at the top of the list on another device. Does not use the scroll offset, because
    /// rows may have another height on this device.
    package func show(_ step: PlaceStep) {
        list.show(PendingList(anchor: step.elements.first))
    }

    /// Selects the item that was open on another device.
    func show(_ open: ShownElement) {
        var pending = list.pendingList ?? PendingList()
        pending.selection = [open.reference].compactMap { $0 }
        list.show(pending)
    }

    package func itemsArrived() { list.reloadData() }
}
