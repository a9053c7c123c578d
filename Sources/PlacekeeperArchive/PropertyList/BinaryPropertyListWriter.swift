/// Writes a binary property list from the leaves up. An object is added after all objects that it refers to, so no
/// recursion is needed and cycles are impossible. Equal scalars and strings are written once. The time is proportional
/// to the size of the added values, which must not exceed 4 GiB.
public struct BinaryPropertyListWriter: Sendable {
    /// An object added to this writer.
    public struct Reference: Sendable, Hashable {
        var index: UInt32
    }

    struct Entry {
        enum Kind: UInt8 { case scalar, array, dictionary }
        /// The index of the first byte in `scalars` or, for a container, of the first reference in `references`.
        var start: UInt32
        var count: UInt32
        var kind: Kind
    }

    private var entries: [Entry] = []
    /// Scalars and strings, as they are written to the file.
    private var scalars: [UInt8] = []
    private var references: [UInt32] = []
    private var table: ScalarTable
    /// For each UID, the index of its entry plus one, or 0 if there is none. An array, because a writer adds many UIDs
    /// and nearly all are small numbers.
    private var uids: [UInt32] = []
    /// Whether a UID too large for `uids` was added to `table` instead.
    private var hasSparseUIDs = false
    /// How many objects were copied from another list.
    private(set) var copiedCount: UInt32 = 0
    /// Whether a string was added that readers reject, because it contains more than 256 combining marks in a row.
    private(set) var hasLongCombiningRun = false

    /// Creates an empty writer.
    public init() { self.init(expectedCount: 0) }

    /// Creates a writer with room for `expectedCount` objects.
    init(expectedCount: Int) {
        table = ScalarTable(capacity: expectedCount)
        entries.reserveCapacity(expectedCount)
        references.reserveCapacity(expectedCount)
        scalars.reserveCapacity(expectedCount * 8)
    }

    /// Adds true or false.
    public mutating func add(_ value: Bool) -> Reference {
        scalars.append(value ? 0x09 : 0x08)
        return addScalar(length: 1)
    }

    /// Adds an integer in as few bytes as possible.
    public mutating func add(_ value: Int64) -> Reference {
        let length = scalars.count
        scalars.appendInteger(value)
        return addScalar(length: scalars.count - length)
    }

    /// Adds an unsigned integer.
    public mutating func add(_ value: UInt64) -> Reference {
        if let signed = Int64(exactly: value) { return add(signed) }
        scalars.append(0x14)
        scalars.appendNumber(0, width: 8)
        scalars.appendNumber(value, width: 8)
        return addScalar(length: 17)
    }

    /// Adds a floating-point number.
    public mutating func add(_ value: Double) -> Reference {
        scalars.append(0x23)
        scalars.appendNumber(value.bitPattern, width: 8)
        return addScalar(length: 9)
    }

    /// Adds a date, in seconds since the start of 2001, UTC.
    /// - Precondition: The date is within the years 1 to 9999.
    public mutating func add(date seconds: Double) -> Reference {
        // In the package, only `PropertyListValue.encoded()` calls this, and checks the date first. An app that calls
        // the writer itself must do the same.
        precondition(PropertyListDate.isValid(seconds), "Date out of range")
        scalars.append(0x33)
        scalars.appendNumber(seconds.bitPattern, width: 8)
        return addScalar(length: 9)
    }

    /// Adds bytes.
    public mutating func add(_ data: [UInt8]) -> Reference {
        let length = scalars.count
        scalars.appendMarker(0x40, count: data.count)
        scalars.append(contentsOf: data)
        return addScalar(length: scalars.count - length)
    }

    /// Adds a string. Readers reject a string with more than 256 combining marks in a row.
    public mutating func add(_ string: String) -> Reference {
        let length = scalars.count
        if !scalars.appendString(string), string.hasLongCombiningRun { hasLongCombiningRun = true }
        return addScalar(length: scalars.count - length)
    }

    /// Adds a reference from a keyed archive to one of its objects.
    public mutating func add(uid: UInt32) -> Reference {
        if uid < uids.count, uids[Int(uid)] != 0 { return Reference(index: uids[Int(uid)] - 1) }
        let width = uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4
        scalars.append(0x80 | UInt8(width - 1))
        scalars.appendNumber(UInt64(uid), width: width)
        guard uid < entries.count * 2 + 256 else {
            hasSparseUIDs = true
            return addScalar(length: 1 + width)
        }
        let reference =
            hasSparseUIDs
            ? addScalar(length: 1 + width) : addEntry(.scalar, start: scalars.count - 1 - width, count: 1 + width)
        while uids.count <= uid { uids.append(0) }
        uids[Int(uid)] = reference.index + 1
        return reference
    }

