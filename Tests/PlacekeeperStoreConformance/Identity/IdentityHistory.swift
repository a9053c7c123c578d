import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// Random actions of several devices of a user and an operator, the same for the same seed. There are few names, so
/// that they collide often.
struct IdentityHistory {
    enum Deed: Sendable {
        case delta(ItemDelta)
        case decide(Link.Kind?, IdentityOracle.Name, IdentityOracle.Name)
    }

    /// The actions of each actor in order: the devices, and last the operator.
    private(set) var actors: [[Deed]]
    let deviceCount: Int
    /// The identifiers that are resolved after all actions.
    let names: [String]
    let requestingDevices: [Int]
    /// Two of them are canonically equivalent: identifiers are bytes, so they name two items.
    static let identifiers = ["p1", "p2", "p3", "p12", "\u{C5}", "A\u{30A}", "日"]
    static let aliases = ["key:a", "key:b", "c", "d", "key:caf\u{E9}", "e"]
    private var random: SeededNumbers

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        deviceCount = 2 + random.below(3)
        names = Self.identifiers
        requestingDevices = Array(0..<deviceCount)
        actors = []
        for _ in 0..<deviceCount {
            var deeds: [Deed] = []
            for _ in 0..<1 + random.below(5) { deeds.append(.delta(delta())) }
            actors.append(deeds)
        }
        var decisions: [Deed] = []
        for _ in 0..<random.below(5) {
            let first = random.below(deviceCount)
            let second = (first + 1 + random.below(deviceCount - 1)) % deviceCount
            decisions.append(
                .decide([.same, .different, nil][random.below(3)], name(of: first), name(of: second)))
        }
        actors.append(decisions)
    }

    /// A chain of `count` devices. Each device has one item that shares an alias with the next device's item, and has
    /// `others` further aliases.
    init(chainOf count: Int, withOthers others: Int) {
        random = SeededNumbers(seed: UInt64(count))
        deviceCount = count
        names = ["p1"]
        requestingDevices = [0, 1, count - 1]
        actors = (0..<count).map { device in
            let own = (0..<others).map { "\(device).\($0)" }
            return [.delta(ItemDelta(upserts: [Item("p1", aliases: ["link \(device)", "link \(device + 1)"] + own)]))]
        }
    }

    /// An item was replaced. A later item with the same alias was removed, and an operator decided that the later item
    /// is different from another device's item. The replacement of the first item is still live.
    static let ofAReplacementBehindAnother = IdentityHistory(
        [
            [.delta(ItemDelta(upserts: [Item("p1", aliases: ["a"])]))],
            [
                .delta(ItemDelta(upserts: [Item("p2", aliases: ["a"]), Item("p3")])),
                .delta(ItemDelta(redirects: [.init(from: "p2", to: "p3")])),
                .delta(ItemDelta(upserts: [Item("p12", aliases: ["a"])])),
                .delta(ItemDelta(removals: ["p12"])),
            ],
            [.decide(.different, .init(device: 0, identifier: "p1"), .init(device: 1, identifier: "p12"))],
        ])

    /// An operator decided that an item is the same as an item of a third device, which was replaced before. The requesting
    /// device's item shares an alias with the replacement.
    static let ofADecisionAboutAReplacedItem = IdentityHistory(
        [
            [.delta(ItemDelta(upserts: [Item("p1", aliases: ["a"])]))],
            [
                .delta(ItemDelta(upserts: [Item("p2"), Item("p3", aliases: ["c"])])),
                .delta(ItemDelta(redirects: [.init(from: "p2", to: "p3")])),
            ],
            [.delta(ItemDelta(upserts: [Item("p12", aliases: ["c"])]))],
            [.decide(.same, .init(device: 0, identifier: "p1"), .init(device: 1, identifier: "p2"))],
        ])

    /// An item was replaced twice. Each replaced item shares an alias with one item of the requesting device, and the first
    /// one shares two aliases with another item.
    static let ofTwoReplacedItems = IdentityHistory(
        [
            [
                .delta(ItemDelta(upserts: [Item("p1", aliases: ["a", "b", "c"])])),
                .delta(ItemDelta(upserts: [Item("p2", aliases: ["a"])], redirects: [.init(from: "p1", to: "p2")])),
                .delta(ItemDelta(upserts: [Item("p3")], redirects: [.init(from: "p2", to: "p3")])),
            ],
            [
                .delta(ItemDelta(upserts: [Item("p1", aliases: ["b", "c"])])),
                .delta(ItemDelta(upserts: [Item("p2", aliases: ["a"])])),
            ],
            [],
        ])

    /// Three items were replaced. Then one replacement was removed, one was removed and its identifier reused, and one
    /// became another item. Another device has items with the aliases of the replacements, and a third device has the
    /// replaced items.
    static let ofReplacementsThatAreGone = IdentityHistory(
        [
            [
                .delta(ItemDelta(upserts: [Item("p1", aliases: ["a"]), Item("p12", aliases: ["b"])])),
                .delta(ItemDelta(upserts: [Item("p2", aliases: ["c"]), Item("Å", aliases: ["d"])])),
                .delta(ItemDelta(upserts: [Item("p3"), Item("日", aliases: ["e"])])),
                .delta(ItemDelta(redirects: [.init(from: "p1", to: "p12"), .init(from: "p2", to: "Å")])),
                .delta(ItemDelta(redirects: [.init(from: "p3", to: "日")])),
                .delta(ItemDelta(removals: ["p12", "Å"])),
                .delta(ItemDelta(upserts: [Item("Å"), Item("日", aliases: ["f"])])),
            ],
            [.delta(ItemDelta(upserts: [Item("p1", aliases: ["b"]), Item("p2", aliases: ["d"])]))],
            [.delta(ItemDelta(upserts: [Item("p1", aliases: ["a"]), Item("p2", aliases: ["c"])]))],
            [],
        ])

    private init(_ actors: [[Deed]]) {
        random = SeededNumbers(seed: 0)
        self.actors = actors
        deviceCount = actors.count - 1
        names = Self.identifiers
        requestingDevices = Array(0..<deviceCount)
    }

    private mutating func name(of device: Int) -> IdentityOracle.Name {
        IdentityOracle.Name(device: device, identifier: identifier())
    }

    private mutating func identifier() -> String { Self.identifiers[random.below(Self.identifiers.count)] }

    /// Returns an alias, sometimes in another Unicode normalization form.
    mutating func alias() -> String {
        let alias = Self.aliases[random.below(Self.aliases.count)]
        return alias == "key:caf\u{E9}" && random.below(2) == 0 ? "key:cafe\u{301}" : alias
    }

    /// Returns the evidence of a random reference.
    mutating func reference() -> Evidence {
        let identifier = random.below(8) == 0 ? nil : identifier()
        var aliases: [String] = []
        for _ in 0..<random.below(3) {
            let alias = alias()
            if !aliases.contains(alias) { aliases.append(alias) }
        }
        // The source device has other rows with the last of these aliases.
        return Evidence(identifier, aliases: aliases, sharedCount: random.below(4) == 0 ? min(1, aliases.count) : 0)
    }

    private mutating func delta() -> ItemDelta {
        var delta = ItemDelta()
        var named: Set<[UInt8]> = []
        for _ in 0..<1 + random.below(3) {
            let identifier = identifier()
            guard named.insert(Array(identifier.utf8)).inserted else { continue }
            switch random.below(8) {
            case 0, 1: delta.removals.append(identifier)
            case 2: delta.redirects.append(.init(from: identifier, to: self.identifier()))
            default:
                var aliases: Set<String> = []
                for _ in 0..<random.below(4) { aliases.insert(alias()) }
                delta.upserts.append(Item(identifier, aliases: aliases.sorted()))
            }
        }
        return delta
    }

    /// Returns all actions in one order that keeps each actor's own order.
    func inOrder(seed: UInt64) -> [(actor: Int, deed: Deed)] {
        var random = SeededNumbers(seed: seed)
        var rest = actors.map { $0[...] }
        var order: [(actor: Int, deed: Deed)] = []
        while true {
            let ready = rest.indices.filter { !rest[$0].isEmpty }
            guard !ready.isEmpty else { return order }
            let actor = ready[random.below(ready.count)]
            order.append((actor, rest[actor].removeFirst()))
        }
    }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }
}
