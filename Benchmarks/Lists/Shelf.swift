/// How a device names its items.
enum Naming: Sendable {
    case coreData, rowNumber, random
}

/// A device's list: the records that the device has of the person's things.
struct Shelf: Sendable {
    let number: Int
    /// For each thing, its place in the device's order.
    let ranks: [Double]
    /// Whether the device has an order of its own.
    let hasOwnOrder: Bool
    /// For each thing, the aliases that the device has for it.
    var aliases: [[String]]
    private let naming: Naming
    private let takesSmallestFree: Bool
    /// For each thing on the device, the identifier of its record.
    var names: [Int: String] = [:]
    /// The things that arrive later, the first last.
    private var awaited: [Int]
    /// The number of the identifiers' store. An update of the app that renames all identifiers has another store.
    private var store: UInt64
    private var lastNumber = 0
    /// The things of the rows, in the device's order.
    private(set) var rows: [Int] = []

    /// Replacements of identifiers that are not registered yet.
    var redirects: [(from: String, to: String)] = []

    mutating func redirect(_ from: String, to new: String) {
        for index in redirects.indices where redirects[index].to == from { redirects[index].to = new }
        redirects.append((from, new))
    }

    init(
        _ number: Int, of library: Library, _ naming: Naming, byField: [Double], smallestFree: Bool,
        _ chance: inout Chance
    ) {
        self.number = number
        self.naming = naming
        takesSmallestFree = smallestFree
        store = chance.next()
        let things = library.things
        (ranks, hasOwnOrder) = Self.ranks(things, byField: byField, kind: library.kind, &chance)
        var aliases: [[String]] = []
        for thing in things.indices { aliases.append(library.aliases(of: thing, on: number, &chance)) }
        self.aliases = aliases

        let span = Shares.missing.upperBound - Shares.missing.lowerBound
        let lacking = Int((Shares.missing.lowerBound + span * chance.fraction()) * Double(things.count))
        let byTime = things.indices.sorted { (things[$0].added, $0) < (things[$1].added, $1) }
        awaited = byTime.suffix(lacking / 3).reversed()
        var missing = Set(awaited)
        while missing.count < lacking * 2 / 3 {
            let section = things[chance.below(things.count)].section
            let run = things.indices.filter { things[$0].section == section && !missing.contains($0) }
            missing.formUnion(run.prefix(lacking * 2 / 3 - missing.count))
        }
        while missing.count < lacking { missing.insert(chance.below(things.count)) }
        for thing in byTime where !missing.contains(thing) {
            // Numbers of rows that were removed long ago stay free.
            if chance.happens(0.05) { lastNumber += 1 }
            names[thing] = newName(&chance)
        }
        sort()
    }

    /// Gives the things the aliases of their metadata, too.
    mutating func add(_ metadata: inout Metadata) { aliases = metadata.aliases(beside: aliases, on: number) }

    private static func ranks(
        _ things: [Thing], byField: [Double], kind: Kind, _ chance: inout Chance
    ) -> ([Double], hasOwnOrder: Bool) {
        enum Order { case true_, differing, own }
        let order = chance.pick([Order.true_, .differing, .own], shares: Shares.orders)
        var ranks = things.indices.map(Double.init)
        if case .own = order {
            if chance.happens(0.5) {
                ranks = byField
            } else if kind == .photos {
                ranks = ranks.map { -$0 }
            } else {
                let sections = (0...(things.last?.section ?? 0)).shuffled(using: &chance)
                let sorted = things.indices.sorted {
                    (sections[things[$0].section], $0) < (sections[things[$1].section], $1)
                }
                for (place, thing) in sorted.enumerated() { ranks[thing] = Double(place) }
            }
        }
        if case .true_ = order { return (ranks, false) }
        for thing in ranks.indices where chance.happens(Shares.displaced) {
            ranks[thing] += (Double(chance.within(1...5)) + 0.5) * (chance.happens(0.5) ? 1 : -1)
        }
        return (ranks, order == .own)
    }

    mutating func sort() {
        rows = names.keys.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    }

    mutating func newName(_ chance: inout Chance) -> String {
        switch naming {
        case .coreData:
            lastNumber += 1
            return "x-coredata://\(String(store, radix: 16, uppercase: true))/Item/p\(lastNumber)"
        case .random: return String(chance.next(), radix: 36)
        case .rowNumber:
            guard isOld else {
                lastNumber += 1
                return "\(lastNumber)"
            }
            let used = Set(names.values.compactMap { Int($0) })
            var number = takesSmallestFree ? 1 : (used.max() ?? 0) + 1
            while used.contains(number) { number += 1 }
            return "\(number)"
        }
    }

    /// Whether the first list is complete, so that new rows take free numbers.
    var isOld = false

    // Changes.

    /// Removes rows, and receives things that were missing.
    mutating func change(_ chance: inout Chance) {
        isOld = true
        let removed = rows.shuffled(using: &chance).prefix(chance.below(Int(Shares.removals * Double(rows.count)) + 1))
        for thing in removed { names[thing] = nil }
        // The last rows by number are often the newest, and a person often removes them again.
        for _ in 0..<min(awaited.count, Int((Shares.arrivals * Double(awaited.count)).rounded(.up))) {
            let thing = awaited.removeLast()
            names[thing] = newName(&chance)
        }
        sort()
    }

    /// Renames all identifiers, as an update of the app does that makes a new database.
    mutating func migrate(_ chance: inout Chance) {
        isOld = false
        store = chance.next()
        lastNumber = 0
        let sendsRedirects = chance.happens(Shares.migrations.redirects)
        let old = names
        names = [:]
        for thing in rows { names[thing] = newName(&chance) }
        // Row numbers can be reused by the update itself. Then an identifier is both old and new, and a redirect from
        // it cannot be sent.
        let new = Set(names.values)
        guard sendsRedirects, !old.values.contains(where: new.contains) else { return }
        for thing in rows { if let from = old[thing], let to = names[thing] { redirect(from, to: to) } }
    }

    /// Replaces records by other records of the same things.
    mutating func replaceRecords(_ chance: inout Chance) {
        isOld = true
        for thing in rows where chance.happens(0.01) {
            guard let old = names[thing] else { continue }
            // The new record exists beside the old record for a moment, so it has another identifier.
            let new = newName(&chance)
            names[thing] = new
            redirect(old, to: new)
        }
    }

    /// Merges the record of one thing into the record of another.
    mutating func merge(_ thing: Int, into other: Int) {
        guard let from = names[thing], let to = names[other] else { return }
        names[thing] = nil
        redirect(from, to: to)
        sort()
    }

    // Places.

    /// Returns whether a row of the device is beside the place of a thing that the device may lack.
    func isAdjacent(_ row: Int, to thing: Int) -> Bool {
        let key = (ranks[thing], thing)
        let before = rows.last { (ranks[$0], $0) < key }
        let after = rows.first { (ranks[$0], $0) > key }
        return row == before || row == after
    }
}
