/// The answers of simple ways to find items.
struct Baselines {
    private let person: Person
    private let capture: Capture
    private let shelf: Shelf
    private let things: [String: Int]
    private let rowsByAlias: [String: [Int]]

    init(_ person: Person, _ capture: Capture, asking: Int) {
        self.person = person
        self.capture = capture
        let shelf = person.shelves[asking]
        self.shelf = shelf
        things = Dictionary(shelf.names.map { ($1, $0) }) { first, _ in first }
        var rows: [String: [Int]] = [:]
        for row in shelf.rows { for alias in shelf.aliases[row] { rows[alias, default: []].append(row) } }
        rowsByAlias = rows
    }

    func answers(for subject: Capture.Subject) -> [(Approach, Int?)] {
        let name = capture.shelf.names[subject.thing] ?? ""
        let place = capture.shelf.rows.firstIndex(of: subject.thing) ?? 0
        let rows = Set(capture.shelf.aliases[subject.thing].flatMap { rowsByAlias[$0] ?? [] })
        return [
            (.identifiers, things[name]),
            (.indexPath, shelf.rows.indices.contains(place) ? shelf.rows[place] : nil),
            (.aliasesAlone, rows.count == 1 ? rows.first : nil),
        ]
    }
}
