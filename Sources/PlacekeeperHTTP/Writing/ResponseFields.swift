/// The fields of a response in wire format: `Name: value` lines that end with CRLF.
///
/// A value other than a `StaticString` can't add a line: every byte that isn't allowed in a field value becomes a
/// space.
package struct ResponseFields: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ name: FieldName, _ value: StaticString) {
        begin(name)
        ResponseEncoder.append(value, to: &bytes)
        end()
    }

    package mutating func add(_ name: FieldName, _ value: String) {
        var value = value
        value.withUTF8 { add(name, $0) }
    }

    package mutating func add(_ name: FieldName, _ value: some Collection<UInt8>) {
        begin(name)
        let start = bytes.count
        bytes.append(contentsOf: value)
        replaceControls(from: start)
        end()
    }

    package mutating func add(_ name: FieldName, _ value: some BinaryInteger) {
        guard let value = Int(exactly: value), value >= 0 else { return add(name, String(value)) }
        begin(name)
        ResponseEncoder.append(decimal: value, to: &bytes)
        end()
    }

    /// The value of the first field with this name. Slow; meant for tests and logs.
    package subscript(name: FieldName) -> String? { values(of: name).first }

    /// Returns the values of all fields with this name, in order. Slow; meant for tests and logs.
    package func values(of name: FieldName) -> [String] {
        let spelling = name.spelling.description.lowercased()
        return bytes.split(separator: 0x0A).compactMap { line in
            let line = String(decoding: line.dropLast(), as: UTF8.self)
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == spelling else { return nil }
            return String(line[line.index(colon, offsetBy: 2)...])
        }
    }

    private mutating func begin(_ name: FieldName) {
        // Large enough for most responses, so they need only one allocation.
        if bytes.isEmpty { bytes.reserveCapacity(384) }
        ResponseEncoder.append(name.spelling, to: &bytes)
        ResponseEncoder.append(": ", to: &bytes)
    }

    private mutating func replaceControls(from start: Int) {
        bytes.withUnsafeMutableBytes { bytes in
            var index = start
            while true {
                index = Grammar.indexOfControl(in: index..<bytes.count, of: UnsafeRawBufferPointer(bytes))
                guard index < bytes.count else { return }
                if bytes[index] != Grammar.tab { bytes[index] = Grammar.space }
                index += 1
            }
        }
    }

    private mutating func end() { ResponseEncoder.append("\r\n", to: &bytes) }
}
