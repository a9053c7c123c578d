/// Shows a keyed archive of any app: what was encoded by name, then each object of a class that is not a plain value.
///
/// Values are followed a few levels deep and as far as the budget goes, so that circles and shared objects end.
struct ForeignInspector {
    private let view: KeyedView
    private var remaining: Int
    private var shared = SharedValues()
    private var classNames: [UInt32: String] = [:]

    private typealias Value = ArchiveInspection.Value
    private typealias Entry = ArchiveInspection.Entry

    private static let maximumDepth = 16

    init(_ view: KeyedView, byteCount: Int) {
        self.view = view
        remaining = 4096 + 8 * byteCount
    }

    mutating func inspect() -> ArchiveInspection {
        let topLevel = entries(view.frame.top, depth: 0)
        var sections: [ArchiveInspection.Section] = []
        for index in 0..<view.frame.objects.count {
            let object = view.list.element(index, of: view.frame.objects)
            guard spend(view.list.dictionary(object)?.count ?? 0) else { break }
            guard let className = className(of: object), value(object, depth: 0, isSection: true) == nil,
                let record = view.list.dictionary(object)
            else { continue }
            sections.append(
                .init(kind: "Object", name: "#\(index)", className: className, entries: entries(record, depth: 1)))
        }
        return ArchiveInspection(topLevel: topLevel, sections: sections)
    }

    private mutating func spend(_ cost: Int) -> Bool {
        remaining -= 1 + cost
        return remaining >= 0
    }

    private mutating func className(of object: UInt32) -> String? {
        guard let record = view.classRecord(object) else { return nil }
        if let known = classNames[record] { return known }
        let name = view.className(inRecord: record)
        classNames[record] = name
        return name
    }

    /// The entries of a property list's dictionary, by key in order, without the class.
    private mutating func entries(_ record: BinaryPropertyList.Entries, depth: Int) -> [Entry] {
        var entries: [Entry] = []
        for index in 0..<record.count {
            let key = view.list.key(index, of: record)
            if view.list.isString(key, equalTo: "$class") { continue }
            guard spend(0) else { break }
            entries.append(
                Entry(
                    key: shared.text(key, in: view.list), value: shown(view.list.value(index, of: record), depth: depth)
                ))
        }
        return entries.sorted { $0.key < $1.key }
    }

    /// An object in full, or by its number when it has a section of its own.
    private mutating func shown(_ element: UInt32, depth: Int) -> Value {
        guard let object = view.nonNil(element) else { return .null }
        guard depth < Self.maximumDepth, spend(view.list.dictionary(object)?.count ?? 0) else { return .elided }
        if let value = value(object, depth: depth, isSection: false) { return value }
        guard let className = className(of: object), case .uid(let uid) = view.list.content(element) else {
            return view.list.dictionary(object).map { .dictionary(entries($0, depth: depth + 1)) } ?? .elided
        }
        return .numbered(Int(uid), className: className)
    }

    /// A plain value; nil for an object of any other class. With `isSection` only whether it is one counts, and nothing
    /// is opened.
    private mutating func value(_ object: UInt32, depth: Int, isSection: Bool) -> Value? {
        switch view.list.content(object) {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(value)
        case .uid(let value): return .unsigned(value)
        case .data: return .data(shared.data(object, in: view.list))
        case .string: return .string(shared.text(object, in: view.list))
        case .array(let elements): return isSection ? .null : array(elements, depth: depth)
        case .dictionary: break
        }
        if let entries = view.dictionary(object) { return isSection ? .null : dictionary(entries, depth: depth) }
        if let elements = view.array(object) { return isSection ? .null : array(elements, depth: depth) }
        if let seconds = view.date(object) { return .date(seconds) }
        if let text = view.textObject(object) { return .string(shared.text(text, in: view.list)) }
        return view.dataObject(object).map { .data(shared.data($0, in: view.list)) }
    }

    private mutating func array(_ elements: BinaryPropertyList.Elements, depth: Int) -> Value {
        var values: [Value] = []
        for index in 0..<elements.count {
            guard remaining > 0 else { return .array(values + [.elided]) }
            values.append(shown(view.list.element(index, of: elements), depth: depth + 1))
        }
        return .array(values)
    }

    private mutating func dictionary(_ dictionary: KeyedView.Dictionary, depth: Int) -> Value {
        var entries: [Entry] = []
        for index in 0..<dictionary.keys.count where remaining > 0 {
            let key = shown(view.list.element(index, of: dictionary.keys), depth: depth + 1)
            let value = shown(view.list.element(index, of: dictionary.values), depth: depth + 1)
            if case .string(let text) = key {
                entries.append(Entry(key: text, value: value))
            } else {
                entries.append(Entry(key: key.text, value: value))
            }
        }
        return .dictionary(entries.sorted { $0.key < $1.key })
    }
}
