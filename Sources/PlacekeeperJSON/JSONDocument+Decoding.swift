import PlacekeeperArchive

extension JSONDocument {
    /// The names and indices that lead to a value. The search starts at the beginning of the document. This is slow, but
    /// only errors need the path.
    func path(to index: Int) -> [Name] {
        var path: [Name] = []
        var outer = 0
        while outer < index {
            let isObject = nodes[outer].kind == .object
            // The name before a member's value, or the value itself.
            var (child, position) = (outer + 1, 0)
            while nodes[isObject ? child + 1 : child].next <= index {
                child = nodes[isObject ? child + 1 : child].next
                position += 1
            }
            path.append(isObject ? Name(string(of: nodes[child]) ?? "") : Name(position))
            outer = isObject ? child + 1 : child
        }
        return path
    }

    /// Decodes a value of the type from the document.
    ///
    /// Ignores members that the type doesn't request. A requested member must not be repeated. Errors are of type
    /// `DecodingError`, and their coding path always leads to the faulty value.
    package func decode<Value: Decodable>(
        _ type: Value.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        try Value(from: ValueDecoder(source: Source(document: self, userInfo: userInfo), index: 0))
    }

    /// A document that is being decoded.
    private final class Source {
        let document: JSONDocument
        let userInfo: [CodingUserInfoKey: any Sendable]
        /// The members of objects that are decoded as dictionaries.
        var dictionaries: [Int: [String: Int]] = [:]
        /// The member that was looked up last. A type looks up an optional member as many as three times.
        private var last: (object: Int, name: String, value: Int?) = (-1, "", nil)
        private var meter = WorkMeter()

        init(document: JSONDocument, userInfo: [CodingUserInfoKey: any Sendable]) {
            self.document = document
            self.userInfo = userInfo
        }

        /// Returns the value of a member, or nil if there is none.
        func member(_ key: some CodingKey, of object: Int) throws -> Int? {
            if let members = dictionaries[object] { return members[key.stringValue] }
            var name = key.stringValue
            if last.object == object, last.name == name { return last.value }
            let found = try name.withUTF8 { name in
                var found: Int?
                try document.forEachMember(of: object) { candidate, value in
                    guard document.text(of: document.nodes[candidate], equals: name) else { return }
                    guard found == nil else { throw repeated(value) }
                    found = value
                }
                return found
            }
            last = (object, name, found)
            return found
        }

        /// Counts a decoded value as work, so that other work can run in between.
        func decodes() { meter.consume(8) }

        /// Returns the names of all members, for a dictionary. Afterward, `member` finds them without a search. If a
        /// name is repeated, returns only that name, and decoding its value fails.
        func names(of object: Int) -> [String] {
            var members: [String: Int] = [:]
            var repeated: String?
            document.forEachMember(of: object) { name, value in
                guard let text = document.string(of: document.nodes[name]) else { return }
                if members.updateValue(value, forKey: text) != nil { repeated = text }
            }
            if let repeated { return [repeated] }
            dictionaries[object] = members
            return Array(members.keys)
        }

        func repeated(_ value: Int) -> DecodingError { corrupted("The member is repeated.", value) }

        func halfOfAPair(_ value: Int) -> DecodingError { corrupted("The text has half of a surrogate pair.", value) }

        private func corrupted(_ description: String, _ value: Int) -> DecodingError {
            .dataCorrupted(.init(codingPath: document.path(to: value), debugDescription: description))
        }
    }

