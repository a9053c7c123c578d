extension BinaryPropertyList {
    /// An object's value. Strings, data and containers are given as locations in the file.
    public enum Content: Sendable, Hashable {
        /// True or false.
        case boolean(Bool)
        /// An integer that fits in 64 bits, signed.
        case integer(Int64)
        /// An integer that is too large for `integer`.
        case unsigned(UInt64)
        /// A floating-point number, possibly infinite or NaN.
        case real(Double)
        /// Seconds since the start of 2001, UTC, within the years 1 to 9999.
        case date(Double)
        /// Data, as a range of `bytes`.
        case data(Range<Int>)
        /// A string.
        case string(Text)
        /// A reference from a keyed archive to one of its objects.
        case uid(UInt64)
        /// An array.
        case array(Elements)
        /// A dictionary with string keys.
        case dictionary(Entries)
    }

    /// The location of a string in the file.
    public struct Text: Sendable, Hashable {
        let start: Int
        /// The number of code units.
        let count: Int
        let isUTF16: Bool
        /// The string's length in the file, in bytes.
        public var byteCount: Int { isUTF16 ? 2 * count : count }
    }

    /// The location of an array in the file.
    public struct Elements: Sendable, Hashable {
        let start: Int
        /// The number of elements.
        public let count: Int
    }

    /// The location of a dictionary in the file.
    public struct Entries: Sendable, Hashable {
        let start: Int
        /// The number of entries.
        public let count: Int
    }

    func withView<Result, Failure: Error>(
        _ body: (PropertyListView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withRawBytes { (file) throws(Failure) in try body(PropertyListView(file, geometry)) }
    }

    /// Returns an object's value.
    public subscript(object: Object) -> Content { withView { $0.content(object.index) } }

    /// Returns the array element at `index`, counted from 0.
    public func element(_ index: Int, of elements: Elements) -> Object {
        // The package itself reads through `PropertyListView`. Apps count up to `elements.count`, which has been
        // validated.
        precondition(index >= 0 && index < elements.count, "Index out of range")
        return Object(index: withView { $0.element(index, of: elements) })
    }

    /// Returns the dictionary entry at `index`, counted from 0 in file order.
    public func entry(_ index: Int, of entries: Entries) -> (key: String, value: Object) {
        // As in `element(_:of:)`: apps count up to `entries.count`, which has been validated.
        precondition(index >= 0 && index < entries.count, "Index out of range")
        return withView {
            ($0.text($0.string($0.key(index, of: entries))), Object(index: $0.value(index, of: entries)))
        }
    }

    /// Returns the value under an ASCII key of a dictionary. `nil` if the key is missing. The time is proportional to
    /// the number of entries.
    public func value(for key: StaticString, in entries: Entries) -> Object? {
        withView { $0.value(for: key, in: entries).map(Object.init) }
    }

    /// Returns the string at a location.
    public func string(_ text: Text) -> String { withView { $0.text(text) } }
}

extension PropertyListView {
    func content(_ object: UInt32) -> BinaryPropertyList.Content {
        let offset = offset(of: object)
        let marker = byte(at: offset)
        switch marker >> 4 {
        case 0x0: return .boolean(marker == 9)
        case 0x1: return integer(at: offset)
        case 0x2: return .real(real(at: offset))
        case 0x3: return .date(Double(bitPattern: word(at: offset + 1)))
        case 0x8: return .uid(number(at: offset + 1, width: Int(marker & 0xF) + 1))
        default: break
        }
        let (start, count) = extent(at: offset)
        switch marker >> 4 {
        case 0x4: return .data(start..<start + count)
        case 0x5: return .string(.init(start: start, count: count, isUTF16: false))
        case 0x6: return .string(.init(start: start, count: count, isUTF16: true))
        case 0xA: return .array(.init(start: start, count: count))
        default: return .dictionary(.init(start: start, count: count))
        }
    }

    /// Reads an integer. Integers of 1, 2 and 4 bytes are unsigned; those of 8 bytes are signed. An integer of 16 bytes
    /// becomes `unsigned` if it is too large for `Int64`.
    private func integer(at offset: Int) -> BinaryPropertyList.Content {
        let width = 1 << Int(byte(at: offset) & 0xF)
        if width <= 8 { return .integer(Int64(bitPattern: number(at: offset + 1, width: width))) }
        let low = word(at: offset + 9)
        if word(at: offset + 1) == 0, low > UInt64(Int64.max) { return .unsigned(low) }
        return .integer(Int64(bitPattern: low))
    }

    private func real(at offset: Int) -> Double {
        byte(at: offset) & 0xF == 2
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: number(at: offset + 1, width: 4))))
            : Double(bitPattern: word(at: offset + 1))
    }
}
