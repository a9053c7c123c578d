/// A person on a device.
struct Seat: Sendable, Hashable {
    var device: Int
    var person: Int
}

/// Another way to keep a place, which gets the same events as Placekeeper. docs/right-place.md describes each.
///
/// A rival restores silently. It has the same connections as Placekeeper, and it never restores a state that the device
/// cannot read.
protocol Rival: Sendable {
    static var name: String { get }
    init()
    /// Returns the state that the app restores. Without a connection, it comes from the device.
    mutating func launch(_ seat: Seat, on device: Model, _ release: Release, isOnline: Bool) -> Screen?
    /// Saves a state. `wall` is the time of the device's clock.
    mutating func save(_ state: Saved, at seat: Seat, wall: Double)
    /// Sends and receives, with a connection.
    mutating func sync(_ seat: Seat, on device: Model, _ release: Release)
    /// Copies the app's files to a device that is restored from a backup.
    mutating func copy(from original: Seat, to clone: Seat)
}

/// The server keeps the state that arrived last.
struct NewestUpload: Rival {
    static let name = "newest-upload-wins"
    private var server: [Int: Saved] = [:]
    private var local: [Seat: Saved] = [:]
    private var unsent: [Seat: Saved] = [:]
    /// Whether a state that equals the newest state of the device is not sent.
    fileprivate var sendsOnlyChanges = false

    init() {}

    mutating func launch(_ seat: Seat, on device: Model, _ release: Release, isOnline: Bool) -> Screen? {
        if isOnline {
            sync(seat, on: device, release)
            if let newest = server[seat.person], newest.isRestorable(on: device, release) { local[seat] = newest }
        }
        return local[seat]?.screen
    }

    mutating func save(_ state: Saved, at seat: Seat, wall: Double) {
        if sendsOnlyChanges, local[seat]?.screen == state.screen { return }
        local[seat] = state
        unsent[seat] = state
    }

    mutating func sync(_ seat: Seat, on device: Model, _ release: Release) {
        if let state = unsent.removeValue(forKey: seat) { server[seat.person] = state }
    }

    mutating func copy(from original: Seat, to clone: Seat) {
        local[clone] = local[original]
        unsent[clone] = unsent[original]
    }
}

/// The server keeps the state that arrived last, and devices send only states that changed.
struct NewestChange: Rival {
    static let name = "newest-change-wins"
    private var base = NewestUpload()

    init() { base.sendsOnlyChanges = true }

    mutating func launch(_ seat: Seat, on device: Model, _ release: Release, isOnline: Bool) -> Screen? {
        base.launch(seat, on: device, release, isOnline: isOnline)
    }

    mutating func save(_ state: Saved, at seat: Seat, wall: Double) { base.save(state, at: seat, wall: wall) }

    mutating func sync(_ seat: Seat, on device: Model, _ release: Release) { base.sync(seat, on: device, release) }

    mutating func copy(from original: Seat, to clone: Seat) { base.copy(from: original, to: clone) }
}

/// The furthest page of each book wins. The app opens the book that was opened last, by the order of arrival.
struct Furthest: Rival {
    static let name = "furthest-wins"

    private struct Progress {
        var book: Int?
        var pages: [Int: Int] = [:]

        mutating func reach(_ spot: Spot) {
            book = spot.book
            pages[spot.book] = max(pages[spot.book] ?? 0, spot.page)
        }

        var screen: Screen? { book.flatMap { book in pages[book].map { Screen(spot: Spot(book: book, page: $0)) } } }
    }

    private var server: [Int: Progress] = [:]
    private var local: [Seat: Progress] = [:]
    private var unsent: [Seat: [Spot]] = [:]

    init() {}

    mutating func launch(_ seat: Seat, on device: Model, _ release: Release, isOnline: Bool) -> Screen? {
        if isOnline { sync(seat, on: device, release) }
        return local[seat]?.screen
    }

    mutating func save(_ state: Saved, at seat: Seat, wall: Double) {
        guard let spot = state.screen.spot else { return }
        // The app knows which state it shows, and stores only changes of the book or progress.
        let before = local[seat]?.screen?.spot
        guard before?.book != spot.book || spot.page > before?.page ?? 0 else { return }
        local[seat, default: Progress()].reach(spot)
        unsent[seat, default: []].append(spot)
    }

    mutating func sync(_ seat: Seat, on device: Model, _ release: Release) {
        for spot in unsent.removeValue(forKey: seat) ?? [] { server[seat.person, default: Progress()].reach(spot) }
        if let newest = server[seat.person] { local[seat] = newest }
    }

    mutating func copy(from original: Seat, to clone: Seat) {
        local[clone] = local[original]
        unsent[clone] = unsent[original]
    }
}

/// Each key keeps the value with the latest time of the clock of the device that wrote it: a key for the open book, and
/// a key for the page of each book.
struct KeyValueStore: Rival {
    static let name = "per-key last writer wins"

    private struct Value {
        var number: Int
        var wall: Double
    }

    private enum Key: Hashable {
        case book
        case page(book: Int)
    }

    private typealias Values = [Key: Value]
    private var server: [Int: Values] = [:]
    private var local: [Seat: Values] = [:]

    init() {}

    mutating func launch(_ seat: Seat, on device: Model, _ release: Release, isOnline: Bool) -> Screen? {
        if isOnline { sync(seat, on: device, release) }
        guard let values = local[seat], let book = values[.book], let page = values[.page(book: book.number)] else {
            return nil
        }
        return Screen(spot: Spot(book: book.number, page: page.number))
    }

    mutating func save(_ state: Saved, at seat: Seat, wall: Double) {
        guard let spot = state.screen.spot else { return }
        write(spot.book, .book, seat, wall)
        write(spot.page, .page(book: spot.book), seat, wall)
    }

    /// Writes a value that changed.
    private mutating func write(_ number: Int, _ key: Key, _ seat: Seat, _ wall: Double) {
        guard local[seat]?[key]?.number != number else { return }
        local[seat, default: [:]][key] = Value(number: number, wall: wall)
    }

    mutating func sync(_ seat: Seat, on device: Model, _ release: Release) {
        let merged = (server[seat.person] ?? [:]).merging(local[seat] ?? [:]) { $0.wall < $1.wall ? $1 : $0 }
        server[seat.person] = merged
        local[seat] = merged
    }

    mutating func copy(from original: Seat, to clone: Seat) { local[clone] = local[original] }
}
