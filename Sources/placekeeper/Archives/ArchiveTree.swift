import KeyedArchive

/// Makes a tree of a keyed archive, any app's. Each object is told once; depth and number of values are bounded, since
/// a small file can name more values than there are atoms.
struct ArchiveTree {
    private let reader: KeyedArchiveReader
    private var told: Set<UInt64> = []
    private var valuesLeft: Int
    private let maximumDepth: Int

    init(_ reader: KeyedArchiveReader, maximumValues: Int = 100_000, maximumDepth: Int = 64) {
        self.reader = reader
        valuesLeft = maximumValues
        self.maximumDepth = maximumDepth
    }

    /// What was encoded by name, sorted by name.
    mutating func top() -> [InspectedValue.Field] { fields(of: reader.top, depth: 0) }

    private mutating func value(of object: BinaryPropertyList.Object, depth: Int) -> InspectedValue {
        valuesLeft -= 1
        guard valuesLeft > 0, depth < maximumDepth else { return .elided }
        let list = reader.propertyList
        guard case .uid(let number) = list[object] else { return plain(object, depth: depth) }
        let named = reader.resolve(object)
        guard let className = reader.className(of: named), case .dictionary(let entries) = list[named] else {
            let value = plain(named, depth: depth)
            return value == .text("$null") ? .null : value
        }
        guard told.insert(number).inserted else { return .again(number: number) }
        let fields = fields(of: entries, depth: depth + 1)
        return Self.unwrapped(className, fields) ?? .object(className: className, number: number, fields: fields)
    }

    private mutating func plain(_ object: BinaryPropertyList.Object, depth: Int) -> InspectedValue {
        let list = reader.propertyList
        switch list[object] {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .date(let seconds): return .date(seconds)
        case .data(let range): return .data(Array(list.bytes[range]))
        case .string(let text): return .text(list.string(text))
        case .uid(let number): return .again(number: number)
        case .array(let elements):
            var values: [InspectedValue] = []
            for index in 0..<elements.count {
                guard valuesLeft > 0 else { return .array(values + [.elided]) }
                values.append(value(of: list.element(index, of: elements), depth: depth + 1))
            }
            return .array(values)
        case .dictionary(let entries): return .dictionary(fields(of: entries, depth: depth + 1))
        }
    }

    private mutating func fields(of entries: BinaryPropertyList.Entries, depth: Int) -> [InspectedValue.Field] {
        // Sorted before they are told, so that an object is told where it is first printed.
        let sorted = (0..<entries.count).map { reader.propertyList.entry($0, of: entries) }.sorted { $0.key < $1.key }
        var fields: [InspectedValue.Field] = []
        // A class record is told by its name.
        for (key, value) in sorted where key != "$class" {
            guard valuesLeft > 0 else { return fields + [.init(key: "…", value: .elided)] }
            fields.append(.init(key: key, value: self.value(of: value, depth: depth)))
        }
        return fields
    }

    /// Foundation's own containers and values as what they hold; nil for other classes, or when they are not in the
    /// form that Foundation gives them.
    private static func unwrapped(_ className: String, _ fields: [InspectedValue.Field]) -> InspectedValue? {
        func field(_ key: String) -> InspectedValue? { fields.first { $0.key == key }?.value }
        switch className {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
            guard fields.count == 1, case .array? = field("NS.objects") else { return nil }
            return field("NS.objects")
        case "NSDictionary", "NSMutableDictionary":
            guard case .array(let keys)? = field("NS.keys"), case .array(let values)? = field("NS.objects"),
                keys.count == values.count
            else { return nil }
            let entries = zip(keys, values).map { key, value in
                if case .text(let text) = key {
                    InspectedValue.Field(key: text, value: value)
                } else {
                    InspectedValue.Field(key: key.inline, value: value)
                }
            }
            return .dictionary(entries.sorted { $0.key < $1.key })
        case "NSString", "NSMutableString": return field("NS.string") ?? field("NS.bytes")
        case "NSData", "NSMutableData": return field("NS.data")
        case "NSDate":
            guard case .real(let seconds)? = field("NS.time"), seconds.magnitude < 0x1p53 else { return nil }
            return .date(seconds)
        case "NSNull": return .null
        default: return nil
        }
    }
}