    /// The name of a member, or the index of an element.
    struct Name: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(_ name: String) { (stringValue, intValue) = (name, nil) }
        init(_ index: Int) { (stringValue, intValue) = (String(index), index) }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { self.init(intValue) }
    }

    private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
        let source: Source
        let index: Int

        private var node: Node { source.document.nodes[index] }
        var codingPath: [any CodingKey] { source.document.path(to: index) }
        var userInfo: [CodingUserInfoKey: Any] { source.userInfo }

        private func mismatch(_ type: Any.Type) -> DecodingError {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "The value has another type.")
            return node.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
        }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            guard node.kind == .object else { throw mismatch([String: Any].self) }
            return KeyedDecodingContainer(Members(source: source, object: index))
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
            guard node.kind == .array else { throw mismatch([Any].self) }
            return Elements(source: source, array: index)
        }

        func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

        func decodeNil() -> Bool { node.kind == .null }

        func decode(_ type: Bool.Type) throws -> Bool {
            switch node.kind {
            case .true: true
            case .false: false
            default: throw mismatch(type)
            }
        }

        func decode(_ type: String.Type) throws -> String {
            guard node.kind == .text || node.kind == .escapedText else { throw mismatch(type) }
            guard let text = source.document.string(of: node) else { throw source.halfOfAPair(index) }
            return text
        }

        func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }
        func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }
        func decode(_ type: Int.Type) throws -> Int { try integer(type) }
        func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
        func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
        func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
        func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
        func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

        private func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
            _ type: Number.Type
        ) throws -> Number {
            guard node.kind == .number,
                let number = Number(String(decoding: source.document.digits(of: node), as: UTF8.self)), number.isFinite
            else { throw mismatch(type) }
            return number
        }

        private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
            if let signed, let number = Number(exactly: signed) { return number }
            if let unsigned, let number = Number(exactly: unsigned) { return number }
            throw mismatch(type)
        }

        /// A number with a fraction or an exponent counts as an integer if its value is whole, such as `1.0` and `2e3`.
        /// Its magnitude must be at most 2^53, so that a `Double` is exact.
        private var signed: Int64? {
            guard node.kind == .number else { return nil }
            let digits = String(decoding: source.document.digits(of: node), as: UTF8.self)
            if let number = Int64(digits) { return number }
            guard let value = Double(digits), value.magnitude <= 0x1p53 else { return nil }
            return Int64(exactly: value)
        }

        private var unsigned: UInt64? {
            guard node.kind == .number else { return nil }
            return UInt64(String(decoding: source.document.digits(of: node), as: UTF8.self))
        }
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let source: Source
        let object: Int

        var codingPath: [any CodingKey] { source.document.path(to: object) }
        var allKeys: [Key] { source.names(of: object).compactMap(Key.init(stringValue:)) }

        /// A repeated member counts as present, but decoding it fails.
        func contains(_ key: Key) -> Bool {
            do { return try source.member(key, of: object) != nil } catch { return true }
        }

        private func value(_ key: Key) throws -> ValueDecoder {
            guard let index = try source.member(key, of: object) else {
                throw DecodingError.keyNotFound(
                    key, .init(codingPath: codingPath, debugDescription: "The member is missing."))
            }
            return ValueDecoder(source: source, index: index)
        }

        func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try Value(from: try value(key))
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> { try value(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try value(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { ValueDecoder(source: source, index: object) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let source: Source
        let array: Int
        private var next: Int
        private(set) var currentIndex = 0

        init(source: Source, array: Int) {
            self.source = source
            self.array = array
            next = array + 1
        }

        var codingPath: [any CodingKey] { source.document.path(to: array) }
        /// Unknown: counting would take as long as decoding, and no caller needs the count in advance.
        var count: Int? { nil }
        var isAtEnd: Bool { next >= source.document.nodes[array].next }

        private func element(_ type: Any.Type) throws -> ValueDecoder {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    type, .init(codingPath: codingPath + [Name(currentIndex)], debugDescription: "The array ended."))
            }
            return ValueDecoder(source: source, index: next)
        }

        private mutating func advance() {
            source.decodes()
            next = source.document.nodes[next].next
            currentIndex += 1
        }

        mutating func decodeNil() throws -> Bool {
            guard try element(Never?.self).decodeNil() else { return false }
            advance()
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let value = try Value(from: try element(type))
            advance()
            return value
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> {
            let container = try element([String: Any].self).container(keyedBy: type)
            advance()
            return container
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            let container = try element([Any].self).unkeyedContainer()
            advance()
            return container
        }

        mutating func superDecoder() throws -> any Decoder {
            let decoder = try element((any Decoder).self)
            advance()
            return decoder
        }
    }
}
