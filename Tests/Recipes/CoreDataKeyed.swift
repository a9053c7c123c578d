import PlacekeeperRuntime

// recipe: Core Data
/// Notes of Core Data. A note's identifier is the URI of its object ID, which differs on each device. The list finds a
/// note by its attribute `key`, which is the same on every device.
@MainActor
final class NoteList: ModelAssociation {
    let dataSourceName = "notes"
    private let store: any NoteStore
    private let prefix = "note:"

    init(_ store: any NoteStore) { self.store = store }

    func containsElement(withModelIdentifier identifier: String) -> Bool { store.key(ofNoteAt: identifier) != nil }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        store.key(ofNoteAt: identifier).map { [prefix + $0] } ?? []
    }

    func modelIdentifierForElement(withAlias alias: String) -> String? {
        alias.hasPrefix(prefix) ? store.uri(ofNoteWithKey: String(alias.dropFirst(prefix.count))) : nil
    }
}

/// The two lookups that the list needs.
@MainActor
protocol NoteStore {
    /// Returns the key of the note with a URI. Nil if there is no such note.
    func key(ofNoteAt uri: String) -> String?
    /// Returns the URI of the one note with a key. Nil if there is none, or if there are several.
    func uri(ofNoteWithKey key: String) -> String?
}
// end of recipe
