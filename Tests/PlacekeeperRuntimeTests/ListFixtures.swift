import PlacekeeperStandIns
import PlacekeeperRuntime

/// A data source whose elements have model identifiers.
@MainActor
final class Elements: ListDataSource, DataSourceModelAssociation {
    var sections: [[String]]
    var aliases: [String: [String]] = [:]
    var selectsNeighbors = false
    private(set) var asked: [ElementIndexPath] = []
    let dataSourceName: String

    init(_ sections: [[String]], name: String = "elements") {
        self.sections = sections
        dataSourceName = name
    }

    convenience init(_ elements: String...) { self.init([elements]) }

    func elementCounts() -> [Int] { sections.map(\.count) }

    func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        guard let indexPath, sections.indices.contains(indexPath.section),
            sections[indexPath.section].indices.contains(indexPath.item)
        else { return nil }
        asked.append(indexPath)
        return sections[indexPath.section][indexPath.item]
    }

    func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?
    {
        guard let identifier else { return nil }
        for (section, elements) in sections.enumerated() {
            let item = elements.firstIndex { $0.utf8.elementsEqual(identifier.utf8) }
            if let item { return .init(section: section, item: item) }
        }
        return nil
    }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { aliases[identifier] ?? [] }
}

/// A static data source without model identifiers.
@MainActor
final class Switches: ListDataSource {
    private let counts: [Int]
    init(_ counts: [Int] = [3, 4]) { self.counts = counts }
    func elementCounts() -> [Int] { counts }
}

/// A random number generator with the same numbers in each run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
