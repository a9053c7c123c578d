import PlacekeeperKit

// recipe: Core Data
/// The notes of a database, by an attribute that is the same on every device.
struct Notes<Item: PlaceItem>: ItemSource {
    /// Returns the notes with a key.
    let fetch: @MainActor (_ key: String) -> [Item]

    func item(withPlaceID key: String) async -> Item? {
        let found = fetch(key)
        return found.count == 1 ? found[0] : nil  // a key of two notes names neither
    }
}
// end of recipe
