/// The places that a device has had: its own work, and the places that it restored.
struct OwnPlaces: Sendable {
    private var newest: [Int: Spot] = [:]
    private var known: [Int: Set<Spot>] = [:]
    /// The book of the last offer behind that the person dismissed. The client offers no place behind in it.
    private var dismissedBooks: [Int: Int] = [:]

    /// Whether a place was restored over the newest own place of the device, although it is another device's and further
    /// back in the same book.
    func isBehind(_ spot: Spot?, of person: Int) -> Bool {
        guard let spot, let own = newest[person], spot.book == own.book, spot.page < own.page else { return false }
        return known[person]?.contains(spot) != true
    }

    /// Whether a place is behind in the book whose offer the person dismissed.
    func hasDismissed(_ spot: Spot?, of person: Int) -> Bool {
        guard let spot, let own = newest[person] else { return false }
        return spot.book == dismissedBooks[person] && spot.book == own.book && spot.page < own.page
    }

    mutating func dismiss(_ spot: Spot?, of person: Int) { dismissedBooks[person] = spot?.book }

    /// Notes that the person took a place of another device.
    mutating func take(_ spot: Spot?, of person: Int) {
        add(spot, of: person)
        dismissedBooks[person] = nil
    }

    mutating func add(_ spot: Spot?, of person: Int) {
        guard let spot else { return }
        newest[person] = spot
        if spot.book != dismissedBooks[person] { dismissedBooks[person] = nil }
        known[person, default: []].insert(spot)
    }
}
