import CoreData

// recipe: Core Data
@MainActor
struct CoreDataNotes: NoteStore {
    let context: NSManagedObjectContext

    func key(ofNoteAt uri: String) -> String? {
        guard let url = URL(string: uri), url.scheme == "x-coredata",
            let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url),
            id.entity.name == "Note"
        else { return nil }
        return (try? context.existingObject(with: id))?.value(forKey: "key") as? String
    }

    func uris(ofNotesWithKey key: String) -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "key == %@", argumentArray: [key])
        request.fetchLimit = 2
        let ids = ((try? context.fetch(request)) ?? []).map(\.objectID)
        // The identifier of an object that was not saved yet changes at the first save.
        guard !ids.contains(where: \.isTemporaryID) else { return [] }
        return ids.map { $0.uriRepresentation().absoluteString }
    }
}
// end of recipe
