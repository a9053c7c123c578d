/// Reads the tables of Placekeeper's format. The file's size limits the work.
struct TableReader {
    let view: KeyedView
    var budget: ExpansionBudget
    var keys: KeyBudget
    private var shared = SharedValues()
    let referenceCount: Int
    let instanceCount: Int

    /// A dictionary in a table, and the error code to throw if it is malformed.
    struct Record {
        var entries: KeyedView.Dictionary
        var object: UInt32
        var code: ArchiveError.Code
    }

    init(_ view: KeyedView, byteCount: Int, keys: KeyBudget = KeyBudget()) throws(ArchiveError) {
        self.view = view
        self.keys = keys
        budget = ExpansionBudget(byteCount)
        referenceCount = try Self.elements(ArchiveKey.references, .referenceTable, in: view)?.count ?? 0
        instanceCount = try Self.elements(ArchiveKey.instances, .state, in: view)?.count ?? 0
    }

    func error(_ code: ArchiveError.Code, _ object: UInt32) -> ArchiveError {
        ArchiveError(code, at: view.list.offset(of: object))
    }

    /// Returns the array under a key of `$top`. `nil` if the key is missing.
    static func elements(
        _ key: StaticString, _ code: ArchiveError.Code, in view: KeyedView
    ) throws(ArchiveError) -> BinaryPropertyList.Elements? {
        guard let object = view.top(key) else { return nil }
        guard let elements = view.array(object) else { throw ArchiveError(code, at: view.list.offset(of: object)) }
        return elements
    }

    /// Reads each dictionary in the table under a key of `$top`.
    mutating func table<Row>(
        _ key: StaticString, _ code: ArchiveError.Code,
        _ read: (inout TableReader, Record) throws(ArchiveError) -> Row
    ) throws(ArchiveError) -> [Row] {
        guard let elements = try Self.elements(key, code, in: view) else { return [] }
        return try rows(elements, code, read)
    }

    mutating func rows<Row>(
        _ elements: BinaryPropertyList.Elements, _ code: ArchiveError.Code,
        _ read: (inout TableReader, Record) throws(ArchiveError) -> Row
    ) throws(ArchiveError) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(elements.count)
        for index in 0..<elements.count {
            rows.append(try read(&self, try record(view.list.element(index, of: elements), code)))
        }
        return rows
    }

    mutating func record(_ element: UInt32, _ code: ArchiveError.Code) throws(ArchiveError) -> Record {
        let object = view.resolve(element)
        try visit(object)
        guard let entries = view.dictionary(object) else { throw error(code, object) }
        try budget.consume(entries.keys.count, at: view.list.offset(of: object))
        return Record(entries: entries, object: object, code: code)
    }
}

extension TableReader {
    /// Consumes the cost of an object, including a search through its keys.
    mutating func visit(_ object: UInt32) throws(ArchiveError) {
        try budget.consume(1 + (view.list.dictionary(object)?.count ?? 0), at: view.list.offset(of: object))
    }

    /// Returns a string object, or the string inside an encoded mutable string. Throws an error with `code` for any
    /// other object.
    mutating func textObject(_ object: UInt32, _ code: ArchiveError.Code) throws(ArchiveError) -> UInt32 {
        try visit(object)
        guard let text = view.textObject(object) else { throw error(code, object) }
        return text
    }

    mutating func textObject(_ key: StaticString, of record: Record) throws(ArchiveError) -> UInt32? {
        guard let object = view.value(for: key, in: record.entries) else { return nil }
        return try textObject(object, record.code)
    }

    mutating func string(_ object: UInt32) -> String { shared.text(object, in: view.list) }

    /// Reads a string that will be a dictionary key, and consumes the cost of hashing it.
    mutating func key(_ object: UInt32) throws(ArchiveError) -> String {
        let key = string(object)
        guard keys.consume(key) else { throw error(.expansion, object) }
        return key
    }

    mutating func data(_ object: UInt32) -> [UInt8] { shared.data(object, in: view.list) }

    mutating func optionalText(_ key: StaticString, of record: Record) throws(ArchiveError) -> String? {
        guard let object = try textObject(key, of: record) else { return nil }
        return string(object)
    }

    mutating func text(_ key: StaticString, of record: Record) throws(ArchiveError) -> String {
        guard let text = try optionalText(key, of: record) else { throw error(record.code, record.object) }
        return text
    }

    func flag(_ key: StaticString, of record: Record) throws(ArchiveError) -> Bool {
        guard let object = view.value(for: key, in: record.entries) else { return false }
        guard case .boolean(let flag) = view.list.content(object) else { throw error(record.code, object) }
        return flag
    }

    /// Returns the array under a key of a record. `nil` if the key is missing.
    mutating func elements(
        _ key: StaticString, of record: Record
    ) throws(ArchiveError) -> BinaryPropertyList.Elements? {
        guard let object = view.value(for: key, in: record.entries) else { return nil }
        try visit(object)
        guard let elements = view.array(object) else { throw error(record.code, object) }
        try budget.consume(elements.count, at: view.list.offset(of: object))
        return elements
    }

    mutating func optionalIntegers(_ key: StaticString, of record: Record) throws(ArchiveError) -> [Int]? {
        guard let elements = try elements(key, of: record) else { return nil }
        var integers: [Int] = []
        for index in 0..<elements.count {
            let object = view.resolve(view.list.element(index, of: elements))
            guard let integer = view.integer(object).flatMap(Int.init(exactly:)) else {
                throw error(record.code, object)
            }
            integers.append(integer)
        }
        return integers
    }

    mutating func modelElement(_ record: Record) throws(ArchiveError) -> ModelReference.Element {
        var element = ModelReference.Element(nil)
        if let object = try textObject(ArchiveKey.identifier, of: record) { element.identifier = try name(object) }
        element.aliases = try names(ArchiveKey.aliases, of: record) ?? []
        element.sharedAliases = try names(ArchiveKey.sharedAliases, of: record)
        return element
    }

    private mutating func names(_ key: StaticString, of record: Record) throws(ArchiveError) -> [String]? {
        guard let elements = try elements(key, of: record) else { return nil }
        var names: [String] = []
        names.reserveCapacity(elements.count)
        for index in 0..<elements.count {
            let object = view.resolve(view.list.element(index, of: elements))
            names.append(try name(try textObject(object, record.code)))
        }
        return names
    }

    /// Reads a string from the table of model references, such as an identifier or alias. Many references can share one
    /// string object, but the service looks up and writes the string for each of them. So every 16 bytes of the string
    /// cost as much as one value.
    mutating func name(_ object: UInt32) throws(ArchiveError) -> String {
        let name = string(object)
        try budget.consume(name.utf8.count / 16, at: view.list.offset(of: object))
        return name
    }

    mutating func name(_ key: StaticString, of record: Record) throws(ArchiveError) -> String {
        guard let object = try textObject(key, of: record) else { throw error(record.code, record.object) }
        return try name(object)
    }

    mutating func neighbors(
        _ key: StaticString, of record: Record
    ) throws(ArchiveError) -> [ModelReference.Element] {
        guard let elements = try elements(key, of: record) else { return [] }
        guard elements.count <= ModelReference.maximumNeighborCount else { throw error(record.code, record.object) }
        return try rows(elements, record.code) { (reader, neighbor) throws(ArchiveError) in
            try reader.modelElement(neighbor)
        }
    }
}
