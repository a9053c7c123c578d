extension RequestHead {
    /// A query parameter `name=value`, as ranges of `bytes`. The ranges are still percent-encoded.
    package struct QueryParameter: Sendable, Hashable {
        package var name: Range<Int>
        /// Empty if the parameter has no `=`.
        package var value: Range<Int>
    }

    /// Returns the first query parameter with this name. Nil if there is none. To get the value as text, use
    /// ``percentDecoded(_:)``.
    package func queryParameter(_ name: StaticString) -> QueryParameter? {
        bytes.withUnsafeBytes { bytes in
            var parameters = QueryParameters(query, of: bytes)
            while let parameter = parameters.next() {
                if Self.equalsIgnoringCase(name, UnsafeRawBufferPointer(rebasing: bytes[parameter.name])) {
                    return parameter
                }
            }
            return nil
        }
    }

    private static func equalsIgnoringCase(_ name: StaticString, _ encoded: UnsafeRawBufferPointer) -> Bool {
        guard encoded.count >= name.utf8CodeUnitCount else { return false }
        var rest = PercentDecoding(encoded)
        for index in 0..<name.utf8CodeUnitCount where rest.next() != name.utf8Start[index] { return false }
        return rest.next() == nil
    }
}

/// The parameters of a query, separated by ampersands. Skips empty ones.
private struct QueryParameters: IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var rest: Range<Int>

    init(_ query: Range<Int>?, of bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        rest = query ?? 0..<0
    }

    mutating func next() -> RequestHead.QueryParameter? {
        while !rest.isEmpty {
            let end = rest.first { bytes[$0] == 0x26 } ?? rest.upperBound
            let parameter = rest.lowerBound..<end
            rest = Swift.min(end + 1, rest.upperBound)..<rest.upperBound
            guard !parameter.isEmpty else { continue }
            let equals = parameter.first { bytes[$0] == 0x3D } ?? end
            return RequestHead.QueryParameter(
                name: parameter.lowerBound..<equals, value: Swift.min(equals + 1, end)..<end)
        }
        return nil
    }
}
