/// Inspects a foreign archive: first the values at the top level, then each object that is not a plain value.
///
/// Objects can be shared and can form cycles, so a maximum depth and a budget limit the output.
struct ForeignInspector {
    private let view: KeyedView
    private var budget: InspectionBudget
    private var shared = SharedValues()
    private var classNames: [UInt32: String] = [:]

    private typealias Value = ArchiveInspection.Value
    private typealias Entry = ArchiveInspection.Entry

    private static let maximumDepth = 16

    init(_ view: KeyedView, byteCount: Int) {
        self.view = view
        budget = InspectionBudget(byteCount: byteCount)
    }

    mutating func inspect() -> ArchiveInspection {
        let topLevel = entries(view.frame.top, depth: 0)
        var sections: [ArchiveInspection.Section] = []
        for index in 0..<view.frame.objects.count {
            let object = view.list.element(index, of: view.frame.objects)
            guard let record = view.list.dictionary(object) else { continue }
            guard budget.consume(record.count) else { break }
            guard !isPlain(object), let className = className(of: object) else { continue }
            sections.append(
                .init(
                    kind: "Object", name: "#\(index)", className: budget.text(className),
                    entries: entries(record, depth: 1)))
        }
        return ArchiveInspection(topLevel: topLevel, sections: sections)
    }

    private mutating func className(of object: UInt32) -> String? {
        guard let record = view.classRecord(object) else { return nil }
        if let known = classNames[record] { return known }
        let name = view.className(inRecord: record)
        classNames[record] = name
        return name
    }

    /// Returns whether an object is a plain value, which gets no section: a string, data, or an encoded dictionary,
    /// array, date, string or data.
    private func isPlain(_ record: UInt32) -> Bool {
        view.dictionary(record) != nil || view.array(record) != nil || view.date(record) != nil
            || view.textObject(record) != nil || view.dataObject(record) != nil
    }

    /// Returns the entries of a property list dictionary, sorted by key, without `$class`.
    private mutating func entries(_ record: BinaryPropertyList.Entries, depth: Int) -> [Entry] {
        var entries: [Entry] = []
        for index in 0..<record.count where !budget.isSpent {
            let key = view.list.key(index, of: record)
            if view.list.isString(key, equalTo: "$class") { continue }
            let name = budget.text(shared.text(key, in: view.list))
            entries.append(Entry(key: name, value: shown(view.list.value(index, of: record), depth: depth)))
        }
        return budget.sorted(entries, by: { $0.key })
    }

    /// Returns an object's value, or its number if it has its own section. `elided` if the budget is used up or the
    /// maximum depth is reached.
    private mutating func shown(_ element: UInt32, depth: Int) -> Value {
        let object = view.resolve(element)
        guard budget.consume(view.list.dictionary(object)?.count ?? 0), depth < Self.maximumDepth else {
            return .elided
        }
        if view.nonNil(element) == nil { return .null }
        guard let record = view.list.dictionary(object), !isPlain(object) else { return value(object, depth: depth) }
        guard let className = className(of: object), case .uid(let uid) = view.list.content(element) else {
            return .dictionary(entries(record, depth: depth + 1))
        }
        return .numbered(Int(uid), className: budget.text(className))
    }

    /// Returns a plain value for display.
    private mutating func value(_ object: UInt32, depth: Int) -> Value {
        switch view.list.content(object) {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(value)
        case .uid(let value): return .unsigned(value)
        case .data: return data(object)
        case .string: return .string(budget.text(shared.text(object, in: view.list)))
        case .array(let elements): return array(elements, depth: depth)
        case .dictionary: break
        }
        if let entries = view.dictionary(object) { return dictionary(entries, depth: depth) }
        if let elements = view.array(object) { return array(elements, depth: depth) }
        if let seconds = view.date(object) { return .date(seconds) }
        if let text = view.textObject(object) { return .string(budget.text(shared.text(text, in: view.list))) }
        return view.dataObject(object).map { data($0) } ?? .elided
    }

    private mutating func data(_ object: UInt32) -> Value {
        let bytes = shared.data(object, in: view.list)
        return budget.consume(2 * bytes.count) ? .data(bytes) : .elided
    }

    private mutating func array(_ elements: BinaryPropertyList.Elements, depth: Int) -> Value {
        var values: [Value] = []
        for index in 0..<elements.count {
            guard !budget.isSpent else { return .array(values + [.elided]) }
            values.append(shown(view.list.element(index, of: elements), depth: depth + 1))
        }
        return .array(values)
    }

    private mutating func dictionary(_ dictionary: KeyedView.Dictionary, depth: Int) -> Value {
        var entries: [Entry] = []
        for index in 0..<dictionary.keys.count where !budget.isSpent {
            let key = shown(view.list.element(index, of: dictionary.keys), depth: depth + 1)
            let value = shown(view.list.element(index, of: dictionary.values), depth: depth + 1)
            if case .string(let text) = key {
                entries.append(Entry(key: text, value: value))
            } else {
                entries.append(Entry(key: key.text, value: value))
            }
        }
        return .dictionary(budget.sorted(entries, by: { $0.key }))
    }
}
