import Foundation
import PlacekeeperClient
import PlacekeeperRuntime

// recipe: SwiftData with CloudKit
/// Trips that CloudKit synchronizes. Each device has its own persistent identifiers, which it registers with the trip's
/// attribute `key`.
@MainActor
final class TripList: ModelAssociation {
    struct Row {
        /// The persistent identifier as text.
        var identifier: String
        var key: UUID
    }

    let dataSourceName = "trips"
    private var rows: [Row] = []
    private let kept: KeptList

    init(_ placekeeper: Placekeeper) { kept = placekeeper.list("trips") }

    /// Takes the fetched trips in the list's order. Call this method after each fetch.
    func show(_ rows: [Row]) {
        self.rows = rows
        kept.update(from: self)
    }

    /// Tells that the app has merged two trips. CloudKit has no unique constraints, so two devices can create one trip
    /// twice. Call this method before `show` leaves the duplicate out.
    func merge(_ duplicate: String, into trip: String) { kept.replace(duplicate, by: trip) }

    var listElements: [ListElement] { rows.map { ListElement($0.identifier, aliases: ["trip:\($0.key)"]) } }
}
// end of recipe
