// swift-format-ignore-file
// The public declarations of SwiftData that the recipes use. Written from Apple's public documentation. Bodies are empty: the
// module is only type-checked.

@_exported import Foundation

public struct PersistentIdentifier: Hashable, Codable, Sendable {
    /// Nil before the model is saved for the first time.
    public var storeIdentifier: String? { nil }
}
public protocol PersistentModel: AnyObject {
    var persistentModelID: PersistentIdentifier { get }
}
public struct FetchDescriptor<T: PersistentModel> {
    public init() {}
}
public class ModelContext {
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] { [] }
}
