import KeyedArchive
package import RestorationInterface
package import StateRestoration

/// A screen that shows items, which may have yet to arrive.
@MainActor
package protocol ItemShowing {
    /// More items are there.
    func itemsArrived()
}

/// A list of items. The list view brings its selection and its scroll position back by itself: it needs an identifier.
@MainActor
package class ListScreen: ViewController, PlaceProviding, ItemShowing {
    package let items: Catalogue
    package let list: ListView

    package init(_ name: String, of items: Catalogue, in list: ListView = TableView()) {
        self.items = items
        self.list = list
        super.init()
        title = name
        restorationIdentifier = name
        list.restorationIdentifier = name
        list.dataSource = items
        views = [list]
    }

    /// Marks the item that is open.
    package func select(_ id: String) {
        if let row = items.indexPathForElement(withModelIdentifier: id, in: list) { list.select(row) }
    }

    package func encodePlace(with coder: PlaceEncoder) {
        let elements = [list.firstVisibleReference].compactMap { $0 }
        coder.addStep(screen: restorationIdentifier ?? "", title: title, elements: elements)
    }

    /// Scrolls to where the list was on another device, whose rows may have another height.
    package func show(_ step: PlaceStep) {
        list.show(PendingList(anchor: step.elements.first))
    }

    /// Marks the item that was open on another device.
    func show(_ open: ShownElement) {
        var pending = list.pendingList ?? PendingList()
        pending.selection = [open.reference].compactMap { $0 }
        list.show(pending)
    }

    package func itemsArrived() { list.reloadData() }
}
