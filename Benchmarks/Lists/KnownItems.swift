import PlacekeeperArchive
import PlacekeeperService
import PlacekeeperRuntime

/// An item as a resolver knows it: its identifier and the numbers of its aliases.
struct KnownItem {
    var identifier: String?
    var aliases: [Int]
}

/// Everything that the devices of a person registered and archived, without the truth.
struct KnownItems {
    private var numbers: [String: Int] = [:]
    /// For each alias, the number of its kind.
    private(set) var kinds: [Int] = []
    /// The names of the kinds of aliases, such as `isbn`.
    private(set) var kindNames: [String] = []
    /// The aliases that two items of one device have.
    private(set) var ambiguous: Set<Int> = []
    /// For each alias, the aliases of items that have it.
    private var alignment: [Int: Set<Int>] = [:]

    init(_ ledgers: [Ledger], _ captures: [Capture], _ list: [ListElement]) {
        var owners: [Int: String] = [:]
        note(list.map { ModelReference.Element($0.identifier, aliases: $0.aliases) }, &owners)
        for (device, ledger) in ledgers.enumerated() {
            var owners: [Int: String] = [:]
            note(ledger.elements.map { ModelReference.Element($0.identifier, aliases: $0.aliases) }, &owners)
            for capture in captures where capture.device == device {
                owners = [:]
                for reference in capture.references {
                    note([reference.element] + reference.before + reference.after, &owners)
                }
            }
        }
    }

    private mutating func note(_ elements: [ModelReference.Element], _ owners: inout [Int: String]) {
        for element in elements {
            guard let identifier = element.identifier else { continue }
            let aliases = element.allAliases.map { number($0) }
            ambiguous.formUnion(aliases.suffix(element.sharedAliases?.count ?? 0))
            for alias in aliases {
                if owners.updateValue(identifier, forKey: alias) ?? identifier != identifier { ambiguous.insert(alias) }
                if aliases.count > 1 { alignment[alias, default: []].formUnion(aliases) }
            }
        }
    }

    mutating func number(_ alias: String) -> Int {
        if let number = numbers[alias] { return number }
        let name = String(alias.prefix { $0 != ":" })
        if !kindNames.contains(name) { kindNames.append(name) }
        numbers[alias] = kinds.count
        kinds.append(kindNames.firstIndex(of: name) ?? 0)
        return kinds.count - 1
    }

    func kind(of alias: Int) -> String { kindNames[kinds[alias]] }

    /// Returns aliases, and the aliases that items of any device have together with them.
    func expanded(_ aliases: [Int]) -> [Int] {
        var result = Set(aliases)
        for _ in 0..<2 {
            for alias in result where !ambiguous.contains(alias) { result.formUnion(alignment[alias] ?? []) }
        }
        return result.sorted()
    }
}
