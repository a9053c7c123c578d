/// The places that a device has had: its own work, and the places that it restored.
struct OwnPlaces: Sendable {
    private var newest: [Int: Spot] = [:]
    private var known: [Int: Set<Spot>] = [:]

    /// Whether a place was restored over the newest own place of the device, although it is another device's and further
    /// back in the same book.
    func isBehind(_ spot: Spot?, of person: Int) -> Bool {
        guard let spot, let own = newest[person], spot.book == own.book, spot.page < own.page else { return false }
        return known[person]?.contains(spot) != true
    }

    mutating func add(_ spot: Spot?, of person: Int) {
        guard let spot else { return }
        newest[person] = spot
        known[person, default: []].insert(spot)
    }
}
