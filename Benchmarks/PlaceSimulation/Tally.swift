/// What is known about the person's last work when an app launches.
enum Standing: String, Sendable, CaseIterable {
    /// The work was done on this device, or the service has received it and the device has a connection.
    case known
    /// The person has not worked yet.
    case noWork
    /// The work was done on another device, and this device has no connection, or a slow one.
    case noConnection
    /// The work was done on another device, which has not sent it yet.
    case notSent
    /// The work was done on another device, and one of the devices is not signed in yet.
    case notSignedIn
    /// The work was saved by a newer version of the app, which this device cannot restore.
    case notRestorable
    /// The person dismissed the offer of this place on this device.
    case dismissed
}

/// What the person gets at a launch.
enum Answer: String, Sendable, CaseIterable {
    /// The place of the last work is restored.
    case restored
    /// The place of the last work is offered.
    case offered
    /// Another place is restored or offered.
    case wrong
    /// Nothing is restored or offered.
    case nothing
}

/// The number of launches of one system, by standing and answer.
struct Counts: Sendable {
    private var counts: [Standing: [Answer: Int]] = [:]

    mutating func add(_ standing: Standing, _ answer: Answer) {
        counts[standing, default: [:]][answer, default: 0] += 1
    }

    func count(_ standing: Standing, _ answer: Answer) -> Int { counts[standing]?[answer] ?? 0 }

    func count(_ standing: Standing) -> Int { counts[standing]?.values.reduce(0, +) ?? 0 }

    /// The share of the launches with known work.
    func share(_ answer: Answer) -> Double { Double(count(.known, answer)) / Double(max(1, count(.known))) }

    mutating func add(_ other: Counts) {
        for standing in Standing.allCases {
            for answer in Answer.allCases {
                counts[standing, default: [:]][answer, default: 0] += other.count(standing, answer)
            }
        }
    }
}

/// The results of some users.
struct Tally: Sendable {
    static let placekeeper = "Placekeeper"

    var systems: [String: Counts] = [:]
    /// The launches with known work by day, and the wrong answers to them by system and day.
    var knownByDay: [Int: Int] = [:]
    var wrongByDay: [String: [Int: Int]] = [:]
    var cases: [Case] = []
    /// The launches that restored, without asking, another device's page further back than the own page, by system.
    var movesBack: [String: Int] = [:]

    mutating func add(_ system: String, _ standing: Standing, _ answer: Answer, day: Int) {
        systems[system, default: Counts()].add(standing, answer)
        guard standing == .known else { return }
        if system == Self.placekeeper { knownByDay[day, default: 0] += 1 }
        if answer == .wrong { wrongByDay[system, default: [:]][day, default: 0] += 1 }
    }

    mutating func add(_ other: Tally) {
        for (system, counts) in other.systems { systems[system, default: Counts()].add(counts) }
        for (system, days) in other.wrongByDay { wrongByDay[system, default: [:]].merge(days, uniquingKeysWith: +) }
        knownByDay.merge(other.knownByDay, uniquingKeysWith: +)
        movesBack.merge(other.movesBack, uniquingKeysWith: +)
        cases += other.cases
    }
}