    /// Adds an array of UIDs.
    mutating func addArray(uids: some Sequence<UInt32>) -> Reference {
        let start = references.count
        for uid in uids { references.append(add(uid: uid).index) }
        return addEntry(.array, start: start, count: references.count - start)
    }

    /// Adds an array.
    public mutating func addArray(_ elements: [Reference]) -> Reference {
        let start = references.count
        references.append(contentsOf: elements.lazy.map(\.index))
        return addEntry(.array, start: start, count: elements.count)
    }

    /// Adds a dictionary.
    /// - Precondition: There are as many keys as values. All keys are strings, and none appears twice.
    public mutating func addDictionary(keys: [Reference], values: [Reference]) -> Reference {
        // Callers add each key with its value, or pass arrays of constant length. Input affects only the number of
        // pairs.
        precondition(keys.count == values.count, "The number of keys must equal the number of values")
        let start = references.count
        references.append(contentsOf: keys.lazy.map(\.index))
        references.append(contentsOf: values.lazy.map(\.index))
        return addEntry(.dictionary, start: start, count: keys.count)
    }

    private mutating func addScalar(length: Int) -> Reference {
        let start = scalars.count - length
        if let known = table.insert(start: start, in: scalars, entries) {
            scalars.removeLast(length)
            return Reference(index: known)
        }
        return addEntry(.scalar, start: start, count: length)
    }

    private mutating func addEntry(_ kind: Entry.Kind, start: Int, count: Int) -> Reference {
        entries.append(Entry(start: UInt32(start), count: UInt32(count), kind: kind))
        return Reference(index: UInt32(entries.count - 1))
    }

    /// Copies an object of a list with `objectCount` objects. The caller must call either this function or
    /// `copyNothing` for each object, from last to first.
    mutating func copy(_ object: UInt32, of list: PropertyListView, _ objectCount: UInt32) {
        copiedCount += 1
        let offset = list.offset(of: object)
        let kind = list.byte(at: offset) >> 4
        guard kind == 0xA || kind == 0xD else {
            let (start, length) = (scalars.count, list.scalarLength(at: offset))
            scalars.append(contentsOf: UnsafeRawBufferPointer(start: list.base + offset, count: length))
            _ = addEntry(.scalar, start: start, count: length)
            return
        }
        let (first, count) = list.extent(at: offset)
        let start = references.count
        for index in 0..<(kind == 0xA ? count : 2 * count) {
            let target = list.reference(at: first + index * list.geometry.referenceWidth)
            references.append(objectCount - 1 - target)
        }
        _ = addEntry(kind == 0xA ? .array : .dictionary, start: start, count: count)
    }

    /// Adds one byte in place of an object that is left out, so that references to other objects stay valid.
    mutating func copyNothing() {
        copiedCount += 1
        scalars.append(0x08)
        _ = addEntry(.scalar, start: scalars.count - 1, count: 1)
    }

    /// Returns the file with `top` as its top object. The last added object comes first, so containers precede their
    /// content.
    public func finish(top: Reference) -> [UInt8] {
        let last = UInt32(entries.count - 1)
        let referenceWidth = Self.width(of: UInt64(last))
        var size = 8 + scalars.count + references.count * referenceWidth
        for entry in entries where entry.kind != .scalar { size += [UInt8].markerLength(count: Int(entry.count)) }
        let offsetWidth = Self.width(of: UInt64(size))

        var file: [UInt8] = []
        file.reserveCapacity(size + entries.count * offsetWidth + 32)
        file.append(contentsOf: "bplist00".utf8)
        var offsets: [Int] = []
        offsets.reserveCapacity(entries.count)
        for entry in entries.reversed() {
            offsets.append(file.count)
            let (start, count) = (Int(entry.start), Int(entry.count))
            switch entry.kind {
            case .scalar:
                file.append(contentsOf: scalars[start..<start + count])
            case .array:
                file.appendMarker(0xA0, count: count)
                for reference in references[start..<start + count] {
                    file.appendNumber(UInt64(last - reference), width: referenceWidth)
                }
            case .dictionary:
                file.appendMarker(0xD0, count: count)
                for reference in references[start..<start + 2 * count] {
                    file.appendNumber(UInt64(last - reference), width: referenceWidth)
                }
            }
        }
        let table = file.count
        for offset in offsets { file.appendNumber(UInt64(offset), width: offsetWidth) }
        file.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)])
        for number in [entries.count, Int(last - top.index), table] { file.appendNumber(UInt64(number), width: 8) }
        return file
    }

    private static func width(of number: UInt64) -> Int {
        number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
    }
}
