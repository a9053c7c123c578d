import PlacekeeperArchive
import PlacekeeperModels

/// The items of a source, as the runtime reads them. Reads the source once, so make a new list after a change.
@MainActor
final class ItemList: DataSourceModelAssociation {
    let dataSourceName: String
    let selectsNeighbors: Bool
    private let read: @MainActor () -> [Entry]
    private let load: @MainActor (String) async -> Entry?
    private let match: @MainActor (String) -> [String]?
    private let kinds = UniqueKinds()
    /// The answers of the app's index, which may be slow.
    private var matches: [String: [String]?] = [:]
    /// The items that were loaded one by one.
    private var loaded: [Entry] = []

    private struct Entry {
        var element: ListElement
        var title: String?

        @MainActor
        init(_ item: some PlaceItem, _ kinds: UniqueKinds) {
            let aliases = item.usableAliases
            aliases.forEach(kinds.note)
            element = ListElement(item.placeID, aliases: aliases.map(\.text))
            title = item.placeTitle
        }
    }

    init<Item: PlaceItem>(
        of type: Item.Type, _ items: @escaping @MainActor () -> [Item],
        load: @escaping @MainActor (String) async -> Item? = { _ in nil },
        matching match: @escaping @MainActor (String) -> [String]? = { _ in nil }
    ) {
        dataSourceName = Item.listName
        selectsNeighbors = Item.selectsNeighbor
        let kinds = kinds
        read = { items().map { Entry($0, kinds) } }
        self.load = { id in await load(id).map { Entry($0, kinds) } }
        self.match = match
    }

    private lazy var entries = read()
    private lazy var places = placesOfEntries()

    private func placesOfEntries() -> [ByteText: Int] {
        Dictionary(
            entries.enumerated().map { (ByteText($1.element.identifier), $0) }, uniquingKeysWith: { first, _ in first })
    }

    var uniqueAliases: [String] {
        _ = entries
        return kinds.names
    }

    /// The title of an item. Nil if it has none, or isn't in the list.
    func title(of id: String) -> String? { places[ByteText(id)].flatMap { entries[$0].title } }

    /// The identifier of a saved item on this device. Nil if the list doesn't have the item.
    func identifier(of saved: ModelReference) -> String? {
        guard let found = saved.find(in: self), found.step != .neighbor else { return nil }
        return found.identifier
    }

    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        guard let indexPath, indexPath.section == 0, entries.indices.contains(indexPath.item) else { return nil }
        return entries[indexPath.item].element.identifier
    }

    func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any ElementView)?
    ) -> ElementIndexPath? {
        identifier.flatMap { places[ByteText($0)] }.map { ElementIndexPath(section: 0, item: $0) }
    }

    func elementCounts(in view: (any ElementView)?) -> [Int] { [entries.count] }

    func listElements(in view: (any ElementView)?) -> [ListElement] { entries.map(\.element) }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        places[ByteText(identifier)].map { entries[$0].element.aliases } ?? []
    }

    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? {
        if let known = matches[alias] { return known }
        let found = match(alias)
        matches[alias] = .some(found)
        return found
    }

    func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        if places[ByteText(identifier)] != nil { return true }
        guard let entry = await load(identifier), ByteText(entry.element.identifier) == ByteText(identifier) else {
            return false
        }
        loaded.append(entry)
        // The source may have the item in its list now.
        entries = read()
        let known = Set(entries.map { ByteText($0.element.identifier) })
        entries += loaded.filter { !known.contains(ByteText($0.element.identifier)) }
        places = placesOfEntries()
        return true
    }
}

/// The kinds of aliases that different items never share. A list declares 16 at most.
@MainActor
private final class UniqueKinds {
    private(set) var names: [String] = []

    func note(_ alias: ItemAlias) {
        guard alias.isUnique, names.count < 16, !names.contains(alias.kind) else { return }
        names.append(alias.kind)
    }
}

extension ItemUse {
    /// Finds the item of a saved reference. It waits if the lists don't have it. No other item stands in.
    @MainActor
    init(_ saved: ModelReference, in lists: ItemLists) {
        guard let list = lists[saved.dataSource], let index = lists.index(of: saved.dataSource),
            let found = saved.find(by: index), found.step != .neighbor
        else {
            self.init(saved: saved)
            return
        }
        let aliases = list.modelAliases(forElementWithModelIdentifier: found.identifier)
        self.init(
            list: saved.dataSource, id: ByteText(found.identifier), aliases: aliases.map { ItemAlias(text: $0) })
    }
}

/// The lists of a window, by their names. It reads each list once, so make a new one after a change.
@MainActor
final class ItemLists {
    private var lists: [String: any ModelAssociation] = [:]
    private var indices: [String: ListIndex] = [:]
    /// The number of references that were made with neighbors.
    private var neighborCount = 0

    init(_ lists: [any ModelAssociation] = []) {
        for list in lists where self.lists[list.dataSourceName] == nil { self.lists[list.dataSourceName] = list }
    }

    subscript(name: String) -> (any ModelAssociation)? { lists[name] }

    /// Finds the items of a list. Nil if the window doesn't have the list.
    func index(of name: String) -> ListIndex? {
        if let known = indices[name] { return known }
        let index = lists[name].map { ListIndex($0, in: nil) }
        indices[name] = index
        return index
    }

    /// The title of an item.
    func title(of use: ItemUse) -> String? {
        use.id.flatMap { (lists[use.list] as? ItemList)?.title(of: $0.text) } ?? use.title
    }

    /// Returns the reference to save for an item of the app's state, with its neighbors if the list is known.
    func reference(to use: ItemUse) -> ModelReference {
        guard let id = use.id else {
            return use.saved?.withoutResolution
                ?? ModelReference(dataSource: use.list, element: .init(nil), role: .selected)
        }
        guard let list = lists[use.list], list.containsElement(withModelIdentifier: id.text) else {
            let element = ModelReference.Element(id.text, aliases: use.aliases.map(\.text))
            return ModelReference(dataSource: use.list, element: element, role: .selected)
        }
        guard let index = index(of: use.list) else {
            return ModelReference(dataSource: use.list, element: .init(id.text), role: .selected)
        }
        let reference = ModelReference(
            selected: id.text, by: index, savesNeighbors: neighborCount < ModelReference.maximumCountWithNeighbors)
        if !reference.before.isEmpty || !reference.after.isEmpty { neighborCount += 1 }
        return reference
    }
}

extension ModelReference {
    /// The number of items that are saved with their neighbors, at most. With more, a state would soon exceed what is
    /// sent (1 MiB).
    static let maximumCountWithNeighbors = 256

    /// Creates a reference to a selected item. An item with a unique alias is found without its neighbors.
    @MainActor
    init(selected identifier: String, by index: ListIndex, savesNeighbors: Bool = true) {
        self.init(identifier, by: index, role: .selected)
        let isUnique = element.allAliases.contains { index.isUnique($0) }
        guard !savesNeighbors || isUnique, !index.list.selectsNeighbors || !savesNeighbors else { return }
        (before, after) = ([], [])
    }
}
