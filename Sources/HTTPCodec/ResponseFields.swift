/// The fields of a response, already in the form they are sent in: `Name: value` lines that end in CRLF.
///
/// A value never breaks out of its line: bytes that may not stand in a field value are replaced by a space.
package struct ResponseFields: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ name: FieldName, _ value: StaticString) {
        add(name, UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    package mutating func add(_ name: FieldName, _ value: String) {
        var value = value
        value.withUTF8 { add(name, $0) }
    }

    package mutating func add(_ name: FieldName, _ value: some Collection<UInt8>) {
        begin(name)
        for byte in value { bytes.append(byte < 0x20 && byte != 0x09 || byte == 0x7F ? 0x20 : byte) }
        end()
    }

    package mutating func add(_ name: FieldName, _ value: some BinaryInteger) {
        add(name, String(value))
    }

    /// The value of the first field of this name: for tests and for logs, not for the hot path.
    package subscript(name: FieldName) -> String? { values(of: name).first }

    /// All values of this name, in order.
    package func values(of name: FieldName) -> [String] {
        let spelling = name.spelling.description.lowercased()
        return bytes.split(separator: 0x0A).compactMap { line in
            let line = String(decoding: line.dropLast(), as: UTF8.self)
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == spelling else { return nil }
            return String(line[line.index(colon, offsetBy: 2)...])
        }
    }

    private mutating func begin(_ name: FieldName) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.spelling.utf8Start, count: name.spelling.utf8CodeUnitCount))
        bytes.append(0x3A)
        bytes.append(0x20)
    }

    private mutating func end() {
        bytes.append(0x0D)
        bytes.append(0x0A)
    }
}
