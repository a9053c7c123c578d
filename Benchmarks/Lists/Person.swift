import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperService

/// A simulated person with a list of one kind on several devices. The devices change their lists, register them and
/// upload archives in three rounds. Then the archives are served.
struct Person: Sendable {
    /// What all people of a simulation have in common.
    struct Variant: Sendable {
        /// Whether the apps give aliases of metadata: the second set.
        var hasMetadata = false
        /// What all apps register. Nil if each app has its own way.
        var registering: Registering?
    }

    /// Which devices register, and which items.
    enum Registering: String, Sendable { case everyone, some, referred, none }

    let kind: Kind
    let library: Library
    let registering: Registering
    let archivesHaveAliases: Bool
    private(set) var shelves: [Shelf] = []
    private(set) var ledgers: [Ledger]
    private(set) var captures: [Capture] = []
    /// For each thing, the thing that it was merged into, or the thing itself.
    private var canonical: [Int]
    /// For each device, the round in which it registers for the first time. Nil for a device that never registers.
    private(set) var firstRound: [Int?]

    private var cloud: Cloud
    private var chance: Chance
    /// For each device, the identifiers that its archives refer to.
    private var referred: [Set<String>]
    private var score = Score()

    /// Plays the life of a person.
    static func play(_ kind: Kind, seed: UInt64, _ variant: Variant = Variant()) async throws -> Score {
        var person = try await Person(kind, seed: seed, variant)
        for round in 0..<3 { try await person.play(round) }
        try await person.finish()
        person.score.people = 1
        person.score.archives = person.captures.count
        return person.score
    }

    init(_ kind: Kind, seed: UInt64, _ variant: Variant) async throws {
        self.kind = kind
        var chance = Chance(seed: seed &* 31 &+ UInt64(Kind.allCases.firstIndex(of: kind) ?? 0))
        let count = chance.pick([2, 3, 4, 5], shares: Shares.devices)
        let library = Library(kind, devices: count, &chance)
        self.library = library
        canonical = Array(library.things.indices)
        let naming = chance.pick([Naming.coreData, .rowNumber, .random], shares: Shares.identifiers)
        let smallestFree = chance.happens(Shares.smallestFree)
        let byField = library.things.indices.shuffled(using: &chance).map(Double.init)
        for number in 0..<count {
            shelves.append(
                Shelf(number, of: library, naming, byField: byField, smallestFree: smallestFree, &chance))
        }
        if variant.hasMetadata {
            var metadata = Metadata(library, seed: seed)
            for number in shelves.indices { shelves[number].add(&metadata) }
        }
        let drawn = chance.pick([Registering.everyone, .some, .referred], shares: Shares.registrations)
        let registering = variant.registering ?? drawn
        self.registering = registering
        let hasAliases = registering != .everyone || !chance.happens(Shares.bareArchives)
        archivesHaveAliases = hasAliases
        var firstRound: [Int?] = (0..<count).map { _ in hasAliases && chance.happens(Shares.late) ? 1 : 0 }
        if registering == .some {
            let registered = chance.below(count)
            for number in 0..<count where number != registered {
                if number == (registered + 1) % count || chance.happens(0.5) { firstRound[number] = nil }
            }
        }
        if registering == .none { firstRound = Array(repeating: nil, count: count) }
        self.firstRound = firstRound
        ledgers = Array(repeating: Ledger(), count: count)
        referred = Array(repeating: [], count: count)
        cloud = try await Cloud(devices: count, &chance)
        self.chance = chance
    }

    private mutating func play(_ round: Int) async throws {
        var new: [Int] = []
        for device in shelves.indices.shuffled(using: &chance) {
            if round > 0 { change(device) }
            let registersFirst = chance.happens(0.5)
            if registersFirst { try await register(device, in: round) }
            cloud.wait(chance.within(60...7200))
            new.append(captures.count)
            try await capture(device)
            cloud.wait(chance.within(1...60))
            try await register(device, in: round)
        }
        for index in new where chance.happens(Shares.servedAtOnce) { try await serve(index, to: other(than: index)) }
    }

