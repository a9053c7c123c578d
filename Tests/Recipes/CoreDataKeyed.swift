import PlacekeeperRuntime

// recipe: Core Data
/// Notes of Core Data. A note's identifier is the URI of its object ID, which differs on each device. The list finds a
/// note by its attribute `key`, which is the same on every device.
@MainActor
final class NoteList: ModelAssociation {
    let dataSourceName = "notes"
    /// The database finds notes, so the list is not read.
    let listElements: [ListElement] = []
    private let store: any NoteStore
    private let prefix = "note:"

    init(_ store: any NoteStore) { self.store = store }

    func containsElement(withModelIdentifier identifier: String) -> Bool { store.key(ofNoteAt: identifier) != nil }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        store.key(ofNoteAt: identifier).map { [prefix + $0] } ?? []
    }

    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? {
        alias.hasPrefix(prefix) ? store.uris(ofNotesWithKey: String(alias.dropFirst(prefix.count))) : []
    }
}

/// The two lookups that the list needs.
@MainActor
protocol NoteStore {
    /// Returns the key of the note with a URI. Nil if there is no such note.
    func key(ofNoteAt uri: String) -> String?
    /// Returns the URIs of all notes with a key: several if a merge failed.
    func uris(ofNotesWithKey key: String) -> [String]
}
// end of recipe
