import CoreData
import PlacekeeperKit

// recipe: Core Data
extension Note: PlaceItem {
    var placeID: String { key }
}

extension Notes<Note> {
    init(_ context: NSManagedObjectContext) {
        self.init { key in
            let request = NSFetchRequest<Note>(entityName: "Note")
            request.predicate = NSPredicate(format: "key == %@", argumentArray: [key])
            request.fetchLimit = 2
            return (try? context.fetch(request)) ?? []
        }
    }
}
// end of recipe

/// The entity's class. In an app, the attribute is `@NSManaged`, which Linux doesn't have.
nonisolated final class Note: NSManagedObject {
    var key: String { "" }
}
