import SwiftData

// recipe: SwiftData with CloudKit
extension TripList {
    func fetch(from context: ModelContext) throws {
        let trips = try context.fetch(FetchDescriptor<Trip>()).sorted { $0.start < $1.start }
        show(trips.compactMap { trip in trip.identifier.map { Row(identifier: $0, key: trip.key) } })
    }
}

extension Trip {
    /// The persistent identifier as text. Sorted keys make the text equal each time. Nil before the first save, which
    /// changes the identifier.
    var identifier: String? {
        guard persistentModelID.storeIdentifier != nil else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(persistentModelID)).map { String(decoding: $0, as: UTF8.self) }
    }
}
// end of recipe

/// The model. In an app, the macro `@Model` writes the conformance. The stubs have no macro.
final class Trip: PersistentModel {
    var key = UUID()
    var start = Date.distantPast
    var persistentModelID: PersistentIdentifier { fatalError() }
}