    private mutating func finish() async throws {
        for device in shelves.indices {
            if chance.happens(0.5) { change(device) }
            try await register(device, in: 3)
            cloud.wait(chance.within(60...7200))
        }
        for index in captures.indices {
            if chance.happens(1 - Shares.servedAtOnce) { try await serve(index, to: other(than: index)) }
            if chance.happens(Shares.servedToOwn) { try await serve(index, to: captures[index].device) }
        }
    }

    private mutating func other(than capture: Int) -> Int {
        (captures[capture].device + 1 + chance.below(shelves.count - 1)) % shelves.count
    }

    private mutating func change(_ device: Int) {
        shelves[device].change(&chance)
        if kind == .adversarial { shelves[device].mixUp(&chance) }
        if chance.happens(Shares.migrations.happens) { shelves[device].migrate(&chance) }
        guard chance.happens(Shares.replacements) else { return }
        shelves[device].replaceRecords(&chance)
        let byContent = Dictionary(grouping: shelves[device].rows) { library.things[$0].content }
        for (_, copies) in byContent.sorted(by: { $0.key < $1.key }) where copies.count > 1 && chance.happens(0.5) {
            shelves[device].merge(copies[1], into: copies[0])
            let (one, other) = (truth(copies[1]), truth(copies[0]))
            if one != other { canonical[one] = other }
        }
    }

    /// Registers the device's items as an app does: it works out the difference from the registered list.
    private mutating func register(_ device: Int, in round: Int) async throws {
        guard let first = firstRound[device], round >= first else { return }
        let shelf = shelves[device]
        var rows = shelf.rows
        if registering == .referred { rows.removeAll { !referred[device].contains(shelf.names[$0] ?? "") } }
        let elements = rows.compactMap { row in shelf.names[row].map { ListElement($0, aliases: shelf.aliases[row]) } }
            .registeredElements(after: ledgers[device].elements)
        let redirects = shelf.redirects
        shelves[device].redirects = []
        if let delta = ledgers[device].change(to: elements, redirecting: redirects, at: cloud.now()) {
            try await cloud.apply(delta, by: device)
        }
    }

    private mutating func capture(_ device: Int) async throws {
        let shelf = shelves[device]
        let rows = Capture.rows(of: shelf, &chance)
        let writesAliases = archivesHaveAliases
        let references = await MainActor.run { ShownList(shelf, writesAliases: writesAliases).references(to: rows) }
        let scene = try await cloud.upload(references, by: device)
        let subjects = rows.indices.filter { rows[$0].role != .other }.map { index in
            Capture.Subject(
                reference: index, thing: shelf.rows[rows[index].place],
                isFirstVisible: rows[index].role == .firstVisible)
        }
        for reference in references {
            for element in [reference.element] + reference.before + reference.after {
                if let name = element.identifier { referred[device].insert(name) }
            }
        }
        captures.append(
            Capture(
                device: device, writtenAt: cloud.now(), scene: scene, references: references, subjects: subjects,
                shelf: shelf))
    }

    private mutating func serve(_ index: Int, to device: Int) async throws {
        let capture = captures[index]
        let served = try await cloud.serve(capture.scene, to: device)
        let shelf = shelves[device]
        let writesAliases = archivesHaveAliases
        let exhaustive = ExhaustiveResolver(ledgers, captures, for: device, list: list(of: device))
            .answers(for: capture)
        let shown = await MainActor.run { () -> [[ElementResolution?]] in
            let list = ShownList(shelf, writesAliases: writesAliases)
            return [list.find(served), list.find(exhaustive)]
        }
        score.add(Judge(self, capture, asking: device).compare(served, shown[0], exhaustive: shown[1]))
    }

    /// The device's list, with the aliases that the runtime or the service knows.
    private func list(of device: Int) -> [ListElement] {
        let shelf = shelves[device]
        let registered = Dictionary(ledgers[device].elements.map { ($0.identifier, $0.aliases) }) { first, _ in first }
        return shelf.rows.compactMap { row in
            guard let name = shelf.names[row] else { return nil }
            return ListElement(name, aliases: archivesHaveAliases ? shelf.aliases[row] : registered[name] ?? [])
        }
    }

    /// Returns the thing that a thing was merged into, or the thing itself.
    func truth(_ thing: Int) -> Int {
        var thing = thing
        while canonical[thing] != thing { thing = canonical[thing] }
        return thing
    }
}
