// swift-format-ignore-file
// The public declarations of Core Data that the recipes use. Written from Apple's public documentation. Bodies are empty: the
// module is only type-checked.

@_exported import Foundation

open class NSEntityDescription: NSObject {
    open var name: String? { nil }
}
open class NSManagedObjectID: NSObject, @unchecked Sendable {
    open var entity: NSEntityDescription { fatalError() }
    open var isTemporaryID: Bool { false }
    open func uriRepresentation() -> URL { fatalError() }
}
open class NSManagedObject: NSObject {
    open var objectID: NSManagedObjectID { fatalError() }
    open func value(forKey key: String) -> Any? { nil }
}
open class NSPersistentStoreCoordinator: NSObject {
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? { nil }
}
open class NSFetchRequest<ResultType>: NSObject {
    public init(entityName: String) {}
    open var predicate: NSPredicate?
    open var fetchLimit = 0
}
open class NSManagedObjectContext: NSObject {
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject { fatalError() }
    open func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { [] }
}
// Foundation on Linux has no predicates from a format.
extension NSPredicate {
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) { self.init(value: true) }
}
